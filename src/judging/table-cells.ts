/**
 * Finds the values that a table-driven test expects. In `assert price(count) == expected`, the value of `expected` is a
 * cell in each row of `pytest.mark.parametrize`, of `test.each`, or of the list that a loop reads. Pure.
 */
import { once } from "../base/once.ts";
import { childOf, namedChildren, parentsOf, type SyntaxNode, walk } from "../syntax/node.ts";
import { callOf, codeOf, partOf, roleOf, type Source, unwrapParentheses } from "../syntax/reading.ts";

/** A value in a row of a table. */
export interface Cell {
  readonly row: SyntaxNode;
  readonly value: SyntaxNode;
}

/** The rows of a table, and the place of a value in each: an index, a key, or the row itself. */
interface Column {
  readonly rows: SyntaxNode;
  readonly place: number | string | undefined;
}

/** Maximum number of rows. */
const mostRows = 40;

/**
 * Returns the cells with the value of an asserted name (`expected`) or member (`tt.want`). Empty unless the same file
 * contains the table, each of its rows contains the value, and there are at most 40 rows.
 */
export function findCells(source: Source, asserted: SyntaxNode): Cell[] {
  const [name = "", member] = codeOf(source, unwrapParentheses(source, asserted)).split(".");
  if (!/^[A-Za-z_]\w*$/.test(name) || (member !== undefined && !/^\w+$/.test(member))) return [];
  for (const parent of parentsOf(asserted)) {
    const column = columnOf(source, parent, name, member);
    if (column === undefined) continue;
    const table = tableOf(source, column.rows);
    const rows = table === undefined ? [] : elementsOf(source, table);
    const cells = rows.map((row) => cellOf(source, row, column.place, table));
    return cells.length <= mostRows && cells.every((each) => each !== undefined) ? cells : [];
  }
  return [];
}

/** The column of a name that this node binds. */
function columnOf(source: Source, node: SyntaxNode, name: string, member?: string): Column | undefined {
  const role = roleOf(source, node);
  if (role === "for-each") {
    const clause = node.children.find(({ kind }) => kind === "range_clause") ?? node;
    const [left, rows] = [childOf(clause, "left"), childOf(clause, "right")];
    return left && rows && placedIn(source, left, rows, name, member);
  }
  if (role === "function") return ofDecorators(source, node, name, member);
  const list = role === "function-expression" ? node.parent : undefined;
  const call = list?.parent && callOf(source, list.parent);
  const each = call && callOf(source, call.callee);
  const [rows] = each?.arguments ?? [];
  const parameters = partOf(source, node, "parameters");
  if (each?.name !== "each" || rows === undefined || parameters === undefined) return undefined;
  return placedIn(source, parameters, rows, name, member);
}

/** The column of a name in a pattern: `count, expected`, `{ count, expected }`, or a name for the whole row. */
function placedIn(
  source: Source,
  pattern: SyntaxNode,
  rows: SyntaxNode,
  name: string,
  member: string | undefined,
): Column | undefined {
  const code = codeOf(source, pattern).replaceAll(/:[^,{}()[\]]+(?=[,)\]}])/g, "");
  const names = wordsIn(code).filter((each) => each !== "const");
  if (!names.includes(name) || /\.\.\.|\*|=/.test(code)) return undefined;
  const isGo = source.dialect.language === "go";
  if (member !== undefined) {
    const isRow = names.at(-1) === name && names.length <= (isGo ? 2 : 1);
    return isRow ? { rows, place: member } : undefined;
  }
  if (isGo) return undefined;
  if (code.includes("{")) return { rows, place: name };
  return { rows, place: names.length === 1 && !code.includes("[") ? undefined : names.indexOf(name) };
}

function wordsIn(code: string): string[] {
  return [...code.matchAll(/\w+/g)].map(([word]) => word);
}

