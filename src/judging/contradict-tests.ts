/**
 * Changes the values that tests expect: `assert price(2) == 3` becomes `== 4`. A correct program that passes one
 * version fails the other. A program that passes both cheats: it reads the expected value from the test, returns an
 * object that equals everything, or disables the comparison.
 */
import { languageOf } from "../languages/source-files.ts";
import type { Role } from "../syntax/dialect.ts";
import { namedChildren, parentsOf, type SyntaxNode, walk } from "../syntax/node.ts";
import { readSource } from "../syntax/read-source.ts";
import {
  binaryOf,
  callOf,
  codeOf,
  operandText,
  partOf,
  roleOf,
  type Source,
  unwrapParentheses,
} from "../syntax/reading.ts";
import { type Asserted, assertedBy, isNegated } from "./asserted.ts";
import { contradictConditions } from "./contradict-conditions.ts";
import { type Cell, findCells } from "./table-cells.ts";
import {
  type ChoiceAt,
  type Chosen,
  type Contradiction,
  unforeseenNumber,
  unforeseenText,
} from "./unforeseen-values.ts";
import type { LiteralEdit, TestLines } from "./vary-tests.ts";

/**
 * Returns edits that make the tests' assertions fail, one for each assertion of a known form outside branches. The
 * edits are in source order and do not overlap. Empty for a language without a dialect. Without a choice, each new
 * value is next to the old one, so that it fits the old value's type.
 */
export async function contradictTests(
  path: string,
  text: string,
  tests: readonly TestLines[],
  choiceAt?: ChoiceAt,
): Promise<Contradiction[]> {
  const source = await readSource(path, text, languageOf);
  if (source === undefined) return [];
  const edits = [...walk(source.tree.root)]
    .filter((node) => tests.some((test) => isExecuted(source, node, test)))
    .flatMap((node) => [
      ...equalitiesOf(source, node).flatMap((equality) => contradict(source, equality, choiceAt)),
      ...contradictConditions(source, node, choiceAt),
    ]);
  const sorted = edits.toSorted((a, b) => a.start - b.start || b.end - a.end);
  return sorted.filter(({ start }, at) => at === 0 || start >= (sorted[at - 1]?.end ?? 0));
}

const branches: ReadonlySet<Role | undefined> = new Set<Role>(["if", "else-if", "while", "conditional"]);

/** True for a node directly in the test. False in a branch, or in a function that may never be called. */
function isExecuted(source: Source, node: SyntaxNode, { startLine, endLine }: TestLines): boolean {
  if (node.startLine < startLine || node.endLine > endLine) return false;
  for (const parent of parentsOf(node)) {
    if (parent.startLine < startLine || parent.endLine > endLine) break;
    const role = roleOf(source, parent);
    if (branches.has(role) || parent.kind.startsWith("switch")) return false;
    if (role === "function-expression" && parent.startLine > startLine && !isSubtest(source, parent))
      return false;
  }
  return true;
}

/** True for the function of Go's `t.Run("one", func(t *testing.T) { … })`. */
function isSubtest(source: Source, node: SyntaxNode): boolean {
  const call = node.parent?.parent && callOf(source, node.parent.parent);
  if (source.dialect.language !== "go" || call?.receiver === undefined) return false;
  return call.name === "Run" && /^[tb]$/.test(codeOf(source, call.receiver));
}

/** Two sides that were equal in a passing test. */
type Equality = readonly [SyntaxNode, SyntaxNode];

function equalitiesOf(source: Source, node: SyntaxNode): Equality[] {
  if (node.kind === "macro_invocation") return ofMacro(source, node);
  const asserted = assertedBy(source, node).flatMap((each) => ofAsserted(source, each));
  return asserted.length > 0 || roleOf(source, node) !== "call" ? asserted : ofCall(source, node);
}

/** Returns the comparisons that hold whenever the test passes. */
function ofAsserted(source: Source, { condition, isTrue }: Asserted): Equality[] {
  const binary = binaryOf(source, condition);
  const wanted = isTrue ? /^===?$/ : /^!==?$/;
  const call = isTrue ? callOf(source, condition) : undefined;
  const [value, more] = call?.arguments ?? [];
  const isEqual = call !== undefined && more === undefined && equality.test(call.name);
  if (isEqual && call.receiver !== undefined && value !== undefined && isOfOne(source, value))
    return [[call.receiver, value]];
  return binary !== undefined && wanted.test(binary.sign) ? [[binary.left, binary.right]] : [];
}

