/**
 * Extracts the informative part of a failure, without the test author's words. If a command failed, the caller's error
 * repeats the command with its whole program (`node -e …`). The command's own error follows. Pure.
 */
import type { TestFailure } from "../../domain/test-outcome.ts";

export interface RaisedError {
  readonly type: string;
  readonly message: string;
  /** `FILE:LINE` of the raising frame, if known. */
  readonly place?: string;
}

const commandFailed = /^(.*\bCommand failed(?: with [^:\n]*)?: )(\S+)(.*)$/;
/** Flags of interpreters that precede a program. */
const takesProgram = /\s(?:-e|-c|-p|-r|-pe|--eval|--print)(?:\s|$)/;
/** The start of an interpreter's error output: a place, a trace, the error. */
const outputStart =
  /^(?:(?:file:\/\/)?\S+:\d+(?::\d+)?$|Traceback \(most recent call|(?:Uncaught )?(?:[a-z]\w*\.)*[A-Z]\w*(?:Error|Exception)\b|panic: |thread '|error(?:\[\w+\])?: )/;
/** The command in the error of Python's `subprocess`: a list or a text, on one line. */
const inOneLine = /\bCommand .+ (?=(?:returned non-zero exit status|timed out after|died with) )/g;
const noise = /^(?:Node\.js v[\d.]+|command=`.*`)$/;
const errorLine =
  /^(?:Uncaught )?((?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception))(?: \[[\w.]+\])?(?:: ?(.*))?$/;

/** Removes from an error's text the commands and programs that it repeats. */
export function withoutEcho(text: string): string {
  const lines = text.replaceAll(inOneLine, "Command … ").split("\n");
  const at = lines.findIndex((line) => commandFailed.test(line));
  const [, head = "", program = "", rest = ""] = commandFailed.exec(lines[at] ?? "") ?? [];
  const after = lines.slice(at + 1);
  const start = takesProgram.test(rest) ? startOfOutput(after) : 0;
  const short = rest === "" ? `${head}${program}` : `${head}${program} …`;
  const kept = at < 0 ? lines : [...lines.slice(0, at), short, ...after.slice(start)];
  return dropOwnSource(kept)
    .filter((line) => !noise.test(line))
    .join("\n");
}

/** Returns the index of the first line that looks like output. If there is none, the last line may be output. */
function startOfOutput(lines: readonly string[]): number {
  const at = lines.findIndex((line) => outputStart.test(line));
  return at >= 0
    ? at
    : Math.max(
        0,
        lines.findLastIndex((line) => line.trim() !== ""),
      );
}

/**
 * Removes the source line that an uncaught error prints. If a test gave the program, this line is the test author's
 * text.
 */
function dropOwnSource(lines: readonly string[]): string[] {
  const isCaret = (line: string | undefined): boolean => /^\s*\^+\s*$/.test(line ?? "");
  return lines.filter(
    (_, at) => !(isGivenProgram(lines[at - 1] ?? "") && isCaret(lines[at + 1])) && !isCaretBelow(lines, at),
  );
}

function isCaretBelow(lines: readonly string[], at: number): boolean {
  return /^\s*\^+\s*$/.test(lines[at] ?? "") && isGivenProgram(lines[at - 2] ?? "");
}

/** True if a frame's file is a program from an argument or from standard input, such as `<string>` or `[eval]`. */
export function isGivenProgram(file: string): boolean {
  return /(?:^|\/)(?:\[eval\d*\]|\[stdin\]|<string>|<stdin>)/.test(file);
}

/** Returns the error that gives the reason: the error of a failed command, or else the failure's own. */
export function raisedError({ type, message, frames }: TestFailure): RaisedError {
  const last = frames.at(-1);
  const place = last === undefined ? {} : { place: `${last.file}:${last.line}` };
  const short = withoutEcho(message);
  const own = short === message ? undefined : ownError(short);
  return { type, message: short, ...own, ...place };
}

/** Returns the last error in a command's output, because the program handled the earlier ones. */
function ownError(text: string): Pick<RaisedError, "type" | "message"> | undefined {
  const found = text
    .split("\n")
    .filter((line) => !commandFailed.test(line))
    .map((line) => errorLine.exec(line))
    .findLast((match) => match !== null);
  return found?.[1] === undefined ? undefined : { type: found[1], message: found[2] ?? "" };
}

/** Returns the error on one line, with its place at the end. */
export function renderRaised({ type, message, place }: RaisedError): string {
  return `${type}: ${message}${place === undefined ? "" : ` (${place})`}`;
}
