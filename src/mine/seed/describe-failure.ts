/**
 * Writes an issue's text from a failing test: the call, the expected result and the actual one. Never names the place
 * of the fault.
 */
import { linesOf } from "../../agent/code/change.ts";
import { bodiesOf, listTestBodies } from "../../agent/code/test-bodies.ts";
import type { TestFailure, TestOutcome } from "../../domain/test-outcome.ts";
import { languageOf } from "../../languages/source-files.ts";
import type { TreeStore } from "../../workspace/contract.ts";

/** Longer examples explain less. */
const mostLines = 30;
const mostMessage = 600;
/** Longer lines show a whole object. */
const longestLine = 200;

/** Describes failures as a task's statement. Undefined if no failure has both a readable call and a message. */
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
  const [best, second] = described.sort((a, b) => a.example.length - b.example.length);
  if (best === undefined) return undefined;
  const parts = [best.title, tell(best)];
  if (second !== undefined && second.call !== best.call) parts.push("It happens here too:", tell(second));
  return parts.join("\n\n");
}

interface Described {
  readonly title: string;
  readonly call: string;
  readonly example: string;
  readonly fence: string;
  readonly message: string;
}

function tell({ example, fence, message }: Described): string {
  return [
    `\`\`\`${fence}`,
    example,
    "```",
    "",
    "I expect that this passes. It fails at its end instead:",
    "",
    "```",
    message,
    "```",
  ].join("\n");
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
  const bodies = bodiesOf(await listTestBodies(path, text), key);
  const body = bodies[0];
  if (body === undefined) return undefined;
  const isInBody = frame?.file === path && frame.line >= body.startLine && frame.line <= body.endLine;
  const lines = linesOf(text);
  const last = isInBody ? statementEnd(lines, frame.line, body.endLine) : body.endLine;
  const shown = dedent(lines.slice(body.startLine, last)).filter((line) => !isHeader(line));
  const prepared = setUpBefore(lines, body.startLine);
  const example = [...prepared, ...shown].slice(-mostLines).join("\n").trim();
  const first = tellingLine(lines, body.startLine, isInBody ? frame.line : last);
  // The body of `with raises(Error):` says more than its first line.
  const call = first.endsWith(":") ? (lines[last - 1] ?? "").trim() : first;
  const message = cleanMessage(failure);
  if (example === "" || message === "") return undefined;
  return { title: titleOf(call, failure), call, example, fence: languageOf(path)?.name ?? "", message };
}

/** The last line of a statement: the one that closes its brackets, and the end of its block if it begins one. */
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

/** The line, or the last one before it that is not only the end of a block. */
function tellingLine(lines: readonly string[], start: number, line: number): string {
  for (let at = line; at > start; at -= 1) {
    const text = (lines[at - 1] ?? "").trim();
    if (!/^(?:end\b|begin$|ensure$|else$|[)\]};,]*$)/.test(text)) return text;
  }
  return (lines[line - 1] ?? "").trim();
}

/** Beginnings of code that runs before each test of its group. */
const setUps =
  /^\s*(?:before(?:Each)?\b(?!\s*\(?:all)|setup\b|let!?\b(?=\s*\()|subject\b|(?:async )?def set_?up\b|(?:protected |public )*function setUp\b)/i;

/** Set-up code of the groups around a test, without which its variables mean nothing. */
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

/** The whole definition of a name; of other blocks the lines inside. */
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

/** The last line that is indented more. */
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

/** A one-line docstring names the purpose of the test, often with the name of the code. */
function isHeader(line: string): boolean {
  return /^\s*(?:"""[^"]*"""|'''[^']*''')\s*$/.test(line);
}

/** The message without paths, places and names of tests. */
function cleanMessage({ type, message }: TestFailure): string {
  const said = message
    .split("\n")
    .filter((line) => !/^\s*(?:at |File "|-->|In file )|[\w/.-]+\.\w+:\d+/.test(line))
    .map((line) => line.replaceAll(/\/\.millwright\/[\w./-]+/g, "PROGRAM"))
    .map((line) => (line.length > longestLine ? `${line.slice(0, longestLine)}…` : line))
    .join("\n")
    .trim();
  const isTyped =
    type !== "" && !said.startsWith(type) && /Error|Exception|panic/i.test(type) && !/assert/i.test(type);
  return `${isTyped ? `${type}: ` : ""}${said}`.slice(0, mostMessage);
}

function titleOf(line: string, { type, message }: TestFailure): string {
  const asked = /(?:assert\w*!?|expect|require\.\w+)[\s(.]+(.*)$/i.exec(line)?.[1] ?? line;
  const what = withoutOpenEnds(asked).slice(0, 90);
  if (/assert|comparison|expectation|raised/i.test(`${type} ${message.slice(0, 80)}`) || type === "")
    return `Unexpected result: ${what}`;
  return `${type} in ${what}`;
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
