/** Runs an outline's query over a tree and sorts what it found by what it is, in the order of the text. */
import type { Node, Query, QueryMatch, Tree } from "web-tree-sitter";
import type { DefinitionKind, ReferenceKind } from "../../domain/code-symbols.ts";

/** A span of the text: UTF-16 offsets, `end` is exclusive. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface FoundDefinition extends Span {
  /** Undefined for a binding, whose kind its surroundings decide. */
  readonly kind: DefinitionKind | undefined;
  readonly isPrototype: boolean;
  /** Of the pattern; the smallest counts. */
  readonly rank: number;
  readonly node: Node;
  readonly name: Node;
  readonly parts: Parts;
}

/** A name that is used or bound, or a place that is neither. */
export interface FoundLeaf {
  readonly start: number;
  /** Of the pattern; the smallest counts. */
  readonly rank: number;
  readonly role: ReferenceKind | "local" | "claimed" | "access";
  readonly node: Node;
  readonly parts: Parts;
}

export type PartName =
  | "name"
  | "body"
  | "parameters"
  | "type"
  | "owner"
  | "receiver"
  | "arguments"
  | "function";
export type Parts = { [K in PartName]?: Node | undefined };

export interface FoundBlock extends Span {
  readonly owner: Node | undefined;
  /** It says what a trait or interface asks for: what it holds is as visible as that. */
  readonly keepsPromise: boolean;
}

export interface Found {
  readonly definitions: FoundDefinition[];
  readonly leaves: FoundLeaf[];
  readonly scopes: Span[];
  readonly blocks: FoundBlock[];
  readonly imports: Node[];
  readonly exported: Node[];
  readonly packages: Node[];
  /** Comments and attributes. */
  readonly above: { readonly node: Node; readonly isComment: boolean }[];
  readonly ignored: Span[];
  syntaxErrors: number;
}

/** Null where the query took longer than its deadline (milliseconds as of Date.now()). */
export function findMatches(query: Query, tree: Tree, deadline: number): Found | undefined {
  let late = false;
  const matches = query.matches(tree.rootNode, {
    progressCallback: () => {
      late = Date.now() > deadline;
      return late;
    },
  });
  if (late) return undefined;
  const found: Found = {
    definitions: [],
    leaves: [],
    scopes: [],
    blocks: [],
    imports: [],
    exported: [],
    packages: [],
    above: [],
    ignored: [],
    syntaxErrors: 0,
  };
  const fields = fieldsOf(tree);
  for (const match of matches) place(match, found, fields);
  found.leaves.sort((a, b) => a.start - b.start || a.rank - b.rank);
  found.scopes.sort((a, b) => a.start - b.start || b.end - a.end);
  return found;
}

interface Fields {
  readonly name: number;
  readonly body: number;
  readonly parameters: number;
  /** What grammars call the type of a variable, and what a function returns. */
  readonly types: readonly number[];
}

function fieldsOf(tree: Tree): Fields {
  const at = (name: string) => tree.language.fields.indexOf(name);
  return {
    name: at("name"),
    body: at("body"),
    parameters: at("parameters"),
    types: ["type", "return_type", "result", "returns"].map(at).filter((id) => id >= 0),
  };
}

function place(match: QueryMatch, found: Found, fields: Fields): void {
  const parts: Parts = {};
  let subject: string | undefined;
  let node: Node | undefined;
  for (const capture of match.captures) {
    if (isPart(capture.name)) parts[capture.name] ??= capture.node;
    else if (!capture.name.startsWith("_")) {
      subject = capture.name;
      node = capture.node;
    }
  }
  if (subject === undefined || node === undefined) return;
  const rank = match.patternIndex;
  const [role, kind] = subjectOf(subject);
  if (role === "reference")
    found.leaves.push({ start: node.startIndex, rank, role: kind as ReferenceKind, node, parts });
  else if (role === "definition" || role === "binding" || role === "prototype")
    placeDefinition(
      { node, rank, isPrototype: role === "prototype" },
      kind as DefinitionKind,
      parts,
      found,
      fields,
    );
  else if (role === "local" || role === "access")
    found.leaves.push({ start: node.startIndex, rank, role, node, parts });
  else placeOther(role, node, rank, parts, found);
}

const subjects = new Map<string, readonly [string, string | undefined]>();

/** `definition.class` as its two words. */
function subjectOf(capture: string): readonly [string, string | undefined] {
  const known = subjects.get(capture);
  if (known !== undefined) return known;
  const [role = "", kind] = capture.split(".");
  subjects.set(capture, [role, kind]);
  return [role, kind];
}

const partNames: ReadonlySet<string> = new Set<PartName>([
  "name",
  "body",
  "parameters",
  "type",
  "owner",
  "receiver",
  "arguments",
  "function",
]);
const isPart = (name: string): name is PartName => partNames.has(name);

function placeDefinition(
  subject: Pick<FoundDefinition, "node" | "rank" | "isPrototype">,
  kind: DefinitionKind | undefined,
  parts: Parts,
  found: Found,
  fields: Fields,
): void {
  const { node, rank } = subject;
  const field = (of: Node, id: number) => (id < 0 ? undefined : (of.childForFieldId(id) ?? undefined));
  const name = parts.name ?? field(node, fields.name) ?? (node.namedChildCount === 0 ? node : undefined);
  if (name === undefined) return;
  found.leaves.push({ start: name.startIndex, rank, role: "claimed", node: name, parts: {} });
  if (name !== node) {
    const holder = parts.function ?? node;
    parts.body ??= field(holder, fields.body);
    parts.parameters ??= field(holder, fields.parameters);
    for (const id of fields.types) parts.type ??= field(holder, id);
  }
  found.definitions.push({ ...subject, kind, name, parts, start: node.startIndex, end: node.endIndex });
}

function placeOther(role: string, node: Node, rank: number, parts: Parts, found: Found): void {
  if (role === "scope") found.scopes.push({ start: node.startIndex, end: node.endIndex });
  else if (role === "block")
    found.blocks.push({
      start: node.startIndex,
      end: node.endIndex,
      owner: parts.owner,
      keepsPromise: parts.type !== undefined,
    });
  else if (role === "import") {
    found.imports.push(node);
    found.ignored.push({ start: node.startIndex, end: node.endIndex });
  } else if (role === "export") found.exported.push(node);
  else if (role === "package") {
    found.packages.push(node);
    found.ignored.push({ start: node.startIndex, end: node.endIndex });
  } else if (role === "comment" || role === "attribute")
    found.above.push({ node, isComment: role === "comment" });
  else if (role === "error") found.syntaxErrors++;
  else if (role === "ignore") {
    found.leaves.push({ start: node.startIndex, rank, role: "claimed", node, parts: {} });
    if (node.namedChildCount > 0) found.ignored.push({ start: node.startIndex, end: node.endIndex });
  }
}

/** Sorted, those that stand in another left out. */
export function spansInOrder(spans: readonly Span[]): Span[] {
  const kept: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start || b.end - a.end))
    if (span.end > (kept.at(-1)?.end ?? -1)) kept.push(span);
  return kept;
}
