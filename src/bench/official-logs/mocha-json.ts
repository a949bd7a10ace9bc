/** Reads the documents of mocha's JSON reporter out of a log, as Multi-SWE-bench does. */
import { z } from "zod";
import { openSets, type TestSets } from "./test-sets.ts";

/** Any value, but the field must be there. */
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
 * `nameOf` returns undefined for a test that lacks a field. Undefined for a log with any other JSON object: the
 * official parser stops there.
 */
export function readMochaJson(
  log: string,
  nameOf: (test: MochaTest) => string | undefined,
): TestSets | undefined {
  const sets = openSets();
  for (const found of findObjects(log.replaceAll("\n", ""))) {
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

/** The JSON objects in a text that are not inside of another, in their order. */
function findObjects(text: string): unknown[] {
  const found: unknown[] = [];
  const begin = /\{[ \t\r]*["}]/g;
  for (let match = begin.exec(text); match !== null; match = begin.exec(text)) {
    const end = findEnd(text, match.index);
    const value = end === undefined ? undefined : parseJson(text.slice(match.index, end));
    if (value === undefined || end === undefined) begin.lastIndex = match.index + 1;
    else {
      found.push(value);
      begin.lastIndex = end;
    }
  }
  return found;
}

/** Undefined if the text is not JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Where the brace at `from` closes, outside of strings. */
function findEnd(text: string, from: number): number | undefined {
  const token = /"(?:[^"\\]|\\.)*"|[{}"]/gs;
  token.lastIndex = from;
  let depth = 0;
  for (let match = token.exec(text); match !== null; match = token.exec(text)) {
    if (match[0] === "{") depth += 1;
    else if (match[0] === "}") depth -= 1;
    else if (match[0] === '"') return undefined;
    if (depth === 0) return token.lastIndex;
  }
  return undefined;
}
