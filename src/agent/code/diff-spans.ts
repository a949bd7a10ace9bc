/** Parses git's unified diffs into hunks, each a separate patch, and into the lines of the base that they change. */
import type { Place } from "../state/task-state.ts";

export type Span = Pick<Place, "file" | "startLine" | "endLine">;

export interface Hunk {
  /** The file's name on the base; for a new file, its new name. */
  readonly file: string;
  /** The lines `--- …` and `+++ …`. */
  readonly names: readonly [string, string];
  /** The first old line, from 1. Without old lines: the line after which the hunk adds lines. */
  readonly start: number;
  readonly before: number;
  /** The line `@@ …`. */
  readonly header: string;
  /** Lines with their marks: `+`, `-` or a space. */
  readonly lines: readonly string[];
}

const headerForm = /^@@ -(\d+)(?:,(\d+))? \+\d+(?:,(\d+))? @@/;

export function readHunks(diff: string): Hunk[] {
  const lines = diff.split("\n");
  const hunks: Hunk[] = [];
  let names: [string, string] = ["", ""];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? "";
    const next = lines[at + 1] ?? "";
    if (line.startsWith("--- ") && next.startsWith("+++ ")) names = [line, next];
    const [, start = "", before = "1", after = "1"] = headerForm.exec(line) ?? [];
    if (start === "") continue;
    const body = takeBody(lines, at + 1, Number(before), Number(after));
    const file = nameIn(names[0]) ?? nameIn(names[1]) ?? "";
    hunks.push({ file, names, start: Number(start), before: Number(before), header: line, lines: body });
    at += body.length;
  }
  return hunks;
}

/** Reads as many lines as the header states. */
function takeBody(lines: readonly string[], from: number, before: number, after: number): string[] {
  const left = { before, after };
  let end = from;
  for (; end < lines.length && (left.before > 0 || left.after > 0); end += 1) {
    const mark = lines[end]?.[0];
    if (mark !== "+" && mark !== "\\") left.before -= 1;
    if (mark !== "-" && mark !== "\\") left.after -= 1;
  }
  return lines.slice(from, lines[end]?.startsWith("\\") === true ? end + 1 : end);
}

function nameIn(line: string): string | undefined {
  return /^(?:--- "?a|\+\+\+ "?b)\/(.+?)"?\t?$/.exec(line)?.[1];
}

/**
 * Returns the base's lines that the hunk removes or replaces, as ranges. For a pure addition, returns the line at which
 * it inserts.
 */
export function spansOf({ file, start, before, lines }: Hunk): Span[] {
  const spans: Span[] = [];
  let line = before === 0 ? start + 1 : start;
  let open: Span | undefined;
  for (const mark of lines.map(([first]) => first)) {
    if (mark === "-") open = { file, startLine: open?.startLine ?? line, endLine: line };
    if (mark === "+") open ??= { file, startLine: line, endLine: line };
    if (mark === "-" || mark === " " || mark === undefined) line += 1;
    if (mark === "-" || mark === "+" || mark === "\\") continue;
    if (open !== undefined) spans.push(open);
    open = undefined;
  }
  return open === undefined ? spans : [...spans, open];
}

export function spansOfDiff(diff: string): Span[] {
  return readHunks(diff).flatMap(spansOf);
}

/** Returns the spans of the diff's hunks in the new text, including the context lines. Omits deleted files. */
export function spansAfter(diff: string): Span[] {
  return readHunks(diff).flatMap(({ names, header }) => {
    const file = nameIn(names[1]);
    const [, start = "", count = "1"] = /^@@ \S+ \+(\d+)(?:,(\d+))? @@/.exec(header) ?? [];
    if (file === undefined || start === "") return [];
    const startLine = Math.max(1, Number(start));
    return [{ file, startLine, endLine: Math.max(startLine, startLine + Number(count) - 1) }];
  });
}

/** Returns a patch with only this hunk; undefined if the hunk creates, deletes or renames its file. */
export function singleHunk({ names, header, lines }: Hunk): string | undefined {
  const [from, to] = names;
  return nameIn(from) === undefined || nameIn(from) !== nameIn(to)
    ? undefined
    : [from, to, header, ...lines, ""].join("\n");
}

/** Returns a patch that reverts the hunk; undefined if the hunk creates, deletes or renames its file. */
export function reverseHunk({ names, header, lines }: Hunk): string | undefined {
  const [from, to] = names;
  if (nameIn(from) === undefined || nameIn(from) !== nameIn(to)) return undefined;
  const [, ours = "", theirs = "", rest = ""] = /^@@ -(\S+) \+(\S+) @@(.*)$/.exec(header) ?? [];
  const swapped = lines.map((line) => {
    if (line.startsWith("+")) return `-${line.slice(1)}`;
    return line.startsWith("-") ? `+${line.slice(1)}` : line;
  });
  const name = nameIn(from);
  return [`--- a/${name}`, `+++ b/${name}`, `@@ -${theirs} +${ours} @@${rest}`, ...swapped, ""].join("\n");
}

export function overlap(one: Span, other: Span): boolean {
  return one.file === other.file && one.startLine <= other.endLine && other.startLine <= one.endLine;
}

export function formatSpan({ file, startLine, endLine }: Span): string {
  return startLine === endLine ? `${file}:${startLine}` : `${file}:${startLine}-${endLine}`;
}
