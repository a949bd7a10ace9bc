/** Renders a failure for models: the expected and the actual result, and the relevant part of the stack. Pure. */
import { literally } from "../../base/literal-pattern.ts";
import type { StackFrame, TestFailure, TestOutcome } from "../../domain/test-outcome.ts";
import { shorten } from "../record/shorten.ts";
import { raisedError, renderRaised, withoutEcho } from "./raised-error.ts";

/** Maximum characters of a failure's text. */
const longestText = 2_000;
const longestLine = 400;
/** Number of the repository's innermost frames to keep. The outermost frame, which is the test's, stays too. */
const innermost = 2;

/** A failure. With `key`, the test's own file counts as one of the repository's files. */
type Failed = Pick<TestOutcome, "failure"> & Partial<Pick<TestOutcome, "key">>;

export function failureText({ failure, key }: Failed): string {
  if (failure === undefined) return "(no reason given)";
  const text = failure.text.trim() === "" ? `${failure.type}: ${failure.message}` : failure.text;
  const short = withoutFolders(withoutEcho(text), failure.frames, key?.target);
  const lines = assertionsFirst(dropFrames(dropRunners(dropEmptyParts(short.trim().split("\n"))), failure));
  // The error of a failed command is deep inside its text.
  const error = raisedError(failure);
  const first = error.type === failure.type ? [] : [renderRaised(error)];
  return shorten([...first, ...fromDifference(dropObjects(lines))].map(cut).join("\n"), longestText);
}

/** Returns the whole text without the checkout's folder, so that the text is equal in each run. */
export function wholeText({ failure, key }: Failed): string {
  return failure === undefined ? "" : withoutFolders(failure.text, failure.frames, key?.target);
}

/**
 * Removes the checkout's folder from the repository's files, and the environment's folder from installed packages. Both
 * folders differ between machines.
 */
function withoutFolders(text: string, frames: readonly StackFrame[], target = ""): string {
  const files = new Set(frames.filter(isOurs).map(({ file }) => file));
  if (/\w\.\w+$/.test(target)) files.add(target);
  const portable = text.replaceAll(folderOfPackages, "$1");
  return [...files].reduce((left, file) => {
    const whole = new RegExp(String.raw`(?<![\w./-])/[^\s"'():]+/${literally(file)}(?=[:"',)\s]|$)`, "g");
    return left.replaceAll(whole, (path) => (ofLibrary.test(path) ? path : file));
  }, portable);
}

/** The path of an environment, up to its folder of packages. Paths for the tool `view` may begin with that folder. */
const folderOfPackages =
  /(?<![\w./~-])\/(?:[\w.@+~-]+\/){1,20}?((?:site-packages|dist-packages|node_modules)\/)/g;

/** Matches files of libraries, because such a file may have the same name as one of the repository. */
const ofLibrary = /^\/(?:usr|opt|root\/\.\w+|rustc)\/|\/(?:site-packages|dist-packages|node_modules|gems)\//;

/** Maximum lines to show of the object that follows an error's stack. */
const mostOfObject = 4;

