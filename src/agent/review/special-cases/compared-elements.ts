/**
 * Finds where code compares with each element of a literal list: `any(heavy == weight for heavy in (7,))`,
 * `[7].some((heavy) => heavy === weight)`, a loop over the list. Pure.
 */
import { once } from "../../../base/once.ts";
import { namedChildren, type SyntaxNode, walk } from "../../../syntax/node.ts";
import { callOf, codeOf, roleOf, type Source, unwrapParentheses } from "../../../syntax/reading.ts";
import { fold } from "../texts/fold.ts";

const equalitySigns = /^(?:==|===|!=|!==|is|is not|in|not in)$/;
const equalityCalls =
  /^(?:equals?|equalsIgnoreCase|eql?|ne|(?:in_)?array(?:_search|_key_exists)?|key_exists|member|any|anyMatch|isEqual|deepEqual|EqualFold|is|includes?|contains(?:_?Key)?|has|indexOf|index|count|matches|compare(?:To)?|cmp|strcmp|strcasecmp|localeCompare)$/i;

/** Returns true for an equality comparison, also in a chain such as `1 < a == b`. */
export function isEquality(source: Source, node: SyntaxNode): boolean {
  return node.children.some(
    (child) => !child.named && equalitySigns.test(codeOf(source, child).replaceAll(/\s+/g, " ")),
  );
}

/** Returns true for the name of a call that compares its values, in any language's spelling. */
export function isEqualityCall(name: string): boolean {
  return equalityCalls.test(name);
}

/** Returns true for a call that finds a substring, such as Go's `strings.Contains`. */
export function isTextSearch(source: Source, call: SyntaxNode): boolean {
  return /^(?:strings|bytes)\.(?:Contains|Index|LastIndex|Count)\w*\(/.test(codeOf(source, call));
}

/** Returns a call's own name, without its module, types and Ruby's question mark. */
export function ownName(name: string): string {
  return name.replace(/::<.*>$/s, "").replace(/^.*[.:]|\?$/g, "");
}

/**
 * Returns the call of which the node is the callee, receiver or argument list. If the node is a call, returns the node.
 * Otherwise undefined.
 */
export function callAround(source: Source, node: SyntaxNode): SyntaxNode | undefined {
  if (roleOf(source, node) === "call") return node;
  const { parent } = node;
  return parent && roleOf(source, parent) === "call" ? parent : undefined;
}

/** Calls that make a list or a set of their values, or that pass over a list. */
const building =
  /^(?:asList|(?:new )?(?:set|Set|HashSet|TreeSet|LinkedHashSet|BTreeSet)(?:<.*>)?|frozenset|list|tuple|sorted|iter|into_iter|stream|copied|cloned|boxed|to_set|to_a|each)$/;

/** Classes whose `of` makes a list. */
const holders =
  /^(?:\w+\.)*(?:List|Set|EnumSet|Arrays|(?:Int|Long|Double)?Stream)\s*\.\s*(?:<[^()]*>\s*)?of\s*\(/;

/** Returns true for a collection made by a call, such as `Set.of(7)`, `set((7,))` or `[7].iter()`. */
export function isBuilding(source: Source, node: SyntaxNode): boolean {
  const call = callOf(source, node);
  if (call === undefined) return false;
  if (building.test(ownName(call.name))) return true;
  return ownName(call.name) === "of" && holders.test(codeOf(source, node));
}

/**
 * Returns the comparison of an element with another value; undefined without such a comparison. Reads each list once.
 */
export const comparedElement = (source: Source, list: SyntaxNode): SyntaxNode | undefined =>
  comparedIn(list, source);

const comparedIn = once((list: SyntaxNode, source: Source): SyntaxNode | undefined => {
  const isList =
    roleOf(source, list) === "collection" || list.kind === "macro_invocation" || isBuilding(source, list);
  const passing = isList ? passingOf(source, list) : undefined;
  if (passing === undefined) return undefined;
  const { scope, names } = passing;
  return names.size === 0 ? undefined : equalityOf(source, scope, names, list);
});

interface Passing {
  /** The loop, the comprehension or the function that gets each element. */
  readonly scope: SyntaxNode;
  readonly names: ReadonlySet<string>;
}

const headers = /^(?:for_in_clause|range_clause|in)$/;

function passingOf(source: Source, list: SyntaxNode): Passing | undefined {
  const { parent } = list;
  if (parent === undefined) return undefined;
  const header = headers.test(parent.kind) ? parent : undefined;
  const loop = header?.parent ?? (roleOf(source, parent) === "for-each" ? parent : undefined);
  if (loop !== undefined) {
    const bound = [...namedChildren(loop), ...(header ? namedChildren(header) : [])].filter(
      (child) =>
        child !== list &&
        child !== header &&
        !/^(?:body|condition)$/.test(child.field ?? "") &&
        isBound(child),
    );
    return { scope: loop, names: namesIn(source, bound) };
  }
  const call = callAround(source, parent) ?? (parent.parent && callAround(source, parent.parent));
  const isOwn = call !== undefined && call.start <= list.start && list.end <= call.end;
  const handler = isOwn ? handlerOf(source, call) : undefined;
  if (handler === undefined) return undefined;
  const parameters = namedChildren(handler).filter(
    (child) => roleOf(source, child) === "parameters" || child.field === "parameters",
  );
  return { scope: handler, names: namesIn(source, parameters) };
}

function isBound({ kind }: SyntaxNode): boolean {
  return !/block|statement|^do$|comparison|binary/.test(kind);
}

function handlerOf(source: Source, call: SyntaxNode): SyntaxNode | undefined {
  const given = [...namedChildren(call), ...(callOf(source, call)?.arguments ?? [])];
  return given.find((each) => roleOf(source, each) === "function-expression");
}

function namesIn(source: Source, nodes: readonly SyntaxNode[]): ReadonlySet<string> {
  const inner = nodes.flatMap((node) => [...walk(node)]);
  return new Set(
    inner.filter((node) => roleOf(source, node) === "identifier").map((node) => codeOf(source, node)),
  );
}

function equalityOf(
  source: Source,
  scope: SyntaxNode,
  names: ReadonlySet<string>,
  list: SyntaxNode,
): SyntaxNode | undefined {
  const isName = (node: SyntaxNode): boolean =>
    names.has(codeOf(source, unwrapParentheses(source, node)).replace(/^[&*]+/, ""));
  const isWith = (operands: readonly SyntaxNode[]): boolean =>
    operands.some(isName) && operands.some((each) => !isName(each) && fold(source, each) === undefined);
  return [...walk(scope, (node) => node !== list)].find((node) => {
    if (!node.named || node === list) return false;
    if (roleOf(source, node) === "binary") return isEquality(source, node) && isWith(namedChildren(node));
    const call = callOf(source, node);
    if (call === undefined || !isEqualityCall(ownName(call.name))) return false;
    return isWith([...call.arguments, ...(call.receiver ? [call.receiver] : [])]);
  });
}
