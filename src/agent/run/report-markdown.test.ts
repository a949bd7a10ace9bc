import { expect, test } from "vitest";
import { type Findings, noFindings } from "../../domain/finding.ts";
import { noUsage, type SolveReport } from "../../domain/solve-report.ts";
import type { Told } from "../record/told-by.ts";
import { renderReport } from "./report-markdown.ts";

const report: SolveReport = {
  schema: "millwright.solve/1",
  outcome: "verified",
  reason: "The failing test passes with the patch, and no other test breaks.",
  exitCode: 0,
  run: "r",
  runDirectory: "/runs/r",
  task: { id: "seating-1", kind: "repair" },
  strategy: "search-repair",
  model: null,
  sandbox: "docker",
  testCommand: { command: "node --test", foundBy: "package.json scripts.test" },
  patch: "--- a/src/row.js\n+++ b/src/row.js\n@@ -1 +1 @@\n-`a`\n+```b```\n",
  files: [{ path: "src/row.js", added: 1, removed: 1 }],
  gate: [{ predicate: "no-test-breaks", holds: false, evidence: "2 of 7 break" }],
  candidates: 3,
  seconds: 4.2,
  usage: noUsage,
};

const findings: Findings = {
  ...noFindings,
  change: "`>` becomes `>=`",
  faults: [
    {
      location: { file: "src/row.js", startLine: 14, endLine: 14, symbol: "findBlock" },
      score: 0.5,
      evidence: "run by 3 of 3 failing | and 1 passing tests",
    },
  ],
  failingTests: [
    {
      key: { package: "", target: "test/hall.test.js", name: "a hall > fills a row" },
      type: "Error",
      message: "no row\nhas 2 free seats",
      frame: "src/hall.js:11",
    },
  ],
  attempts: { plausible: 1, "failing tests still fail": 2 },
};

const told: Told = {
  title: "A full row is offered",
  work: [{ action: "bash", intent: "4 times", failed: false, calls: 0.8, tokens: 812.4, usd: 0.02 }],
};

test("a reviewer finds what changed, why, and what was run, in one page", () => {
  const text = renderReport(report, findings, told);
  const headings = [...text.matchAll(/^#+ (.*)$/gm)].map((match) => match[1]);
  expect(headings).toEqual([
    "Verified patch: A full row is offered",
    "Patch",
    "Failures without the patch",
    "Suspected places of the fault",
    "Evidence",
    "Test runs",
    "Actions",
    "Cost",
  ]);
  expect(text).toContain("`src/row.js:14` in `findBlock`");
  expect(text).toContain("Error: no row has 2 free seats (raised at `src/hall.js:11`)");
  expect(text).toContain("✗ **no-test-breaks**: 2 of 7 break");
  expect(text).toContain("Candidates validated: 3 (plausible: 1, failing tests still fail: 2).");
  expect(text).toContain("| bash | 4 times | 0.8 | 812 | 0.0200 |");
  expect(text).toContain("no model, no cost");
  expect(text).toContain("Task `seating-1`, run `r`.");
});

test("text of the repository cannot leave its fence or its table cell", () => {
  const text = renderReport(report, findings, told);
  expect(text).toContain("````diff\n");
  expect(text).toContain("failing \\| and");
});

test("a run without a patch says so and leaves out what it has not", () => {
  const text = renderReport({ ...report, outcome: "none", patch: "", files: [], gate: [] }, noFindings, told);
  expect(text).toContain("# No patch: A full row is offered");
  expect(text).not.toContain("## Patch");
  expect(text).not.toContain("## Evidence");
});

test("calls of a model whose price is not known are not said to cost nothing", () => {
  const asked = { ...report, model: "openai-compatible/own" };
  const costOf = (usd: number, unpriced: number) =>
    / out, (.*)\. Task/.exec(
      renderReport({ ...asked, usage: { ...noUsage, calls: 3, usd, unpriced } }, findings, told),
    )?.[1];
  expect(costOf(0, 3)).toBe("price unknown");
  expect(costOf(0.5, 1)).toBe("$0.5000 and 1 call of unknown price");
  expect(costOf(0.5, 0)).toBe("$0.5000");
  const [row] = told.work;
  const work = row === undefined ? [] : [{ ...row, usd: undefined }];
  expect(renderReport(asked, findings, { ...told, work })).toContain("| 0.8 | 812 | ? |");
});
