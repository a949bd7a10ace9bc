/** Splits the change of one file into tests and code, hunk by hunk and inside hunks. */
import { diffLines } from "../edit/line-diff.ts";
import type { Span } from "../judging/test-spans.ts";

export interface TextSides {
  readonly before: string;
  readonly after: string;
  /** The regions of test code in each text. */
  readonly spansBefore: readonly Span[];
  readonly spansAfter: readonly Span[];
}

export interface DividedText {
  /** The old text with only the test changes. `fix`: the old text with only the code changes. */
  readonly tests: string;
  readonly fix: string;
  /** Number of hunks with test changes. `fixHunks`: number of hunks with code changes. */
  readonly testHunks: number;
  readonly fixHunks: number;
}

export function divideText({ before, after, spansBefore, spansAfter }: TextSides): DividedText {
  const [old, now] = [splitLines(before), splitLines(after)];
  const [isOldTest, isNewTest] = [lineTest(old, spansBefore), lineTest(now, spansAfter)];
  const tests: string[] = [];
  const fix: string[] = [];
  let [at, testHunks, fixHunks] = [0, 0, 0];
  for (const { fromStart, fromEnd, toStart, toEnd } of diffLines(old, now, (line) => line)) {
    const kept = old.slice(at, fromStart);
    tests.push(...kept);
    fix.push(...kept);
    at = fromEnd;
    const removed = divide(old, fromStart, fromEnd, isOldTest);
    const added = divide(now, toStart, toEnd, isNewTest);
    const isTests = hasText([...removed.tests, ...added.tests]);
    const isFix = hasText([...removed.code, ...added.code]);
    if (isTests) testHunks += 1;
    if (isFix || !isTests) fixHunks += 1;
    // Blank lines in between belong to the side with the rest of the hunk.
    if (isTests && !isFix) {
      tests.push(...now.slice(toStart, toEnd));
      fix.push(...old.slice(fromStart, fromEnd));
    } else {
      tests.push(...removed.code, ...added.tests);
      fix.push(...added.code, ...removed.tests);
    }
  }
  const rest = old.slice(at);
  return { tests: [...tests, ...rest].join(""), fix: [...fix, ...rest].join(""), testHunks, fixHunks };
}

/** Splits a text into lines with their line ends. */
function splitLines(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

/** Returns a function that tells whether a line (from 0) is test code. */
function lineTest(lines: readonly string[], spans: readonly Span[]): (line: number) => boolean {
  const starts: number[] = [];
  let offset = 0;
  for (const line of lines) {
    starts.push(offset);
    offset += line.length;
  }
  return (line) => {
    const start = starts[line] ?? 0;
    const end = start + (lines[line]?.length ?? 0);
    return spans.some((span) => span.start < end && start < span.end);
  };
}

function divide(lines: readonly string[], start: number, end: number, isTest: (line: number) => boolean) {
  const tests: string[] = [];
  const code: string[] = [];
  for (let line = start; line < end; line += 1) (isTest(line) ? tests : code).push(lines[line] ?? "");
  return { tests, code };
}

function hasText(lines: readonly string[]): boolean {
  return lines.some((line) => line.trim() !== "");
}