function dropObjects(lines: readonly string[]): string[] {
  const at = lines.findIndex((line) => /^\s+at .* \{$/.test(line));
  const end = lines.findIndex((line, index) => index > at && line === "}");
  if (at < 0 || end - at <= mostOfObject + 1) return [...lines];
  const left = end - at - 1 - mostOfObject;
  return [...lines.slice(0, at + 1 + mostOfObject), `  … ${left} lines`, ...lines.slice(end)];
}

/** Characters to keep before the first difference of two values. */
const beforeDifference = 60;

/** Shows two long values (`left:`, `right:`), one below the other, from shortly before their first difference. */
function fromDifference(lines: readonly string[]): string[] {
  const shown = [...lines];
  for (let at = 0; at + 1 < lines.length; at += 1) {
    const pair = [lines[at] ?? "", lines[at + 1] ?? ""] as const;
    const [one, other] = pair.map((line) => /^(\s*\w+:\s+)(.*)$/s.exec(line));
    const equal = equalLength(one?.[2] ?? "", other?.[2] ?? "");
    if (equal <= longestLine / 2 || pair.every(({ length }) => length <= longestLine)) continue;
    for (const [index, found] of [one, other].entries())
      shown[at + index] = `${found?.[1]}… ${found?.[2]?.slice(equal - beforeDifference)}`;
  }
  return shown;
}

function equalLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

function cut(line: string): string {
  return line.length <= longestLine ? line : `${line.slice(0, longestLine)} …`;
}

/** Removes text that Rust's test programs print around a failure without information: lists of names, advice. */
function dropEmptyParts(lines: readonly string[]): string[] {
  const at = lines.indexOf("--- printed ---");
  const isSummary = (line: string): boolean =>
    /^(?:\s*|failures:|test result: .*|running \d+ tests?|test .* \.\.\. \w+| {4}[\w:]+)$/.test(line);
  const kept = at >= 0 && lines.slice(at + 1).every(isSummary) ? lines.slice(0, at) : lines;
  return kept.filter(
    (line) => !/^note: (?:run with|Some details are omitted|.*RUST_BACKTRACE)/.test(line.trim()),
  );
}

/** A frame of Go's test runner in the text of a panic. */
const goRunner = /^(?:testing\.tRunner|created by testing\.|panic\(\{0x)/;

/**
 * Drops frames of test runners: of Python's from a traceback, each with the source lines below it, and of Go's from a
 * panic.
 */
function dropRunners(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let dropped: number | undefined;
  for (const line of lines) {
    const indent = line.search(/\S/);
    if (dropped !== undefined && indent > dropped) continue;
    if (goRunner.test(line)) continue;
    dropped = /^\s+File "[^"]*\/(?:unittest|_pytest|pluggy)\/[^"]*", line \d+/.test(line)
      ? indent
      : undefined;
    if (dropped === undefined) kept.push(line);
  }
  return kept;
}

/**
 * Shortens stack traces. Of lines `at NAME (FILE:LINE)`, keeps the raising line and those of the repository. Of Ruby's
 * `FILE:LINE:in 'NAME'`, keeps only those of the repository. In Rust, omits closures and libraries.
 */
function dropFrames(lines: readonly string[], { frames }: TestFailure): string[] {
  const ours = frames.filter(isOurs);
  const kept = new Set([...ours.slice(-innermost), ...ours.slice(0, 1)].map(placeOf));
  const result: string[] = [];
  let dropped = 0;
  let isFirst = true;
  const flush = (): void => {
    if (dropped > 0) result.push(`    … ${dropped} frames`);
    dropped = 0;
  };
  for (const [at, line] of lines.entries()) {
    if (isRustFrame(line, lines[at + 1])) {
      if (!isLibraryFrame(line, lines[at + 1])) result.push(line);
      continue;
    }
    if (isRustPlace(line, lines[at - 1])) {
      if (!isLibraryFrame(lines[at - 1] ?? "", line)) result.push(line);
      continue;
    }
    const isOfRuby = kept.size > 0 && /^\s*(?:from )?\S+:\d+:in [`'].*'$/.test(line);
    const isFrame = isOfRuby || /^\s+at .*(?:\(.*\)|:\d+)\s*$/.test(line);
    if (isFrame && (isOfRuby || !isFirst) && ![...kept].some((place) => line.includes(place))) {
      dropped++;
      continue;
    }
    flush();
    if (isFrame) isFirst = false;
    result.push(line);
  }
  flush();
  return result;
}

function isOurs({ file }: StackFrame): boolean {
  return !file.startsWith("/") && !file.includes("node_modules/") && !file.includes("site-packages/");
}

/** Matches both `lib/a.js:12:5` and `(A.java:12)`. */
function placeOf({ file, line }: StackFrame): string {
  return `${file.slice(file.lastIndexOf("/") + 1)}:${line}`;
}

function isRustFrame(line: string, next: string | undefined): boolean {
  return /^\s+\d+: \S/.test(line) && /^\s+at \S+:\d+:\d+$/.test(next ?? "");
}

function isRustPlace(line: string, before: string | undefined): boolean {
  return isRustFrame(before ?? "", line);
}

function isLibraryFrame(name: string, place: string | undefined): boolean {
  return /\{\{closure\}\}/.test(name) || /^\s+at \/(?:rustc|root|home|usr)\//.test(place ?? "");
}

/** Puts lines that a program marks as failing (`E` in pytest, with the raising line) before the test's own text. */
function assertionsFirst(lines: readonly string[]): readonly string[] {
  const isMarked = (line: string): boolean => /^(?:E {3}|E$|> {3})/.test(line);
  if (!lines.some((line) => line.startsWith("E   "))) return lines;
  const place = lines.findLast((line) => /^\S+:\d+: \w+/.test(line));
  const rest = lines.filter((line) => !isMarked(line) && line !== place && line.trim() !== "");
  return [...lines.filter(isMarked), ...(place === undefined ? [] : [place]), ...rest];
}
