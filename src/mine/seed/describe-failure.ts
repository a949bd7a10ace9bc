/**
 * Writes an issue's text from a failing test: the call, the expected result and the actual one. Never names the place
 * of the fault.
 */
import { linesOf } from "../../agent/code/change.ts";
import { bodiesOf, listTestBodies } from "../../agent/code/test-bodies.ts";
import type { TestFailure, TestOutcome } from "../../domain/test-outcome.ts";
import { languageOf } from "../../languages/source-files.ts";
import type { TreeStore } from "../../workspace/contract.ts";

/** Maximum number of lines of an example. Longer examples explain less. */
const mostLines = 30;
const mostMessage = 600;
/** Maximum number of characters of a line. Longer lines show a whole object. */
const longestLine = 200;
/** Maximum number of characters of code in a title. */
const mostTitle = 80;

/**
 * Describes failures as a task's statement. Returns undefined if no failure has both a readable call and a message.
 */
export async function describeFailures(
  store: TreeStore,
  tree: string,
  failing: readonly TestOutcome[],
): Promise<string | undefined> {
  const described: Described[] = [];
  for (const outcome of failing) {
    const found = await describe(store, tree, outcome);
    if (found !== undefined) described.push(found);
  }
  const ranked = described.sort((a, b) => a.example.length - b.example.length);
  const [best] = ranked;
  if (best === undefined) return undefined;
  const parts = [best.title, show(best, best.example), tell(best)];
  // A second error shows nothing new, and two different failures look like two faults.
  const second = ranked.find(({ title, raising }) => title !== best.title && raising === undefined);
  if (second === undefined || best.raising !== undefined) return parts.join("\n\n");
  const shared = sharedLines(best.example, second.example);
  const isShort = shared < 2;
  const rest = isShort ? second.example : second.example.split("\n").slice(shared).join("\n");
  const again = isShort
    ? "It happens here too:"
    : `After the same first ${shared} lines, it happens here too:`;
  return [...parts, again, show(second, rest), tell(second)].join("\n\n");
}

interface Described {
  readonly title: string;
  readonly example: string;
  readonly fence: string;
  readonly message: string;
  readonly call: string;
  /** The line that raised an error. "" if the example does not contain the line; undefined if an assertion failed. */
  readonly raising: string | undefined;
}

function show({ fence }: Described, code: string): string {
  return [`\`\`\`${fence}`, code, "```"].join("\n");
}

function tell({ example, message, call, raising }: Described): string {
  const line = raising ?? (example.endsWith(call) ? undefined : call);
  const place = line === undefined ? "Its last line fails" : line === "" ? "It fails" : `\`${line}\` fails`;
  return [`I expect that this passes. ${place} instead:`, "", "```", message, "```"].join("\n");
}

/** Returns the number of equal lines at the beginning of both texts; 0 if all lines of the first text are equal. */
function sharedLines(one: string, other: string): number {
  const [ones, others] = [one.split("\n"), other.split("\n")];
  const differing = ones.findIndex((line, at) => line !== others[at]);
  return differing === -1 ? 0 : differing;
}

async function describe(
  store: TreeStore,
  tree: string,
  { key, failure }: TestOutcome,
): Promise<Described | undefined> {
  if (failure === undefined) return undefined;
  const frame = failure.frames.findLast(({ file }) => file === key.target) ?? failure.frames.at(-1);
  const path = languageOf(key.target) === undefined ? frame?.file : key.target;
  const text = path === undefined ? undefined : (await store.read(tree, path))?.toString("utf8");
  if (path === undefined || text === undefined) return undefined;
  const body = bodiesOf(await listTestBodies(path, text), key)[0];
  if (body === undefined) return undefined;
  const lines = linesOf(text);
  const failed = frame?.file === path ? frame.line : undefined;
  const isInBody = failed !== undefined && failed >= body.startLine && failed <= body.endLine;
  const isError = !isAssertion(failure);
  // The lines after an error tell the expected result; those after a failed assertion tell nothing.
  const last = isInBody && !isError ? statementEnd(lines, failed, body.endLine) : bodyEnd(lines, body);
  const inside = [...lines.slice(body.startLine, last), ...closingLines(lines, last, bodyEnd(lines, body))];
  const shown = dedent(inside).filter((line) => !isHeader(line));
  const prepared = setUpBefore(lines, body.startLine);
  const example = [...prepared, ...shown].slice(-mostLines).join("\n").trim();
  const call = callAt(lines, body.startLine, { failed: failed ?? last, isInBody, last });
  const message = cleanMessage(failure);
  if (example === "" || message === "") return undefined;
  const raising = isError ? (example.includes(call) ? call : "") : undefined;
  return {
    title: titleOf(call, failure),
    example,
    fence: languageOf(path)?.name ?? "",
    message,
    call,
    raising,
  };
}

