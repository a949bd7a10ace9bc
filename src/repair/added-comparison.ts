/**
 * Detects a patch that adds a comparison with a new literal: `v == 0` becomes `v == 0 || i <= 3`. Nothing in the
 * changed lines suggests the literal, so only the failing test supports it. Of 239 small fixes of 78 projects, 8 have
 * this form. Works on lines. Pure.
 */
import { linesOfChange, type TextChange } from "./syntax-check.ts";

const literal = String.raw`-?\d[\w.]*|"[^"\n]*"|'[^'\n]*'`;
/** A comparison operator, but not `->`, `=>`, `<<` or `>>`. */
const sign = `(?:[!=]==?|(?<![-=<>])[<>]=?(?![<>]))`;
/** `i <= 3`, `'a' != mark`, `name.equals("a")`. */
const comparison = new RegExp(
  String.raw`(?:${sign}|\.equals\()\s*(?<right>${literal})|(?<left>(?<![\w.])(?:${literal}))\s*(?:${sign}|\.equals\()`,
  "g",
);
/** Numbers with which most programs compare. */
const usual = /^(?:-?[01](?:\.0*)?|""|'')$/;

/**
 * Lists the literals in added comparisons. Leaves out 0, 1, -1, empty texts, and literals that the changed lines
 * already had. Empty if the number of comparisons with a literal does not grow.
 */
export function addedLiterals(text: string, change: TextChange): string[] {
  const { before, after } = linesOfChange(text, change);
  const [old, now] = [literalsIn(before), literalsIn(after)];
  if (now.length <= old.length) return [];
  const known = new Set(before.match(new RegExp(String.raw`(?<![\w.])(?:${literal})`, "g")));
  return now.filter((each) => !usual.test(each) && !known.has(each));
}

function literalsIn(code: string): string[] {
  return [...code.matchAll(comparison)].map(({ groups }) => groups?.["right"] ?? groups?.["left"] ?? "");
}
