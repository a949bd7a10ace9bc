/** Runs an outline's query over a tree and sorts the matches by kind. */
import type { Node, Query, QueryMatch, QueryOptions, Tree } from "web-tree-sitter";
import type { DefinitionKind, ReferenceKind } from "../../domain/code-symbols.ts";
import type { Outline } from "../outline.ts";
import { type Found, type FoundLeaf, type FoundName, nothingFound, putInOrder, type Spot } from "./found.ts";
import { bareType, receiverText, typeText } from "./written.ts";

type PartName = "name" | "body" | "parameters" | "type" | "owner" | "receiver" | "arguments" | "function";
type Parts = { [K in PartName]?: Node | undefined };

/**
 * A text with its tree, and the outline's query to run on it. `deadline`: the query's latest end, in milliseconds as in
 * Date.now().
 */
export interface Reading {
  readonly outline: Outline;
  readonly path: string;
  readonly text: string;
  readonly query: Query;
  readonly tree: Tree;
  readonly deadline: number;
}

export type PointRange = Pick<QueryOptions, "startPosition" | "endPosition">;

/** Returns all matches, or only those that intersect `range`; undefined if the query exceeded its deadline. */
export function findMatches(reading: Reading, range?: PointRange): Found | undefined {
  const { query, tree, deadline } = reading;
  let late = false;
  const matches = query.matches(tree.rootNode, {
    ...range,
    progressCallback: () => {
      late = Date.now() > deadline;
      return late;
    },
  });
  if (late) return undefined;
  const work: Work = { reading, fields: fieldsOf(tree), found: nothingFound(), leaves: [] };
  for (const match of matches) place(match, work);
  work.found.leaves = finishLeaves(work);
  putInOrder(work.found);
  return work.found;
}

interface Work {
  readonly reading: Reading;
  readonly fields: Fields;
  readonly found: Found;
  readonly leaves: RawLeaf[];
}

/** A match that may become a leaf: another pattern may match the same place. */
interface RawLeaf {
  readonly start: number;
  readonly rank: number;
  readonly role: FoundLeaf["role"];
  readonly node: Node;
  readonly parts: Parts;
}

