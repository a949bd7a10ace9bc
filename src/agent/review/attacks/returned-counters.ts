/** Recognises a counter that is the function's result, such as a number that cycles from 1 to 3. Pure. */
import { literally } from "../../../base/literal-pattern.ts";
import { namedChildren, parentsOf, type SyntaxNode, walk } from "../../../syntax/node.ts";
import { codeOf, conditionalOf, isVariable, roleOf, type Source } from "../../../syntax/reading.ts";
import { functionAbove, isBlockValue, isStatement } from "../../../syntax/statements.ts";

/**
 * Returns true if the condition decides only the counter's next value, and the function returns this value. `names`:
 * the counters of the file.
 */
export function isTurning(
  source: Source,
  node: SyntaxNode,
  condition: SyntaxNode,
  names: readonly string[],
): boolean {
  const owner = functionAbove(source, node);
  if (owner === undefined) return false;
  return names.some(
    (name) =>
      onlyCompares(source, condition, name) &&
      onlySets(source, node, condition, name) &&
      isResult(source, owner, node, name),
  );
}

/** True if the condition contains only the counter and constants, and thus no input: `next > 3`. */
function onlyCompares(source: Source, condition: SyntaxNode, name: string): boolean {
  return [...walk(condition)].every(
    (node) =>
      !isNamed(source, node) || codeOf(source, node) === name || /^[A-Z_]+$/.test(codeOf(source, node)),
  );
}

const isNamed = (source: Source, node: SyntaxNode): boolean =>
  isVariable(source, node) ||
  roleOf(source, node) === "call" ||
  /variable_name|class_variable/.test(node.kind);

/** True if the condition only sets the counter: `if (next > 3) next = 1`, `next = next > 3 ? 1 : next`. */
function onlySets(source: Source, node: SyntaxNode, condition: SyntaxNode, name: string): boolean {
  const sets = new RegExp(String.raw`^${literally(name)}\s*=(?!=)\s*(.*)$`, "s");
  const isPlain = (text: string): boolean =>
    /^-?\d+$|^[A-Z_]+$/.test(text) || text === name || new RegExp(`^${literally(name)} ?[-+] ?1$`).test(text);
  const conditional = conditionalOf(source, node);
  if (conditional !== undefined) {
    const { consequence, alternative } = conditional;
    const holder = [...parentsOf(node)].find((each) => sets.test(codeOf(source, each)));
    return (
      holder !== undefined &&
      sets.exec(codeOf(source, holder))?.[1]?.replace(/[;\s]*$/, "") === codeOf(source, node) &&
      [consequence, alternative].every((each) => isPlain(codeOf(source, each)))
    );
  }
  if (roleOf(source, node) !== "if") return false;
  const parts = namedChildren(node).filter(
    (each) =>
      !(each.start <= condition.start && condition.end <= each.end) && roleOf(source, each) !== "comment",
  );
  const [only, more] = parts;
  const text =
    only === undefined
      ? ""
      : codeOf(source, only)
          .trim()
          .replace(/^\{|[};\s]*$/g, "")
          .trim();
  const [, value] = sets.exec(text.replace(/^then\s+/, "")) ?? [];
  return more === undefined && value !== undefined && isPlain(value);
}

/** True if the function's only result is the counter, or a variable that holds only the counter's value. */
function isResult(source: Source, owner: SyntaxNode, turn: SyntaxNode, name: string): boolean {
  const text = codeOf(source, owner);
  const own = literally(name);
  const value = String.raw`(?:\+\+|--)?${own}(?:\+\+|--)?`;
  const taken = new RegExp(
    String.raw`(?<![\w$.])(?:(?:const|let|var|final|int|long|u?int\d*)\s+)*(\$?\w+)\s*(?::\s*\w+\s*)?:?=\s*(?:${value}|next\(\s*${own}\s*\))\s*[;\n]`,
    "g",
  );
  const holders = [...text.matchAll(taken)].map(([, holder = ""]) => holder).filter((each) => each !== name);
  const once = holders.filter(
    (each) =>
      (text.match(new RegExp(String.raw`(?<![\w$.])${literally(each)}\s*:?=(?!=)`, "g")) ?? []).length === 1,
  );
  const results = [...walk(owner)].filter(
    (node) => functionAbove(source, node) === owner && isGiven(source, node, owner),
  );
  const holdsOnly = new RegExp(
    String.raw`^(?:(?:const|let|var|final|int|long|u?int\d*)\s+)*(?:${[name, ...holders].map(literally).join("|")})\s*(?::\s*\w+\s*)?:?=\s*(?:${value}|next\(\s*${own}\s*\))\s*;?$`,
  );
  const updates = new RegExp(
    String.raw`^(?:global\s[\w\s,$]+|${own}(?:\+\+|--)|(?:\+\+|--)${own}|${own}\s*[-+]?=(?!=)(?:${own}|\b[A-Z_]+\b|[\d\s()%+-])*);?$`,
  );
  const isOwn = (node: SyntaxNode): boolean =>
    node === turn ||
    (isStatement(source, node) &&
      [holdsOnly, updates].some((each) => each.test(codeOf(source, node).trim()))) ||
    (node.start <= turn.start &&
      turn.end <= node.end &&
      new RegExp(String.raw`^${own}\s*=(?!=)`).test(codeOf(source, node)));
  const isPlainly = (mention: SyntaxNode): boolean => {
    const around = [...parentsOf(mention)];
    const above = [mention, ...around.slice(0, around.indexOf(owner))];
    if (above.some(isOwn)) return true;
    const whole = above.find((each) => results.includes(each));
    return whole !== undefined && isPlainIn(source, mention, whole);
  };
  return (
    results.length > 0 &&
    results.every((node) => listMentions(source, node, [name, ...once]).length > 0) &&
    listMentions(source, owner, [name, ...holders]).every(isPlainly)
  );
}

function isGiven(source: Source, node: SyntaxNode, owner: SyntaxNode): boolean {
  if (roleOf(source, node) === "return") return true;
  const body = namedChildren(owner).find(({ field }) => field === "body");
  if (body === undefined || source.dialect.language !== "ruby")
    return isBlockValue(source, node) && node.parent === body;
  return node.parent === body && isStatement(source, node) && node.end === body.end;
}

const plain =
  /return|object|pair|array|list|tuple|dictionary|composite|literal|element|expression_statement|paren|template|interpolation|string|hash|argument/;

function listMentions(source: Source, within: SyntaxNode, names: readonly string[]): SyntaxNode[] {
  return [...walk(within)].filter((node) => {
    const text = codeOf(source, node);
    return names.includes(text) && !node.children.some((child) => codeOf(source, child) === text);
  });
}

/** True if the result contains the value unchanged: not as an index, an operand or an argument. */
function isPlainIn(source: Source, mention: SyntaxNode, result: SyntaxNode): boolean {
  const around = [...parentsOf(mention)];
  const between = result === mention ? [] : around.slice(0, around.indexOf(result) + 1);
  return between.every((each) => {
    const role = roleOf(source, each);
    if (role === "call") return /^new\b|^[A-Z]\w*\s*[({]/.test(codeOf(source, each));
    return (
      role === "update" ||
      role === "return" ||
      (plain.test(each.kind) && !/subscript|index|binary/.test(each.kind))
    );
  });
}
