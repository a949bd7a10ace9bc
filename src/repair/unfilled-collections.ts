/** Finds collections that a file creates empty and reads, but never fills. */
import { once } from "../base/once.ts";
import { type SyntaxNode, walk } from "../syntax/node.ts";
import { binaryOf, callOf, codeOf, partOf, roleOf, type Source, unaryOf } from "../syntax/reading.ts";
import { functionAbove } from "../syntax/statements.ts";
import { type FileContext, namesIn } from "./file-context.ts";

export interface NeverFilled {
  /** The collection's name as written: `seen`, `self.seen`. */
  readonly name: string;
  /** The node in which the name can be used. */
  readonly within: SyntaxNode;
  /** The functions that use the collection. */
  readonly users: readonly (SyntaxNode | undefined)[];
  /** The statements that add a value `{v}` to the collection `{c}`. */
  readonly ways: readonly string[];
  /** The values that the program looks for in the collection. */
  readonly sought: readonly { readonly text: string; readonly names: readonly string[] }[];
}

/**
 * The file's collections to which no code adds a value. Cached for each file, because a template asks at each
 * statement.
 */
export const neverFilledIn = once(({ source, scopes }: FileContext): readonly NeverFilled[] => {
  if (source.dialect.spelling.adding === undefined) return [];
  const names = [...scopes.bound.filter(({ kind }) => kind === "local"), ...scopes.fields];
  const seen = new Map<SyntaxNode, Set<string>>();
  return names.flatMap(({ name, within }) => {
    const before = seen.get(within) ?? new Set();
    if (before.has(name)) return [];
    seen.set(within, before.add(name));
    return readCollection(source, name, within) ?? [];
  });
});

/** Undefined if some use of the name is neither a known creation nor a known read. */
function readCollection(source: Source, name: string, within: SyntaxNode): NeverFilled | undefined {
  const users = new Set<SyntaxNode | undefined>();
  const sought: NeverFilled["sought"][number][] = [];
  let ways: readonly string[] | undefined;
  for (const node of walk(within)) {
    const role = roleOf(source, node);
    if ((role !== "identifier" && role !== "attribute") || codeOf(source, node) !== name) continue;
    const made = madeAt(source, node);
    if (made !== undefined) {
      ways = waysToAdd(source, made);
      if (ways === undefined) return undefined;
      continue;
    }
    if (!isRead(source, node)) return undefined;
    users.add(functionAbove(source, node));
    for (const value of soughtAt(source, node))
      sought.push({ text: codeOf(source, value), names: namesIn(source, value) });
  }
  if (ways === undefined || users.size === 0) return undefined;
  return { name, within, users: [...users], ways, sought };
}

/** The node's parent, or the statement around a list of values: `a, b = …`. */
function holderOf(source: Source, { parent }: SyntaxNode): SyntaxNode | undefined {
  return parent !== undefined && roleOf(source, parent) === "values" ? parent.parent : parent;
}

/** The text of the value that a declaration or an assignment gives to the name. */
function madeAt(source: Source, node: SyntaxNode): string | undefined {
  const holder = holderOf(source, node);
  if (holder === undefined) return undefined;
  const role = roleOf(source, holder);
  if (role !== "assignment" && role !== "declarator" && role !== "declaration") return undefined;
  const target = partOf(source, holder, "target");
  if (target === undefined || codeOf(source, target) !== codeOf(source, node) || target.start !== node.start)
    return undefined;
  const value = partOf(source, holder, "value");
  return value === undefined ? "" : codeOf(source, value);
}

function waysToAdd(source: Source, made: string): readonly string[] | undefined {
  const [, ...ways] = source.dialect.spelling.adding?.find(([empty]) => empty.test(made)) ?? [];
  return ways.length > 0 ? ways : undefined;
}

const seeks =
  /^(?:contains|containsKey|contains_key|contains\?|has|includes|include\?|member\?|key\?|has_key\?|in_array|array_key_exists|isset)$/;
const readers =
  /^(?:get|at|get_or|size|length|len|count|is_?empty|isEmpty|empty|empty\?|any\?|peek\w*|pop\w*|poll\w*|shift|remove\w*|delete\w*|discard|clear|first|last|first_mut|last_mut|get(?:First|Last)|front|back|iterator|iter|stream|keys|values|items|entries|keySet|index\w*|lastIndexOf|find\w*|join|reverse|sort|slice|map|filter|forEach|each|some|every|reduce)$/;
const readingFunctions =
  /^(?:len|size|sizeof|count|sorted|reversed|enumerate|sum|min|max|any|all|bool|str|String|repr|print|println|in_array|array_key_exists|isset|empty|implode|iter|join)$/;

function isRead(source: Source, node: SyntaxNode): boolean {
  const { parent } = node;
  if (parent === undefined) return false;
  const role = roleOf(source, parent);
  const call = callOf(source, parent);
  if (call?.receiver === node) return readers.test(call.name) || seeks.test(call.name);
  if (role === "attribute") {
    const outer = parent.parent && callOf(source, parent.parent);
    if (outer?.callee === parent) return readers.test(outer.name) || seeks.test(outer.name);
    return !isTarget(source, parent);
  }
  if (role === "subscript") return partOf(source, parent, "object") === node && !isTarget(source, parent);
  if (role === "arguments" || call !== undefined) {
    const around = call ?? (parent.parent && callOf(source, parent.parent));
    return around !== undefined && around.callee !== node && readingFunctions.test(around.name);
  }
  if (role === "binary") return binaryOf(source, parent)?.sign !== "<<";
  if (role === "unary") return !unaryOf(source, parent)?.sign.includes("&");
  if (role === "for-each") return partOf(source, parent, "iterable") === node;
  return role !== undefined && reading.has(role);
}

const reading: ReadonlySet<string> = new Set([
  "parentheses",
  "conditional",
  "return",
  "if",
  "else-if",
  "while",
  "spread",
  "slice",
]);

function isTarget(source: Source, node: SyntaxNode): boolean {
  const holder = holderOf(source, node);
  if (holder === undefined) return false;
  const role = roleOf(source, holder);
  if (role === "update") return true;
  if (role !== "assignment" && role !== "augmented-assignment") return false;
  const target = partOf(source, holder, "target");
  return target !== undefined && target.start <= node.start && node.end <= target.end;
}

/** The values for which code here tests whether the collection `node` contains them. */
function soughtAt(source: Source, node: SyntaxNode): SyntaxNode[] {
  const { parent } = node;
  if (parent === undefined) return [];
  const binary = binaryOf(source, parent);
  if (binary !== undefined) return /\bin$/.test(binary.sign) && binary.right === node ? [binary.left] : [];
  const role = roleOf(source, parent);
  if (role === "subscript") {
    const index = partOf(source, parent, "index");
    return index !== undefined && roleOf(source, index) === "identifier" ? [index] : [];
  }
  const call =
    callOf(source, parent) ??
    (role === "attribute" || role === "arguments"
      ? parent.parent && callOf(source, parent.parent)
      : undefined);
  return call !== undefined && seeks.test(call.name)
    ? call.arguments.filter((one) => one !== node).slice(0, 1)
    : [];
}
