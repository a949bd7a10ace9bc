/**
 * Compares the rules `pass-and-fail` and `fail-only` with SWE-bench's own report on random statuses and lists,
 * including truncated ids.
 * Expected values come from its package (swebench 5.0.2: `get_eval_tests_report`, `get_resolution_status`).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { officialStatuses } from "../official-logs/contract.ts";
import failOnly from "./fail-only.ts";
import passAndFail from "./pass-and-fail.ts";

const caseSchema = z.object({
  statuses: z.record(z.string(), z.string()),
  failToPass: z.array(z.string()),
  passToPass: z.array(z.string()),
  evalType: z.enum(["pass_and_fail", "fail_only"]),
  /** The fail-to-pass and pass-to-pass tests with an accepted status. */
  success: z.tuple([z.array(z.string()), z.array(z.string())]),
  resolved: z.boolean(),
});
const file = join(import.meta.dirname, "../../../tests/fixtures/datasets/swe-bench-report.jsonl");
const cases = readFileSync(file, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => caseSchema.parse(JSON.parse(line)));
const hidden = {
  goldPatch: "",
  testPatch: "",
  tests: { command: undefined, files: [], limitMs: undefined },
  lists: undefined,
};

function judge(each: z.infer<typeof caseSchema>) {
  const { failToPass, passToPass, evalType } = each;
  const outcomes = Object.entries(each.statuses).map(([id, status]): TestOutcome => {
    const [target = "", name = ""] = id.split("::");
    return {
      key: { package: "", target, name },
      status: officialStatuses[status] ?? "errored",
      durationMs: 0,
    };
  });
  const run = { framework: "pytest", outcomes, invalid: undefined, end: "exited" } as const;
  const grader = evalType === "fail_only" ? failOnly : passAndFail;
  const verdict = grader.judge(run, { failToPass, passToPass, flaky: [] }, hidden);
  return {
    success: [verdict.failToPass.success, verdict.passToPass.success],
    resolved: verdict.outcome === "resolved",
  };
}

test("both reports say the same of every case", () => {
  expect(cases.length).toBeGreaterThan(200);
  expect(cases.filter(({ resolved }) => resolved).length).toBeGreaterThan(50);
  const differing = cases.filter((each) => {
    const { success, resolved } = each;
    return JSON.stringify(judge(each)) !== JSON.stringify({ success, resolved });
  });
  expect(differing).toEqual([]);
});
