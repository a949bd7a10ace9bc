/**
 * Compares the parsers for Multi-SWE-bench's and SWT-bench's logs with their own, on logs of lines as test runners
 * print them, in random order and broken. Expected values come from `multi_swe_bench` 1.1.2 and SWT-bench at 330a649.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { parsedRepositories, setParserOf } from "./multi-swe-bench-parsers.ts";
import { scriptParser, swtParserOf } from "./swt-bench-parsers.ts";

const names = z.array(z.string());
const caseSchema = z.discriminatedUnion("harness", [
  z.object({
    ...{ harness: z.literal("multi-swe-bench"), repository: z.string(), number: z.number(), log: z.string() },
    /** Null: the official parser or report stops with an error. */
    tests: z.object({ passed: names, failed: names, skipped: names }).nullable(),
  }),
  z.object({
    ...{ harness: z.literal("swt-bench"), repository: z.string(), log: z.string() },
    statuses: z.record(z.string(), z.string()),
  }),
]);
const file = join(import.meta.dirname, "../../../tests/fixtures/datasets/other-official-logs.jsonl");
const cases = readFileSync(file, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => caseSchema.parse(JSON.parse(line)));

test("each parser takes the same from a log as Multi-SWE-bench's", () => {
  const own = cases.flatMap((each) => (each.harness === "multi-swe-bench" ? [each] : []));
  const parsers = new Set(own.map(({ repository }) => setParserOf(repository)));
  expect(parsers).toEqual(new Set(parsedRepositories.map(setParserOf)));
  for (const { repository, number, log, tests } of own) {
    const sets = setParserOf(repository)?.(log, number);
    const all = sets === undefined ? [] : [...sets.passed, ...sets.failed, ...sets.skipped];
    const isVoid = sets === undefined || new Set(all).size < all.length;
    const found = isVoid
      ? null
      : {
          passed: [...sets.passed].sort(),
          failed: [...sets.failed].sort(),
          skipped: [...sets.skipped].sort(),
        };
    expect(found, `${repository}: ${log}`).toEqual(tests);
  }
});

test("each parser takes the same from a log as SWT-bench's", () => {
  for (const each of cases) {
    if (each.harness !== "swt-bench") continue;
    const parse = each.repository === "script" ? scriptParser : swtParserOf(each.repository);
    expect(Object.fromEntries(parse?.(each.log) ?? []), each.repository).toEqual(each.statuses);
  }
});

test("a repository that a harness does not know has no parser", () => {
  expect(setParserOf("acme/ledger")).toBeUndefined();
  expect(swtParserOf("acme/ledger")).toBeUndefined();
  expect(setParserOf("Clap-RS/clap")).toBe(setParserOf("sharkdp/fd"));
});