interface Fields {
  readonly name: number;
  readonly body: number;
  readonly parameters: number;
  /** The fields in which grammars hold a variable's type and a function's result. */
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

function place(match: QueryMatch, work: Work): void {
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
    work.leaves.push({ start: node.startIndex, rank, role: kind as ReferenceKind, node, parts });
  else if (role === "definition" || role === "binding" || role === "prototype")
    placeDefinition({ node, rank, role, kind: kind as DefinitionKind | undefined }, parts, work);
  else if (role === "local" || role === "access")
    work.leaves.push({ start: node.startIndex, rank, role, node, parts });
  else placeOther(role, node, rank, parts, work);
}

const subjects = new Map<string, readonly [string, string | undefined]>();

/** Splits `definition.class` into its two words. */
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

interface Subject {
  readonly node: Node;
  readonly rank: number;
  readonly role: "definition" | "binding" | "prototype";
  readonly kind: DefinitionKind | undefined;
}

function placeDefinition({ node, rank, role, kind }: Subject, parts: Parts, work: Work): void {
  const { fields, reading } = work;
  const field = (of: Node, id: number) => (id < 0 ? undefined : (of.childForFieldId(id) ?? undefined));
  const name = parts.name ?? field(node, fields.name) ?? (node.namedChildCount === 0 ? node : undefined);
  if (name === undefined) return;
  work.leaves.push({ start: name.startIndex, rank, role: "claimed", node: name, parts: {} });
  if (name !== node) {
    const holder = parts.function ?? node;
    parts.body ??= field(holder, fields.body);
    parts.parameters ??= field(holder, fields.parameters);
    for (const id of fields.types) parts.type ??= field(holder, id);
  }
  const { outline } = reading;
  const { body, parameters } = parts;
  work.found.definitions.push({
    ...rowsOf(node),
    rank,
    kind,
    isPrototype: role === "prototype",
    sort: node.typeId,
    name: nameOf(name),
    bodyStart: body?.startIndex,
    docstring: body === undefined ? undefined : outline.docstring?.(body),
    parameters:
      parameters === undefined || kind === undefined ? undefined : readParameters(outline, parameters),
    type: writtenIn(reading, parts.type, typeText),
    owner: writtenIn(reading, parts.owner, bareType),
  });
}

function rowsOf(node: Node): { start: number; end: number; row: number; lastRow: number } {
  const { startIndex, endIndex, startPosition, endPosition } = node;
  const isBefore = endPosition.column === 0 && endPosition.row > startPosition.row;
  const lastRow = isBefore ? endPosition.row - 1 : endPosition.row;
  return { start: startIndex, end: endIndex, row: startPosition.row, lastRow };
}

function nameOf({ startIndex, endIndex, startPosition }: Node): FoundName {
  return { start: startIndex, end: endIndex, row: startPosition.row, column: startPosition.column };
}

function readParameters(outline: Outline, list: Node): string[] {
  const written: string[] = [];
  for (const node of list.namedChildren) {
    if (node.isExtra || node.isError) continue;
    const one = outline.parameter === undefined ? parameterText(node) : outline.parameter(node);
    if (one !== undefined) written.push(typeText(one));
  }
  return written;
}

/** Returns the parameter's type; without a type, its name or pattern, or else the whole parameter. */
export function parameterText(node: Node): string {
  const part =
    node.childForFieldName("type") ?? node.childForFieldName("name") ?? node.childForFieldName("pattern");
  return (part ?? node).text;
}

function writtenIn(
  { text }: Reading,
  node: Node | undefined,
  shown: (written: string) => string,
): string | undefined {
  return node === undefined ? undefined : shown(text.slice(node.startIndex, node.endIndex));
}

function placeOther(
  role: string,
  node: Node,
  rank: number,
  parts: Parts,
  { found, reading, leaves }: Work,
): void {
  const spot: Spot = { start: node.startIndex, end: node.endIndex, rank };
  if (role === "scope") found.scopes.push(spot);
  else if (role === "block")
    found.blocks.push({
      ...spot,
      owner: writtenIn(reading, parts.owner, bareType),
      keepsPromise: parts.type !== undefined,
    });
  else if (role === "import") {
    const imports = reading.outline.imports?.(node, reading.path) ?? [];
    found.imports.push({ ...spot, imports });
    found.ignored.push(spot);
  } else if (role === "export") found.exported.push(spot);
  else if (role === "package") {
    found.packages.push(spot);
    found.ignored.push({ ...spot });
  } else if (role === "comment" || role === "attribute")
    found.above.push({ ...rowsOf(node), rank, isComment: role === "comment" });
  else if (role === "error") found.errors.push(spot);
  else if (role === "ignore") {
    leaves.push({ start: node.startIndex, rank, role: "claimed", node, parts: {} });
    if (node.namedChildCount > 0) found.ignored.push(spot);
  }
}

/**
 * Keeps the match of the first pattern in each place. Keeps all matches for local variables and access marks, because
 * several of them may apply.
 */
function finishLeaves({ leaves, reading }: Work): FoundLeaf[] {
  leaves.sort((a, b) => a.start - b.start || a.rank - b.rank);
  const finished: FoundLeaf[] = [];
  let last = -1;
  for (const leaf of leaves) {
    const { start, rank, role, node, parts } = leaf;
    if (start === last && role !== "local" && role !== "access") continue;
    last = start;
    const { row, column } = node.startPosition;
    finished.push({
      start,
      end: node.endIndex,
      rank,
      role,
      row,
      column,
      receiver: writtenIn(reading, parts.receiver, receiverText),
      type: writtenIn(reading, parts.type, typeText),
      owner: writtenIn(reading, parts.owner, bareType),
      arity: parts.arguments?.namedChildCount,
    });
  }
  return finished;
}