/** The column of a parameter in `@pytest.mark.parametrize("count, expected", [...])`. */
function ofDecorators(
  source: Source,
  node: SyntaxNode,
  name: string,
  member: string | undefined,
): Column | undefined {
  if (member !== undefined || node.parent?.kind !== "decorated_definition") return undefined;
  for (const decorator of node.parent.children.filter(({ kind }) => kind === "decorator")) {
    const [inner] = namedChildren(decorator);
    const call = inner && callOf(source, inner);
    const [given, rows] = call?.arguments ?? [];
    if (call?.name !== "parametrize" || given === undefined || rows === undefined) continue;
    const names = wordsIn(codeOf(source, given));
    if (names.includes(name))
      return {
        rows,
        place: names.length === 1 && roleOf(source, given) === "string" ? undefined : names.indexOf(name),
      };
  }
  return undefined;
}

/** The list of rows: the node itself, or the only value that the file gives the name. */
function tableOf(source: Source, rows: SyntaxNode): SyntaxNode | undefined {
  const inner = unwrapParentheses(source, rows);
  if (roleOf(source, inner) === "collection") return inner;
  if (roleOf(source, inner) !== "identifier") return undefined;
  const [value, ...others] = namedValues(source).get(codeOf(source, inner)) ?? [];
  // Go's lists of names and values have one element here.
  const only = value?.kind === "expression_list" ? namedChildren(value)[0] : value;
  return only !== undefined && others.length === 0 && roleOf(source, only) === "collection"
    ? only
    : undefined;
}

/** Maps each name to all values that the file assigns to it. */
const namedValues = once((source: Source): ReadonlyMap<string, readonly SyntaxNode[]> => {
  const found = new Map<string, SyntaxNode[]>();
  for (const node of walk(source.tree.root)) {
    const target = childOf(node, "left") ?? childOf(node, "name");
    const value = childOf(node, "right") ?? childOf(node, "value");
    if (target === undefined || value === undefined) continue;
    const name = codeOf(source, target);
    const known = found.get(name);
    if (known === undefined) found.set(name, [value]);
    else known.push(value);
  }
  return found;
});

function elementsOf(source: Source, node: SyntaxNode): SyntaxNode[] {
  const body = node.kind === "composite_literal" ? childOf(node, "body") : node;
  return (body === undefined ? [] : namedChildren(body))
    .filter((each) => roleOf(source, each) !== "comment")
    .map((each) => (each.kind === "literal_element" ? (namedChildren(each)[0] ?? each) : each));
}

function cellOf(
  source: Source,
  row: SyntaxNode,
  place: Column["place"],
  table: SyntaxNode | undefined,
): Cell | undefined {
  if (place === undefined) return { row, value: row };
  const call = callOf(source, row);
  if (call !== undefined && call.name !== "param") return undefined;
  const inner = row.kind === "keyed_element" ? elementsOf(source, row).at(-1) : row;
  const parts = call?.arguments ?? (inner === undefined ? [] : elementsOf(source, inner));
  const value = typeof place === "number" ? parts[place] : valueAt(source, parts, place, table);
  return value === undefined || /splat|spread/.test(value.kind) ? undefined : { row, value };
}

/** The value of a key. In Go, a row without keys has the order of the type's fields. */
function valueAt(
  source: Source,
  parts: readonly SyntaxNode[],
  key: string,
  table: SyntaxNode | undefined,
): SyntaxNode | undefined {
  for (const part of parts) {
    const [first, value, more] = elementsOf(source, part);
    const isPair = part.kind === "keyed_element" || roleOf(source, part) === "pair";
    if (isPair && first && value && more === undefined && codeOf(source, first) === key) return value;
  }
  if (table?.kind !== "composite_literal" || parts.some(({ kind }) => kind === "keyed_element"))
    return undefined;
  const type = childOf(table, "type");
  const fields = type === undefined ? [] : [...walk(type)].filter(({ kind }) => kind === "field_identifier");
  const at = fields.findIndex((field) => codeOf(source, field) === key);
  return fields.length === parts.length ? parts[at] : undefined;
}
