/** Results of an outline's query in a text, as positions and words. Holds no nodes, so it outlives the tree. */
import type { DefinitionKind, Import, ReferenceKind } from "../../domain/code-symbols.ts";

/** A span of the text: UTF-16 offsets, `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** The span of a matched node. If the text around the node changes, kept-readings.ts updates the positions. */
export interface Spot {
  start: number;
  end: number;
  /** The rank of the pattern that matched; the smallest wins. */
  readonly rank: number;
}

export interface FoundName {
  start: number;
  end: number;
  /** The name's row, from 0. */
  row: number;
  readonly column: number;
}

export interface FoundDefinition extends Spot {
  /** The definition's kind; undefined for a binding, whose kind depends on its context. */
  readonly kind: DefinitionKind | undefined;
  readonly isPrototype: boolean;
  /** The number of the node's kind. With the span, it distinguishes the node from nodes around it. */
  readonly sort: number;
  /** The definition's first row, from 0. */
  row: number;
  /** The definition's last row, from 0. */
  lastRow: number;
  readonly name: FoundName;
  bodyStart: number | undefined;
  /** The docstring as written. */
  readonly docstring: string | undefined;
  readonly parameters: readonly string[] | undefined;
  readonly type: string | undefined;
  readonly owner: string | undefined;
}

/** A use or a binding of a name, or another marked place, such as an access modifier. */
export interface FoundLeaf extends Spot {
  readonly role: ReferenceKind | "local" | "claimed" | "access";
  /** The leaf's row, from 0. */
  row: number;
  readonly column: number;
  readonly receiver: string | undefined;
  readonly type: string | undefined;
  readonly owner: string | undefined;
  /** The number of arguments of a call. */
  readonly arity: number | undefined;
}

export interface FoundBlock extends Spot {
  readonly owner: string | undefined;
  /** True if the block implements a trait or interface. Its members are then as visible as the trait or interface. */
  readonly keepsPromise: boolean;
}

export interface FoundImport extends Spot {
  imports: readonly Import[];
}

/** A comment or an attribute. */
export interface FoundAbove extends Spot {
  readonly isComment: boolean;
  /** The first row, from 0. */
  row: number;
  lastRow: number;
}

/** The results of an outline's query in one text. Each list is in source order. */
export interface Found {
  definitions: FoundDefinition[];
  leaves: FoundLeaf[];
  scopes: Spot[];
  blocks: FoundBlock[];
  imports: FoundImport[];
  exported: Spot[];
  packages: Spot[];
  above: FoundAbove[];
  ignored: Spot[];
  errors: Spot[];
}

export function nothingFound(): Found {
  return {
    definitions: [],
    leaves: [],
    scopes: [],
    blocks: [],
    imports: [],
    exported: [],
    packages: [],
    above: [],
    ignored: [],
    errors: [],
  };
}

export function allSpots(found: Found): readonly Spot[][] {
  const { definitions, leaves, scopes, blocks, imports, exported, packages, above, ignored, errors } = found;
  return [definitions, leaves, scopes, blocks, imports, exported, packages, above, ignored, errors];
}

/** Sorts the lists in source order. Among leaves in one place, the leaf with the best rank comes first. */
export function putInOrder(found: Found): void {
  for (const spots of allSpots(found))
    spots.sort((a, b) => a.start - b.start || b.end - a.end || a.rank - b.rank);
  found.definitions.sort((a, b) => a.start - b.start || b.end - a.end || a.name.start - b.name.start);
  found.leaves.sort((a, b) => a.start - b.start || a.rank - b.rank);
}

/** Sorts spans in source order. Leaves out spans inside another span. */
export function spansInOrder(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end))
    if (span.end > (kept.at(-1)?.end ?? -1)) kept.push(span);
  return kept;
}