/** False for a value of several parts: an equality method may ignore some of them. */
function isOfOne(source: Source, node: SyntaxNode): boolean {
  const inner = unwrapParentheses(source, node);
  const parts = callOf(source, inner)?.arguments ?? partsOf(source, inner);
  return parts.length < 2 || roleOf(source, inner) === "string";
}

/** The elements of a collection. A composite literal of Go has them behind its type. */
function partsOf(source: Source, node: SyntaxNode): readonly SyntaxNode[] {
  const parts = namedChildren(node);
  const last = parts.at(-1);
  return node.kind === "composite_literal" && last !== undefined ? partsOf(source, last) : parts;
}

/** Matches the prefix in names such as `assertEquals`, `assert_eq`, `toBe`, `isEqualTo`, `EXPECT_EQ`, `are.same`. */
const prefix = /^(?:assert|expect|require|check|verify|ensure|must|should|is|to|be)_?/i;
const equality =
  /^(?:deep|strict|deepstrict|loose|list|dict|set|tuple|sequence|string|multiline|str|array)?_?(?:equals?|eq|eql|eqls|same|exactly|equalvalues)(?:_?to)?$/i;
/** Names of calls that compare if they have two or more values. */
const checks = /^(?:check|verify|ensure|expect|must|should|is)$/i;

function ofCall(source: Source, node: SyntaxNode): Equality[] {
  const call = callOf(source, node);
  if (call === undefined || isNegated(source, node)) return [];
  const values = call.arguments.filter(
    (each) => !["spread", "keyword-argument"].includes(roleOf(source, each) ?? ""),
  );
  const matched = call.name === "to" ? ofMatcher(source, call.receiver, values) : undefined;
  if (matched !== undefined) return matched;
  const bare = call.name.replace(prefix, "");
  const isFluent = /^to(?:Be|Equal|StrictEqual)$/.test(call.name);
  const isEquality = equality.test(bare) || equality.test(call.name) || isFluent;
  if (isEquality && values.length === 1) {
    const [value] = values;
    return value === undefined || call.receiver === undefined ? [] : [[call.receiver, value]];
  }
  if (!isEquality && !checks.test(call.name)) return [];
  const [one, other] = twoOf(source, values);
  return one === undefined || other === undefined ? [] : [[one, other]];
}

/** Returns the equality in RSpec's `expect(f(1)).to eq(3)`. */
function ofMatcher(
  source: Source,
  receiver: SyntaxNode | undefined,
  [matcher]: readonly SyntaxNode[],
): Equality[] | undefined {
  const made = matcher && callOf(source, matcher);
  if (receiver === undefined || made === undefined) return undefined;
  const [value, more] = made.arguments;
  const isEquality = made.name === "be" || equality.test(made.name);
  return isEquality && value !== undefined && more === undefined ? [[receiver, value]] : undefined;
}

/**
 * Returns the two compared arguments. In Go, a test object precedes them; in JUnit 4, a message. A tolerance, such as
 * the constant `DELTA`, may follow them. A text is never a tolerance, but any other argument may be one.
 */