/** Returns the last line inside the body, before the line that closes it. */
function bodyEnd(
  lines: readonly string[],
  { startLine, endLine }: { startLine: number; endLine: number },
): number {
  const [first = "", last = ""] = [lines[startLine - 1], lines[endLine - 1]];
  const isClosing = /^\s*(?:end|[)\]}]+[;,]?)\s*$/.test(last) && last.search(/\S/) <= first.search(/\S/);
  return isClosing ? endLine - 1 : endLine;
}

/** Returns the lines after a line that close the blocks around it. */
function closingLines(lines: readonly string[], after: number, most: number): string[] {
  const indentOf = (line: string): number => line.search(/\S/);
  const found: string[] = [];
  let indent = indentOf(lines[after - 1] ?? "");
  for (const line of lines.slice(after, most)) {
    if (!/^\s*(?:end|[)\]}]+[;,]?)\s*$/.test(line) || indentOf(line) >= indent) continue;
    found.push(line);
    indent = indentOf(line);
  }
  return found;
}

/** Returns the code that failed. If the line opens a block that must raise an error, returns the first line inside. */
function callAt(
  lines: readonly string[],
  start: number,
  { failed, isInBody, last }: { failed: number; isInBody: boolean; last: number },
): string {
  const line = isInBody ? tellingLine(lines, start, failed) : (lines[failed - 1] ?? "").trim();
  if (line.endsWith(":")) return (lines[last - 1] ?? "").trim();
  return opensRubyBlock(line) ? (lines[failed] ?? "").trim() : line;
}

/**
 * Returns the last line of a statement: the line that closes its brackets, or the end of its block if it begins one.
 */
function statementEnd(lines: readonly string[], start: number, most: number): number {
  let open = 0;
  for (let line = start; line <= most; line += 1) {
    const text = lines[line - 1] ?? "";
    open += (text.match(/[([{]/g)?.length ?? 0) - (text.match(/[)\]}]/g)?.length ?? 0);
    if (open > 0) continue;
    if (/:\s*$/.test(text)) return blockEnd(lines, line, most);
    // Ruby's block ends with a line of its own.
    return opensRubyBlock(text) ? Math.min(most, blockEnd(lines, line, most) + 1) : line;
  }
  return most;
}

function opensRubyBlock(text: string): boolean {
  return /\bdo(?:\s*\|[^|]*\|)?\s*$/.test(text);
}

/** Returns the line. If the line only ends a block, returns the last line before it that does not. */
function tellingLine(lines: readonly string[], start: number, line: number): string {
  for (let at = line; at > start; at -= 1) {
    const text = (lines[at - 1] ?? "").trim();
    if (!/^(?:end\b|begin$|ensure$|else$|[)\]};,]*$)/.test(text)) return text;
  }
  return (lines[line - 1] ?? "").trim();
}

