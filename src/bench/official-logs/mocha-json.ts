/** Reads the documents of mocha's JSON reporter out of a log, as Multi-SWE-bench does. */

import { z } from "zod";
import { parseJson } from "../../base/parse-json.ts";
import { openSets, type TestSets } from "./test-sets.ts";

/** Accepts any value of a field, but requires the field. */
const present = z.unknown().refine((value) => value !== undefined);
const testSchema = z.object({
  title: present,
  fullTitle: z.string(),
  file: z.string().optional(),
  currentRetry: present,
  err: present,
});
export type MochaTest = z.infer<typeof testSchema>;

const counts = ["suites", "tests", "passes", "pending", "failures", "start", "end", "duration"];
const documentSchema = z.object({
  stats: z.record(z.string(), z.unknown()).refine((stats) => counts.every((name) => name in stats)),
  tests: z.array(testSchema),
  pending: z.array(testSchema),
  failures: z.array(testSchema),
  passes: z.array(testSchema),
});

/**
 * Reads mocha's JSON from a log. Undefined if the official parser would stop with an error: the log has any other JSON
 * object or one that is nested too deeply, or `nameOf` returns undefined because a test lacks a field.
 */
export function readMochaJson(
  log: string,
  nameOf: (test: MochaTest) => string | undefined,
): TestSets | undefined {
  const sets = openSets();
  const objects = findObjects(log.replaceAll("\n", ""));
  for (const found of objects ?? [undefined]) {
    const document = documentSchema.safeParse(found);
    if (!document.success) return undefined;
    const { tests, passes, failures, pending } = document.data;
    if ([...tests, ...passes, ...failures, ...pending].some((test) => nameOf(test) === undefined))
      return undefined;
    const add = (set: Set<string>, from: readonly MochaTest[]): void => {
      for (const test of from) set.add(nameOf(test) ?? "");
    };
    add(sets.passed, passes);
    add(sets.failed, failures);
    add(sets.skipped, pending);
  }
  for (const name of sets.failed) {
    sets.passed.delete(name);
    sets.skipped.delete(name);
  }
  for (const name of sets.skipped) sets.passed.delete(name);
  return sets;
}

/**
 * Returns the JSON objects in a text that are not inside another one, in order. Undefined if one is nested too deeply.
 */
function findObjects(text: string): unknown[] | undefined {
  const found: unknown[] = [];
  const begin = /\{[ \t\r]*["}]/g;
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const end = findEnd(text, match.index);
    if (end === "too deep") return undefined;
    const value = end === undefined ? undefined : parseJson(text.slice(match.index, end));
    if (value === undefined || end === undefined) begin.lastIndex = match.index + 1;
    else {
      found.push(value);
      begin.lastIndex = end;
    }
  }
  return found;
}

const token =
  /[ \t\r]*([{}[\],:]|"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/sy;
/** Python's decoder stops with an error at about this depth. */
const deepest = 1000;

/**
 * Finds the end of the object at `from`. Undefined at the first token that JSON does not allow there. This check avoids
 * a search to the end of the text for each brace in it.
 */
function findEnd(text: string, from: number): number | "too deep" | undefined {
  const open: string[] = [];
  token.lastIndex = from;
  let before = "";
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    const [, mark = ""] = match;
    const inside = open.at(-1);
    if (!isAllowed(mark, before, inside)) return undefined;
    if (mark === "{" || mark === "[") open.push(mark);
    if (mark === "}" || mark === "]") open.pop();
    if (open.length === 0) return token.lastIndex;
    if (open.length > deepest) return "too deep";
    // A key and a text differ by what may follow.
    before = mark.startsWith('"') && inside === "{" && before !== ":" ? "key" : mark;
  }
  return undefined;
}

/** True if the token may stand here. `before`: the previous token. `inside`: the open bracket. */
function isAllowed(mark: string, before: string, inside: string | undefined): boolean {
  const isOpening = before === "{" || before === "[";
  const needsValue = before === "" || before === "[" || before === ":" || (before === "," && inside === "[");
  const needsKey = inside === "{" && (before === "{" || before === ",");
  if (mark === ":") return before === "key";
  if (before === "key") return false;
  if (mark === "}" || mark === "]") {
    const isOwn = (mark === "}") === (inside === "{");
    return isOwn && (isOpening || !(needsValue || needsKey));
  }
  if (mark === ",") return !(needsValue || needsKey);
  return needsKey ? mark.startsWith('"') : needsValue;
}
