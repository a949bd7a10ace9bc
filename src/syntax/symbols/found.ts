/** What an outline's query found in a text, as places and words: it holds no node, so it outlives the tree. */
import type { DefinitionKind, Import, ReferenceKind } from "../../domain/code-symbols.ts";

/** A span of the text: UTF-16 offsets, `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Of the node that a match is about. Places are written anew when the text around them changes, see kept-readings.ts. */
export interface Spot {
  start: number;
  end: number;
  /** Of the pattern; the smallest counts. */
  readonly rank: number;
}

export interface FoundName {
  start: number;
  end: number;
  /** Counted from 0. */
  row: number;
  readonly column: number;
}

export interface FoundDefinition extends Spot {
  /** Undefined for a binding, whose kind its surroundings decide. */
  readonly kind: DefinitionKind | undefined;
  readonly isPrototype: boolean;
  /** Number of the node's kind: with the span it tells a node from those around it. */
  readonly sort: number;
  /** Counted from 0. */
  row: number;
  /** That it reaches into, counted from 0. */
  lastRow: number;
  readonly name: FoundName;
  bodyStart: number | undefined;
  /** As written. */
  readonly docstring: string | undefined;
  readonly parameters: readonly string[] | undefined;
  readonly type: string | undefined;
  readonly owner: string | undefined;
}

/** A name that is used or bound, or a place that is neither. */
export interface FoundLeaf extends Spot {
  readonly role: ReferenceKind | "local" | "claimed" | "access";
  /** Counted from 0. */
  row: number;
  readonly column: number;
  readonly receiver: string | undefined;
  readonly type: string | undefined;
  readonly owner: string | undefined;
  /** How many arguments, of a call. */
  readonly arity: number | undefined;
}

export interface FoundBlock extends Spot {
  readonly owner: string | undefined;
  /** It says what a trait or interface asks for: what it holds is as visible as that. */
  readonly keepsPromise: boolean;
}

export interface FoundImport extends Spot {
  imports: readonly Import[];
}

/** A comment or an attribute. */
export interface FoundAbove extends Spot {
  readonly isComment: boolean;
  /** Counted from 0. */
  row: number;
  lastRow: number;
}

/** Each list in the order of the text. */
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

/** What was found in any order, as `Found` promises it. Of leaves at one place those stay that can count. */
export function putInOrder(found: Found): void {
  for (const spots of allSpots(found))
    spots.sort((a, b) => a.start - b.start || b.end - a.end || a.rank - b.rank);
  found.definitions.sort((a, b) => a.start - b.start || b.end - a.end || a.name.start - b.name.start);
  found.leaves.sort((a, b) => a.start - b.start || a.rank - b.rank);
}

/** Sorted, those that stand in another left out. */
export function spansInOrder(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end))
    if (span.end > (kept.at(-1)?.end ?? -1)) kept.push(span);
  return kept;
}