/** Matches the beginning of code that runs before each test of its group. */
const setUps =
  /^\s*(?:before(?:Each)?\b(?!\s*\(?:all)|setup\b|let!?\b(?=\s*\()|subject\b|(?:async )?def set_?up\b|(?:protected |public )*function setUp\b)/i;

/** Returns the set-up code of the groups around a test. Without this code, the test's variables mean nothing. */
function setUpBefore(lines: readonly string[], test: number): string[] {
  const indentOf = (line: number): number => (lines[line - 1] ?? "").search(/\S/);
  const found: string[][] = [];
  let level = indentOf(test);
  for (let line = test - 1; line > 0 && level > 0; line -= 1) {
    const [text = "", indent] = [lines[line - 1], indentOf(line)];
    if (indent === level && setUps.test(text)) found.unshift(setUpAt(lines, line));
    if (indent !== -1 && indent < level) level = indent;
  }
  return found.flat();
}

/** Returns the whole definition of a name. For other blocks, returns the lines inside. */
function setUpAt(lines: readonly string[], line: number): string[] {
  const text = lines[line - 1] ?? "";
  let end = blockEnd(lines, line, lines.length);
  while (end > line && (lines[end - 1] ?? "").trim() === "") end -= 1;
  if (end === line) return [text.trim()];
  const isNamed = /^\s*(?:let|subject)/.test(text);
  return dedent(isNamed ? lines.slice(line - 1, end + 1) : lines.slice(line, end)).filter(
    (each) => each !== "",
  );
}

/** Returns the last line that is indented more. */
function blockEnd(lines: readonly string[], start: number, most: number): number {
  const indent = (line: number): number => (lines[line - 1] ?? "").search(/\S/);
  let end = start;
  while (end < most && (indent(end + 1) > indent(start) || indent(end + 1) === -1)) end += 1;
  return end;
}

function dedent(lines: readonly string[]): string[] {
  const indents = lines.filter((line) => line.trim() !== "").map((line) => line.search(/\S/));
  const least = Math.min(...indents);
  return lines.map((line) => line.slice(Math.min(least, line.length)));
}

/** True for a one-line docstring, which names the purpose of the test, often with the name of the code. */
function isHeader(line: string): boolean {
  return /^\s*(?:"""[^"]*"""|'''[^']*''')\s*$/.test(line);
}

/** Returns the message without paths, places, names of tests, quoted source lines and the insides of objects. */
function cleanMessage({ type, message }: TestFailure): string {
  const lines = message.split("\n");
  const isQuoted = (at: number): boolean => isMarker(lines[at]) || isMarker(lines[at + 1]);
  const said = lines
    .filter((_, at) => !isQuoted(at))
    .filter((line) => !/^\s*(?:at |File "|-->|In file |Did you mean\?|-{3,})|[\w/.-]+\.\w+:\d+/.test(line))
    .map((line) => line.replaceAll(/\/\.millwright\/[\w./-]+/g, "PROGRAM"))
    // minitest inspects the message of another error. Objects show all their fields.
    .map((line) =>
      line.replace(/^(Message: <".*?)\\n.*$/, '$1">').replace(/#<([A-Z][\w:]*):0x[\da-f]+.*$/, "#<$1>"),
    )
    .map((line) => line.replaceAll(/\b0x[\da-f]{6,}/g, "0x…"))
    .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line))
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
  const isTyped =
    type !== "" && !said.startsWith(type) && /Error|Exception|panic/i.test(type) && !/assert/i.test(type);
  return `${isTyped ? `${type}: ` : ""}${said}`.slice(0, mostMessage);
}

/** True for a line that only marks a part of the source line above it. */
function isMarker(line: string | undefined): boolean {
  return line !== undefined && /^\s*\^[\^~]*\s*$/.test(line);
}

function isAssertion({ type, message }: TestFailure): boolean {
  if (/(?:Error|Exception)$/.test(type) && !/assert|comparison|expectation/i.test(type)) return false;
  return (
    type === "" || /assert|comparison|expectation|expected|raised/i.test(`${type} ${message.slice(0, 80)}`)
  );
}

function titleOf(line: string, failure: TestFailure): string {
  const { type, message } = failure;
  const asked = /(?:assert\w*!?|expect|require\.\w+)[\s(.]+(.*)$/i.exec(line)?.[1];
  const actual = asked === undefined ? line : actualOf(withoutOpenEnds(asked));
  if (!isAssertion(failure)) return `${type} in \`${shorten(actual.replace(/^[@$\w., ]+[^=!<>]=\s+/, ""))}\``;
  if (/nothing (?:was )?raised|(?:not|no\w*) (?:raise|throw)|exception expected/i.test(message)) {
    const inner = /\{\s*(.*?)\s*\}\s*\)?;?$/.exec(line)?.[1] ?? line;
    return `Wrong or missing error of \`${shorten(inner)}\``;
  }
  return `Wrong result of \`${shorten(actual)}\``;
}

function shorten(code: string): string {
  return code.length > mostTitle ? `${code.slice(0, mostTitle)}…` : code;
}

const literal =
  /^(?:nil|null|None|true|false|True|False|undefined|t|:\w+|-?\d[\w.]*|(["'`]).*\1|\/.*\/\w*|%[wiWI]?[([{].*[)\]}]|\[.*\]|\{.*\}|[A-Z]\w*(?:::[A-Z]\w*)*)$/s;

/** Returns the operand of an assertion that is not a literal, and therefore not the expected value. */
function actualOf(asked: string): string {
  const operands = splitOperands(asked).filter((each) => each !== "" && !literal.test(each));
  return operands.find((each) => each.includes("(")) ?? operands[0] ?? asked;
}

/** Splits an assertion at commas and comparisons outside of brackets and quotes. */
function splitOperands(text: string): string[] {
  const parts = [""];
  let [open, quote] = [0, ""];
  for (const piece of text.match(/\\.|===?|!==?|[<>]=?| (?:in|is) |./gs) ?? []) {
    const isRegex = piece === "/" && (parts.at(-1) ?? "").trim() === "";
    if (quote === "" && (isRegex || /^["'`]$/.test(piece))) quote = piece;
    else if (piece === quote) quote = "";
    else if (quote === "" && /^[([{]$/.test(piece)) open += 1;
    else if (quote === "" && /^[)\]}]$/.test(piece)) open -= 1;
    const isBetween = quote === "" && open === 0 && /^(?:,|===?|!==?|[<>]=?| (?:in|is) )$/.test(piece);
    if (isBetween) parts.push("");
    else parts.push((parts.pop() ?? "") + piece);
  }
  return parts.map((part) => part.trim());
}

/** Cuts the text before closing brackets that the assertion opened. */
function withoutOpenEnds(text: string): string {
  let open = 0;
  for (const [at, character] of [...text].entries()) {
    if (/[([{]/.test(character)) open += 1;
    else if (/[)\]}]/.test(character)) open -= 1;
    if (open < 0) return text.slice(0, at);
  }
  return text.replace(/[\s;,:{]+$/, "");
}
