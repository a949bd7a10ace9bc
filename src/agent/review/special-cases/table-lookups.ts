/** Finds the entries of a literal list that code reads by position: `[, , 15][weight] ?? 0`, `extra[min(weight, 7)]`. Pure. */
import { once } from "../../../base/once.ts";
import { namedChildren, type SyntaxNode, type SyntaxTree, walk } from "../../../syntax/node.ts";
import { callOf, codeOf, partOf, roleOf, type Source } from "../../../syntax/reading.ts";
import { firstInputs } from "./narrow-conditions.ts";

export interface LookedUp {
  readonly table: SyntaxNode;
  readonly entry: SyntaxNode;
  /** The smallest input that the index maps to the entry's position. */
  readonly input: number;
  readonly position: number;
  /** True if the list has gaps. */
  readonly hasHoles: boolean;
}

const reading = /^(?:get|at|fetch|nth|elementAt)$/;

/** Returns the entries that a subscript or a call such as `get` can return. */
export function listLookedUp(source: Source, node: SyntaxNode): LookedUp[] {
  const [object, index] = partsOf(source, node);
  const table = object === undefined ? undefined : tableOf(source, object);
  const inputs = table && index && firstInputs(source, index);
  if (table === undefined || inputs === undefined) return [];
  const found = positionsOf(source, table);
  const hasHoles = found.some(({ position }, index) => position !== index);
  return found.flatMap(({ entry, position }) => {
    const input = inputs.get(position);
    return input === undefined ? [] : [{ table, entry, input, position, hasHoles }];
  });
}

function partsOf(source: Source, node: SyntaxNode): readonly SyntaxNode[] {
  if (roleOf(source, node) === "subscript") {
    const [object, index, more] = namedChildren(node);
    return object !== undefined && index !== undefined && more === undefined ? [object, index] : [];
  }
  const call = callOf(source, node);
  const [index, more] = call?.arguments ?? [];
  const isRead = call?.receiver !== undefined && reading.test(call.name) && more === undefined;
  return isRead && index !== undefined ? [call.receiver, index] : [];
}

/** Returns the list itself, or the list of this name in the file. */
function tableOf(source: Source, object: SyntaxNode): SyntaxNode | undefined {
  if (roleOf(source, object) === "parentheses") {
    const [only] = namedChildren(object);
    return only && tableOf(source, only);
  }
  if (roleOf(source, object) === "collection") return object;
  if (roleOf(source, object) !== "identifier") return undefined;
  return tablesIn(source.tree, source).get(codeOf(source, object));
}

/** Maps names to the lists of a file; undefined for a name with several values. Reads each file once. */
const tablesIn = once((tree: SyntaxTree, source: Source): ReadonlyMap<string, SyntaxNode | undefined> => {
  const found = new Map<string, SyntaxNode | undefined>();
  for (const node of walk(tree.root)) {
    const isGiving = /^(?:assignment|declaration|declarator)$/.test(roleOf(source, node) ?? "");
    const target = isGiving ? (partOf(source, node, "target") ?? partOf(source, node, "name")) : undefined;
    if (target === undefined) continue;
    const name = codeOf(source, target);
    const value = partOf(source, node, "value");
    const [only, more] = value && roleOf(source, value) === "values" ? namedChildren(value) : [value];
    const isTable = only !== undefined && more === undefined && roleOf(source, only) === "collection";
    found.set(name, found.has(name) || !isTable ? undefined : only);
  }
  return found;
});

/** Returns the entries with their positions. JavaScript's lists may have gaps. */
function positionsOf(source: Source, table: SyntaxNode): { entry: SyntaxNode; position: number }[] {
  const inner = namedChildren(table).find(({ kind }) => /^(?:literal_value|array_initializer)$/.test(kind));
  let position = 0;
  return (inner ?? table).children.flatMap((child) => {
    if (child.kind === ",") position++;
    return child.named && roleOf(source, child) !== "comment" ? [{ entry: child, position }] : [];
  });
}
