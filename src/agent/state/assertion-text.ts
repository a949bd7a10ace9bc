/**
 * Separates the actions in a test's text from its author's words. A failure prints an assertion's message, but the
 * author's message proves nothing. Works on text, for assertions in Python, JavaScript, Java, Go, Rust and Ruby. Pure.
 */
import { writtenThrough } from "./written-through.ts";

interface Literal {
  readonly start: number;
  readonly end: number;
  /** The text between the quotes. */
  readonly text: string;
}

interface Scanned {
  /** The text with comments and contents of literals blanked; same length. */
  readonly bare: string;
  readonly literals: readonly Literal[];
}

/**
 * Matches literals and comments. The last alternatives are Ruby's list of words `%w(--age hello)` and text `%q(hello)`.
 */
const literalOrComment =
  /("""|''')([\s\S]*?)\1|r#"([\s\S]*?)"#|"((?:[^"\\\n]|\\.)*)"|'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\[\s\S])*)`|\/\/[^\n]*|\/\*[\s\S]*?\*\/|(?<!\S)#(?![[!])[^\n]*|(?<![\w)\]])%[wWiIqQ](?:\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}|<[^<>]*>|\|[^|]*\|)/g;

function scan(text: string): Scanned {
  const literals: Literal[] = [];
  const bare = text.replaceAll(
    literalOrComment,
    (whole, _long, triple, raw, double, single, back, start: number) => {
      const inside: string | undefined = triple ?? raw ?? double ?? single ?? back;
      if (inside === undefined && whole.startsWith("%")) literals.push(...readPercent(whole, start));
      else if (inside === undefined) return blank(whole);
      else literals.push({ start, end: start + whole.length, text: inside });
      return `"${blank(whole.slice(2))}"`;
    },
  );
  return { bare, literals };
}

/** Returns the words of `%w(a b)`, each with its place. For `%q(a b)`, returns the whole text. */
function readPercent(whole: string, start: number): Literal[] {
  const inside = whole.slice(3, -1);
  const words = /^%[qQ]/.test(whole) ? [...inside.matchAll(/[\s\S]+/g)] : [...inside.matchAll(/\S+/g)];
  return words.map(({ 0: text, index }) => {
    const from = start + 3 + index;
    return { start: from, end: from + text.length, text };
  });
}

function blank(text: string): string {
  return text.replaceAll(/[^\n]/g, " ");
}

interface Call {
  /** `assert.equal`, `assert_eq!`, `t.Errorf`; `throw new Error`. */
  readonly callee: string;
  readonly args: readonly { readonly start: number; readonly end: number }[];
}

/** Matches a name with its qualifiers. Omits a call between them, but keeps its dot: `.expect` for `foo().expect`. */
const calleeBefore =
  /(?:\b(?:throw|raise)\s+(?:new\s+)?)?(?:\.\s*)?[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*!?\s*$/;

/** Maximum characters to search before and after a bracket. Without these limits, a long file would take minutes. */
const longestCallee = 300;
const longestCall = 3_000;

function listCalls(bare: string): Call[] {
  const calls: Call[] = [];
  const keyword = /^\s*assert\s+(?!\()|^\s*assert\s*(?=\()/.exec(bare);
  // Python's statement: `assert (x), "text"` has its message after the bracket.
  if (keyword !== null && !bare.slice(keyword[0].length).trimEnd().endsWith(";"))
    calls.push({ callee: "assert", args: splitArguments(bare, keyword[0].length) });
  for (const { 0: head, 1: callee = "", index } of bare.matchAll(command)) {
    const from = index + head.length;
    const length = /(?<![,\\]\s*)(?:\n|$)/.exec(bare.slice(from, from + longestCall))?.index ?? 0;
    calls.push({ callee, args: splitArguments(bare.slice(0, from + length), from) });
  }
  for (let at = bare.indexOf("("); at >= 0; at = bare.indexOf("(", at + 1)) {
    const callee = calleeBefore
      .exec(bare.slice(Math.max(0, at - longestCallee), at))?.[0]
      .replaceAll(/\s+/g, " ")
      .trim();
    if (callee !== undefined) calls.push({ callee, args: splitArguments(bare, at + 1) });
  }
  return calls;
}

/** Ruby's assertions without brackets: `assert_equal 3, total, "text"`. */
const command = /^[ \t]*((?:assert|refute)_\w+|refute|flunk|raise )[ \t]*(?=[^\s=().])/gm;

/** Splits the arguments up to the closing bracket, the text's end or the limit. */
function splitArguments(bare: string, from: number): Call["args"] {
  const args: { start: number; end: number }[] = [];
  let depth = 0;
  let start = from;
  let at = from;
  const last = Math.min(bare.length, from + longestCall);
  for (; at < last; at += 1) {
    const letter = bare[at] ?? "";
    if ("([{".includes(letter)) depth += 1;
    else if (")]}".includes(letter)) {
      if (depth === 0) break;
      depth -= 1;
    } else if (letter === "," && depth === 0) {
      args.push({ start, end: at });
      start = at + 1;
    }
  }
  if (bare.slice(start, at).trim() !== "") args.push({ start, end: at });
  return args;
}

/** Calls whose arguments are all the author's words. */
const says =
  /(?:^|[.:])(?:fail|xfail|flunk|Errorf?|Fatalf?|Logf?|panic!|unreachable!|todo!|as|describedAs|withFailMessage)$|^(?:throw|raise) |\.expect$/;
/** Assertions on one value, with an optional message after it. */
const asksOne =
  /(?:^|[.:])(?:assert!?|debug_assert!|refute|(?:assert|refute)_(?:nil|not_nil|empty|not_empty)|ok|notOk|expect|assert(?:True|False|Null|NotNull|IsNone|IsNotNone)|is(?:True|False|Ok|NotOk|Null|NotNull|Undefined|Empty)|exists|True|False|Nil|NotNil|NoError|Empty|NotEmpty)$/;
/** Assertions on two values. */
const asksTwo =
  /^(?:assert|require|chai\.assert|Assert|Assertions|self|t|this)\.(?!Run$)\w+$|(?:^|[.:])(?:(?:assert|refute)\w+!?|debug_assert\w+!)$/;
const named = /^\s*(?:msg|message|reason|err_msg)\s*=(?!=)/;

/** The literals that a failure prints because the author wrote them as messages. */
function findMessages({ bare, literals }: Scanned): Literal[] {
  const isLiteral = (arg: Call["args"][number] | undefined): boolean =>
    arg !== undefined && /^\s*[rfbuRFBU]{0,2}"\s*"\s*$/.test(bare.slice(arg.start, arg.end));
  const found = listCalls(bare).flatMap(({ callee, args }) => {
    const words = args.filter(({ start, end }) => named.test(bare.slice(start, end)));
    const isTestify = /^(?:assert|require)\./.test(callee) && /^\s*t\s*$/.test(argText(bare, args[0]));
    const own = (isTestify ? args.slice(1) : args).filter((arg) => !words.includes(arg));
    if (says.test(callee) && !isTestify) return [...words, ...own];
    const subjects = asksOne.test(callee) ? 1 : asksTwo.test(callee) ? 2 : undefined;
    if (subjects === undefined) return [];
    // In JUnit 4 the message comes first.
    const isFirst = own.length === subjects + 1 && isLiteral(own[0]) && !isLiteral(own.at(-1));
    return [...words, ...(isFirst ? own.slice(0, 1) : own.slice(subjects))];
  });
  return literals.filter(({ start, end }) => found.some((arg) => arg.start <= start && end <= arg.end));
}

function argText(bare: string, arg: Call["args"][number] | undefined): string {
  return arg === undefined ? "" : bare.slice(arg.start, arg.end);
}

const interpolated = /\$?\{[^}]*\}|%[-+#0 ]*\d*(?:\.\d+)?[a-zA-Z]|\\./;
const shortestPiece = 3;

/** Returns the author's message in a failing statement, split into the pieces between inserted values. */
export function authorTexts(statement: string): string[] {
  return findMessages(scan(statement)).flatMap(({ text }) =>
    text
      .split(interpolated)
      .map((piece) => piece.trim())
      .filter((piece) => piece.length >= shortestPiece),
  );
}

/**
 * Returns the arguments of the calls whose opening brackets are at the offsets `opens`, as written. Ignores brackets
 * and commas in strings and comments.
 */
export function argumentsAt(text: string, opens: readonly number[]): string[][] {
  const { bare } = scan(text);
  return opens.map((open) =>
    splitArguments(bare, open + 1).map(({ start, end }) => text.slice(start, end).trim()),
  );
}

export interface CodeOfTest {
  /** Names that are called, read from an object, or given a value by name. */
  readonly called: readonly string[];
  /** Other names: variables, arguments, types. */
  readonly plain: readonly string[];
  /** Texts and numbers, without the author's messages. */
  readonly values: readonly string[];
  /** Arguments of assertions as written: some frameworks print them. */
  readonly asked: readonly string[];
  /** True for an unconditional failure, such as `fail("…")`. */
  readonly isPlainFailure: boolean;
}

const keywords = new Set(
  (
    "assert expect self this and or not is in if else for while with as def fn func function return await async let const var new try " +
    "except catch throw raise lambda yield from import true false none null undefined nil self mut match super class static final void " +
    "int str string list dict tuple set bool float len range type isinstance ok equal equals strictequal deepequal deepstrictequal " +
    "notequal throws rejects tobe toequal assert_eq assert_ne debug_assert debug_assert_eq unwrap is_none is_some is_ok is_err pytest t"
  ).split(" "),
);
const ofFramework = /^(?:assert\w*|refute\w*|to(?:Be|Have|Equal|Throw|Match|Contain)\w*|[Ee]xpect\w*)$/;

/** Returns the names of functions and variables that test code uses. */
export function namesOf(text: string): string[] {
  const { called, plain } = readCode(text);
  return [...called, ...plain];
}

export function readCode(text: string): CodeOfTest {
  const scanned = scan(text);
  const messages = findMessages(scanned);
  const { bare, literals } = scanned;
  const own = (names: Iterable<string>): string[] => [
    ...new Set([...names].filter((name) => !keywords.has(name.toLowerCase()) && !ofFramework.test(name))),
  ];
  const called = own(
    bare
      .matchAll(
        /([A-Za-z_$][\w$]*)(?=\s*(?:::<[^>()]*>)?!?\()|(?<=[.:])([A-Za-z_$][\w$]*)|(?=[A-Za-z_$])(?<=[{(,]\s*)([A-Za-z_$][\w$]*)(?=(?::|=)(?![:=]))/g,
      )
      // Called, read from an object, and given a value in a call or a literal.
      .map((match) => match[1] ?? match[2] ?? match[3] ?? ""),
  );
  const all = own(bare.matchAll(/[A-Za-z_$][\w$]*/g).map(([name]) => name));
  const calls = listCalls(bare);
  const asserts = calls
    .filter(({ callee }) => !says.test(callee))
    .filter(({ callee }) => asksOne.test(callee) || asksTwo.test(callee));
  const numbers = [...bare.matchAll(/(?<![\w.])(\d+(?:\.\d+)?)/g)].map((match) => match[1] ?? "");
  return {
    called,
    plain: all.filter((name) => !called.includes(name)),
    values: [...literals.filter((each) => !messages.includes(each)).map((each) => each.text), ...numbers],
    asked: asserts.flatMap(({ args }) => args.map(({ start, end }) => text.slice(start, end).trim())),
    isPlainFailure: calls.some(({ callee }) => says.test(callee)) && asserts.length === 0,
  };
}

/** Returns the statement that begins on the first of the lines, up to the line that closes its brackets. */
export function firstStatement(lines: readonly string[]): string {
  const { bare } = scan(lines.join("\n"));
  let depth = 0;
  let count = 0;
  for (const line of bare.split("\n")) {
    count += 1;
    for (const letter of line) {
      if ("([{".includes(letter)) depth += 1;
      else if (")]}".includes(letter)) depth -= 1;
    }
    const isOpen = depth > 0 || /[\\,.]\s*$|(?:&&|\|\||[+=])\s*$/.test(line);
    if (!isOpen && !/^\s*\./.test(lines[count] ?? "")) break;
  }
  return lines.slice(0, count).join("\n");
}

/** Maximum steps from a value back to its origin. */
const mostSteps = 6;
/**
 * Returns the lines of a test that compute the compared values of a statement. These lines assign its variables or call
 * something on them. Continues with the variables of these lines. For an unconditional failure, returns the whole test,
 * because its comparisons come before.
 */
export function linesBehind(statement: string, body: string): string {
  const asked = readCode(statement);
  if (asked.isPlainFailure) return body;
  const lines = splitStatements(body);
  const bare = lines.map((line) => scan(line).bare);
  const taken = new Set<string>();
  let names = new Set(asked.plain.concat(rootsOf(statement), calledVariables(statement)));
  let compared = names;
  for (let step = 0; step < mostSteps; step += 1) {
    const makes = (line: string): boolean => [...names].some((name) => isMadeBy(line, name));
    const written = new Set([...compared].flatMap((name) => writtenThrough(bare, name)));
    const found = lines
      .flatMap((line, at) => {
        if (makes(line)) return [line, ...recordedIn(lines, at), ...handedOn(lines, at)];
        return written.has(at) ? [line] : [];
      })
      .filter((line) => !taken.has(line));
    if (found.length === 0) break;
    for (const line of found) taken.add(line);
    names = new Set(
      found.flatMap((line) => [...readCode(line).plain, ...rootsOf(line), ...calledVariables(line)]),
    );
    // A variable may have the contents of the compared object: `got := out.String()`.
    compared = step === 0 ? new Set(found.flatMap(rootsOf)) : new Set();
  }
  return [...taken].join("\n");
}

/**
 * Returns the lines inside a block, because their code produces the values that the block records:
 * `with warnings.catch_warnings(record=True) as seen:`.
 */
function recordedIn(lines: readonly string[], at: number): string[] {
  const head = lines[at] ?? "";
  if (!/^\s*(?:async\s+)?with\b[\s\S]*\bas\b[\s\S]*:\s*$/.test(head)) return [];
  const depth = head.search(/\S/);
  const rest = lines.slice(at + 1);
  const end = rest.findIndex((line) => line.search(/\S/) <= depth);
  return rest.slice(0, end === -1 ? rest.length : end);
}

const functionHead =
  /^\s*(?:async\s+)?(?:def|function\*?)\s+([A-Za-z_$][\w$]*)|^\s*(?:(?:const|let|var)\s+)?([A-Za-z_$][\w$]*)\s*:?=\s*(?:(?:async\s*)?(?:\([^()\n]*\)|[A-Za-z_$][\w$]*)\s*=>|function\b|func\b|lambda\b)/;

/**
 * Returns the lines that pass the function around a line to other code. If a test's function fills a counter, the
 * counter's value comes from the code that receives the function (`monkeypatch.setattr(report, "slow_sum", counted)`).
 */
function handedOn(lines: readonly string[], at: number): string[] {
  const line = lines[at] ?? "";
  const depth = line.search(/\S/);
  const around = lines.slice(0, at).findLast((other) => other.search(/\S/) < depth);
  const head = [line, around ?? ""].map((each) => functionHead.exec(each)).find((found) => found !== null);
  const name = head?.[1] ?? head?.[2];
  if (name === undefined) return [];
  const word = new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$")}(?![\\w$])`);
  return lines.filter((other) => word.test(scan(other).bare) && functionHead.exec(other) === null);
}

/** Returns the objects of calls and reads: `a` in `a.b.c()`. */
function rootsOf(text: string): string[] {
  return [...scan(text).bare.matchAll(/(?<![\w$.])([A-Za-z_$][\w$]*)\s*\??\./g)].flatMap(([, name = ""]) =>
    keywords.has(name.toLowerCase()) ? [] : [name],
  );
}

/**
 * Returns the variables in call position, such as `stamp` in `stamp(event)`. A variable may contain a function or
 * another callable object.
 */
function calledVariables(text: string): string[] {
  return [...scan(text).bare.matchAll(/(?<![\w$.:])([A-Za-z_$][\w$]*)\s*\(/g)].flatMap(([, name = ""]) =>
    keywords.has(name.toLowerCase()) || ofFramework.test(name) ? [] : [name],
  );
}

export function splitStatements(body: string): string[] {
  const lines = body.split("\n");
  const found: string[] = [];
  for (let at = 0; at < lines.length; ) {
    const statement = firstStatement(lines.slice(at, at + 30));
    found.push(statement);
    at += Math.max(1, statement.split("\n").length);
  }
  return found.filter((line) => line.trim() !== "");
}

function isMadeBy(line: string, name: string): boolean {
  const escaped = name.replaceAll("$", "\\$");
  const bare = scan(line).bare;
  const word = `(?<![\\w$.])${escaped}(?![\\w$])`;
  return [
    // a = …, a: T = …, a := …, a, b = …, { a } = …
    new RegExp(`${word}[^\\n=()]*:?=(?![=>])`),
    // with … as a, for a in …, (a) => …, function (a)
    new RegExp(`\\b(?:as|for|of)\\s+${escaped}\\b`),
    new RegExp(`(?:\\(|,\\s*)${escaped}(?:\\s*,[^()]*)?\\)\\s*(?:=>|\\{)|${word}\\s*=>`),
    // a.add(…), () => a.push(…), a++, add(&mut a)
    new RegExp(`^\\s*(?:await\\s+)?@{0,2}${escaped}\\s*\\.`),
    new RegExp(`${word}\\s*(?:\\.\\s*(?:push|append|add|insert)\\(|\\+\\+)`),
    new RegExp(`&mut\\s+${escaped}\\b`),
  ].some((form) => form.test(bare));
}
