/** The contract of SWE-bench's log parsers, and Python's text functions for them. */
import type { TestStatus } from "../../domain/test-outcome.ts";

/** Maps the statuses of SWE-bench 5 (`TestStatus`) to ours. */
export const officialStatuses: Readonly<Record<string, TestStatus>> = {
  PASSED: "passed",
  FAILED: "failed",
  SKIPPED: "skipped",
  ERROR: "errored",
  XFAIL: "expected-failure",
};

/**
 * The status of each test, by the test's name, as the official parser gives it. A later line of the same name replaces
 * an earlier one. Some parsers take the first word of any line as a status, so a status may be any word.
 */
export type StatusMap = Map<string, string>;

/** The fields of a row that some parsers depend on. */
export interface LogRow {
  /** SWE-bench's `instance_id`. */
  readonly id: string;
  readonly version: string;
}

/** A parser that reads the status of each test from a log. `log`: with `\n` line ends only. */
export type LogParser = (log: string, row: LogRow) => StatusMap;

/** Python's whitespace, which `str.split` and `str.strip` use; JavaScript's `\s` is another set. */
const spaces = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const space = `[${spaces}]`;
const leading = new RegExp(`^${space}+`);
const trailing = new RegExp(`${space}+$`);
const between = new RegExp(`${space}+`);

/** Behaves like Python's `str.strip`. */
export const strip = (text: string): string => text.replace(leading, "").replace(trailing, "");

/** Behaves like Python's `str.split`: returns the words between whitespace. */
export function wordsOf(text: string): string[] {
  const stripped = strip(text);
  return stripped === "" ? [] : stripped.split(between);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: separators of files, groups and records end lines in Python
const lineEnd = /\r\n|[\n-\r\x1c-\x1e\x85\u2028\u2029]/;

/** Splits like Python's `str.splitlines`, but returns an additional empty line if the text ends with a line end. */
export const splitLines = (text: string): string[] => text.split(lineEnd);

/**
 * Converts a pattern from Python's notation. `\s`, `\S`, `\d` and `\w` match different characters in Python and in
 * JavaScript. Only `\d` may occur in brackets.
 */
export function pythonPattern(source: string, flags = ""): RegExp {
  const classes: Readonly<Record<string, string>> = {
    s: space,
    S: `[^${spaces}]`,
    d: "\\p{Nd}",
    w: "[\\p{L}\\p{N}_]",
  };
  return new RegExp(
    source.replaceAll(/\\([sSdw])/g, (whole, name: string) => classes[name] ?? whole),
    `${flags}u`,
  );
}

/** Returns the number of whitespace characters before a line's text. */
export const indentOf = (line: string): number => line.length - line.replace(/^\s+/, "").length;

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const escapes = /\x1b(?:[@-Z\\-_]|\[[0-?]*[ -/]*[@-~])/g;

export const withoutEscapes = (text: string): string => text.replaceAll(escapes, "");