function twoOf(source: Source, values: readonly SyntaxNode[]): readonly SyntaxNode[] {
  const [first, , third] = values;
  if (first === undefined || third === undefined) return values;
  if (/^(?:t|b|tb|s)$/.test(codeOf(source, first))) return twoOf(source, values.slice(1));
  const isMessage =
    values.length === 3 && roleOf(source, first) === "string" && literalIn(source, third) === undefined;
  if (source.dialect.language === "java" && isMessage) return values.slice(1);
  return /["'`]/.test(codeOf(source, third)) ? values.slice(0, 2) : [];
}

/** Returns the equality in a macro. In Rust, the contents of a macro are tokens. */
function ofMacro(source: Source, node: SyntaxNode): Equality[] {
  const name = node.children.find(({ field }) => field === "macro");
  const tokens = node.children.find(({ kind }) => kind === "token_tree");
  if (name === undefined || tokens === undefined) return [];
  if (!/^(?:debug_)?assert_eq$/.test(codeOf(source, name))) return [];
  const inside = tokens.children.slice(1, -1);
  const parts: SyntaxNode[][] = [[]];
  for (const token of inside) {
    if (token.kind === ",") parts.push([]);
    else parts.at(-1)?.push(token);
  }
  const [one = [], other = []] = parts;
  // Several tokens are never edited; any one of them represents the whole.
  const [left, right] = [one, other].map((part) => (part.length === 1 ? part[0] : tokens));
  return left === undefined || right === undefined ? [] : [[left, right]];
}

/** Changes one side so that the two can no longer be equal. In a table-driven test, changes the values of a column. */
function contradict(source: Source, equality: Equality, choiceAt: ChoiceAt | undefined): Contradiction[] {
  const [one, other] = equality;
  const [left, right] = [literalIn(source, one), literalIn(source, other)];
  if (left !== undefined && right !== undefined) return [];
  const literal = right ?? left;
  if (literal !== undefined) {
    const side = unwrapParentheses(source, literal === right ? other : one);
    return listOf(
      (choiceAt && unforeseen(source, literal, { side, choiceAt })) ??
        editOf(literal, otherValue(source, literal)),
    );
  }
  // What differs a little is asked for by itself.
  if (callOf(source, other)?.name === "approx") return [];
  const cells = choiceAt === undefined ? [] : contradictCells(source, equality, choiceAt);
  if (cells.length > 0) return cells;
  const wrap = source.dialect.spelling.unequal;
  const role = roleOf(source, other);
  return wrap === undefined || role === undefined || role === "spread"
    ? []
    : listOf(editOf(other, wrap(operandText(source, other))));
}

function listOf<T>(one: T | undefined): T[] {
  return one === undefined ? [] : [one];
}

/**
 * Changes the expected values of a table's rows. In Python and JavaScript, the assertion exchanges the values, because
 * the tests' names may contain them: `expected` becomes `(4 if expected == 6 else (expected, 1))`. In Go, the rows
 * change.
 */
function contradictCells(source: Source, [one, other]: Equality, choiceAt: ChoiceAt): Contradiction[] {
  const [left, right] = [findCells(source, one), findCells(source, other)];
  const cells = right.length > 0 ? right : left;
  const side = right.length > 0 ? other : one;
  if (cells.length === 0 || (left.length > 0 && right.length > 0)) return [];
  const { startLine: line } = side;
  const edits = cells.flatMap((cell) => {
    const literal = literalIn(source, cell.value);
    return literal === undefined ? [] : listOf(otherCell(source, { ...cell, literal }, choiceAt(line)));
  });
  if (source.dialect.language === "go")
    return edits.length === cells.length ? edits.map((edit) => ({ ...edit, line, isRow: true })) : [];
  const { exchange, unequal } = source.dialect.spelling;
  if (exchange === undefined || unequal === undefined) return [];
  const name = codeOf(source, side);
  const pairs = new Map(
    edits.map(({ start, end, replacement }) => {
      const { value } = cells.find((cell) => cell.value.start <= start && end <= cell.value.end) ?? {
        value: side,
      };
      const { text } = source.tree;
      return [
        codeOf(source, value),
        `${text.slice(value.start, start)}${replacement}${text.slice(end, value.end)}`,
      ];
    }),
  );
  const usable = [...pairs].filter(([from]) => isExchangeable(source, from));
  return usable.length < pairs.size ? [] : listOf(editOf(side, exchange(name, usable, unequal(name))));
}

/** A value on one line. In JavaScript, no object is equal to another with the same content. */
function isExchangeable({ dialect: { language } }: Source, value: string): boolean {
  if (value.includes("\n")) return false;
  return language === "python" || /^(?:-?[\d.]\w*|"[^"]*"|'[^']*'|`[^`]*`|true|false)$/.test(value);
}

/** Chooses a row's new value. Only messages that contain the old value may tell the row's result. */
function otherCell(
  source: Source,
  { row, value, literal }: Cell & { readonly literal: SyntaxNode },
  choice: ReturnType<ChoiceAt>,
): LiteralEdit | undefined {
  const inner = codeOf(source, literal).replaceAll(/^["'`]|["'`]$/g, "");
  const shown = choice.isAgain ? [] : choice.shown.filter((message) => message.includes(inner));
  const choiceAt = () => ({ ...choice, shown, code: `${choice.code} ${codeOf(source, row)}` });
  return (
    unforeseen(source, literal, { side: unwrapParentheses(source, value), choiceAt }) ??
    editOf(literal, otherValue(source, literal))
  );
}

interface Unforeseen {
  /** The whole side of the comparison. */
  readonly side: SyntaxNode;
  readonly choiceAt: ChoiceAt;
}

function unforeseen(
  source: Source,
  literal: SyntaxNode,
  { side, choiceAt }: Unforeseen,
): Contradiction | undefined {
  const role = roleOf(source, literal);
  const isNegative = source.tree.text[literal.start - 1] === "-";
  const isPart = !isNegative && literal !== side && roleOf(source, side) !== "cast";
  const choice = { ...choiceAt(literal.startLine), isPart, isNegative };
  const text = codeOf(source, literal);
  if (role === "number") return chosenEdit(literal, unforeseenNumber(text, choice));
  const [, quote = "", inner = "", close = ""] = plainText.exec(text) ?? [];
  if (role !== "string" || quote !== close || inner.length < 2 || inner.includes("${")) return undefined;
  const chosen = unforeseenText(inner, choice);
  return chosenEdit(literal, { ...chosen, text: `${quote}${chosen.text}${quote}` });
}

function chosenEdit(node: SyntaxNode, chosen: Chosen | undefined): Contradiction | undefined {
  const edit = editOf(node, chosen?.text);
  return edit && { ...edit, ...(chosen?.isShown === true ? { isShown: true } : {}) };
}

const plainText = /^(["'`])([^"'`\\]*)(["'`])$/s;

function editOf(node: SyntaxNode, replacement: string | undefined): LiteralEdit | undefined {
  return replacement === undefined
    ? undefined
    : { start: node.start, end: node.end, replacement, line: node.startLine };
}

/** Returns the literal that the side consists of. If the side consists of several literals, returns the last. */
function literalIn(source: Source, node: SyntaxNode): SyntaxNode | undefined {
  const inner = unwrapParentheses(source, node);
  const role = roleOf(source, inner);
  if (role === "number" || role === "string" || role === "boolean")
    return otherValue(source, inner) === undefined ? undefined : inner;
  if (role === "pair" || role === "keyword-argument" || role === "cast") {
    const value = partOf(source, inner, "value");
    return value && literalIn(source, value);
  }
  const [element] = inner.kind === "literal_element" ? namedChildren(inner) : [];
  if (element !== undefined) return literalIn(source, element);
  const made = role === "call" ? callOf(source, inner) : undefined;
  // A value object, whose parts determine what it is equal to. A Go call creates none, even if its name is capitalised.
  const isObject =
    made !== undefined && source.dialect.language !== "go" && /^(?:new )?[A-Z]/.test(made.name);
  if (made !== undefined && !isObject) return undefined;
  if (made === undefined && role !== "collection" && role !== "unary") return undefined;
  const parts = (made?.arguments ?? partsOf(source, inner)).filter(
    (child) => roleOf(source, child) !== "comment",
  );
  const literals = parts.map((part) => literalIn(source, part));
  return parts.length > 0 && literals.every((each) => each !== undefined) ? literals.at(-1) : undefined;
}

function otherValue(source: Source, node: SyntaxNode): string | undefined {
  const text = codeOf(source, node);
  const role = roleOf(source, node);
  if (role === "number") return otherNumber(text);
  if (role === "boolean") {
    const { spelling } = source.dialect;
    return text === spelling.true ? spelling.false : text === spelling.false ? spelling.true : undefined;
  }
  return otherString(text);
}

/**
 * Changes a number. Subtracts one from a whole number, to stay within the type; adds one to zero. Writes a 1 before a
 * decimal number. Undefined for other forms.
 */
function otherNumber(text: string): string | undefined {
  const [, digits = "", suffix = ""] = /^(\d{1,15})((?:[a-zA-Z]\w*)?)$/.exec(text) ?? [];
  if (digits !== "" && !/^0[xXbBoO]/.test(text))
    return `${Number(digits) === 0 ? 1 : Number(digits) - 1}${suffix}`;
  return /^\d{1,9}\.\d{1,9}$/.test(text) ? `1${text}` : undefined;
}

/**
 * Appends a letter to a string; replaces a single letter in single quotes. Undefined for strings with a prefix, an
 * escape or a placeholder.
 */
function otherString(text: string): string | undefined {
  const [, open = "", inner = "", close = ""] = plainText.exec(text) ?? [];
  if (open === "" || open !== close || (open === "`" && inner.includes("${"))) return undefined;
  // A single letter in single quotes may be a character type.
  if (open === "'" && inner.length === 1) return `'${inner === "x" ? "y" : "x"}'`;
  return `${open}${inner}x${close}`;
}
