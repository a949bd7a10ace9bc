/** Writes an issue's text from a failing test: the call, the expected result and the actual one. It never names the place of the fault. */
import { linesOf } from "../../agent/code/change.ts";
import { bodiesOf, listTestBodies } from "../../agent/code/test-bodies.ts";
import type { TestFailure, TestOutcome } from "../../domain/test-outcome.ts";
import { languageOf } from "../../languages/source-files.ts";
import type { TreeStore } from "../../workspace/contract.ts";

/** Longer examples explain less. */
const mostLines = 25;
const mostMessage = 600;

/** Undefined if no failure has a call or a message. */
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
  const example = shown.slice(-mostLines).join("\n").trim();
  const first = (lines[(isInBody ? frame.line : last) - 1] ?? "").trim();
  // The body of `with raises(Error):` says more than its first line.
  const call = first.endsWith(":") ? (lines[last - 1] ?? "").trim() : first;
  const message = cleanMessage(failure);
  if (example === "" || message === "") return undefined;
  return { title: titleOf(call, failure), call, example, fence: languageOf(path)?.name ?? "", message };
}

/** Up to the line that closes its brackets, and to the end of its block if it begins one. */
function statementEnd(lines: readonly string[], start: number, most: number): number {
  let open = 0;
  for (let line = start; line <= most; line += 1) {
    const text = lines[line - 1] ?? "";
    open += (text.match(/[([{]/g)?.length ?? 0) - (text.match(/[)\]}]/g)?.length ?? 0);
    if (open <= 0) return /:\s*$/.test(text) ? blockEnd(lines, line, most) : line;
  }
  return most;
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

/** Without paths, places and names of tests. */
function cleanMessage({ type, message }: TestFailure): string {
  const said = message
    .split("\n")
    .filter((line) => !/^\s*(?:at |File "|-->|In file )|[\w/.-]+\.\w+:\d+/.test(line))
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
