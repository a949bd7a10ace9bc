/** That a Python candidate has the same verdict in one start with many others as in a start of its own, or none. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { formatTestKey, type TestKey, type TestOutcome } from "../../src/domain/test-outcome.ts";
import type { BatchReport, Comparison } from "../../src/languages/contract.ts";
import { type OpenProject, openProject } from "./test-batches-project.ts";
import {
  applyCase,
  changed,
  keyOf,
  type SwapCase,
  swapCases,
  swapFrameworks,
  testTimeoutMs,
} from "./test-batches-python.ts";

/** These tests do what shuts every candidate out of a batch. */
const outside = new Set(["command_line", "writes"]);

/** A batch screens: it says of a test that meets our limit that it fails. */
function asScreened(status: TestOutcome["status"]): TestOutcome["status"] {
  return status === "timed-out" ? "failed" : status;
}

function statusesOf(outcomes: readonly TestOutcome[] | undefined): Record<string, string> {
  const ran = (outcomes ?? []).filter((outcome) => outcome.status !== "not-run");
  return Object.fromEntries(ran.map(({ key, status }) => [formatTestKey(key), asScreened(status)]));
}

for (const swap of swapFrameworks) {
  const { framework, reason } = swap;
  const title = `candidates of ${framework.name} in one start`;
  describe.skipIf(reason !== undefined)(
    reason === undefined ? title : `${title} (skipped: ${reason})`,
    () => {
      let opened: OpenProject;
      const key = (name: string): TestKey => keyOf(swap, name);
      const inside = [...new Set(swapCases.map((each) => each.test))].filter((name) => !outside.has(name));

      beforeAll(async () => {
        opened = await openProject(swap);
      });
      afterAll(() => opened?.close());

      function runBatch(cases: readonly SwapCase[], tests: readonly string[]): Promise<BatchReport> {
        return opened.executor.runBatch(opened.command, framework.batch, {
          tree: opened.workspace.base,
          tests: tests.map(key),
          candidates: cases.map((each, at) => ({
            id: at + 1,
            files: [{ path: changed, content: applyCase(each) }],
          })),
          testTimeoutMs,
          timeoutMs: 100_000,
          stopAtFirstFailure: false,
        });
      }

      async function runPlainly(change: SwapCase): Promise<Record<string, string>> {
        const { workspace, executor, command } = opened;
        const tree = await workspace.trees.write(workspace.base, [
          { path: changed, content: applyCase(change) },
        ]);
        const tests = inside.map(key);
        const selection = { kind: "tests", tests } as const;
        const run = await executor.run(command, { tree, selection, testTimeoutMs, timeoutMs: 100_000 });
        return statusesOf(run.report.outcomes);
      }

      const cases = swapCases.filter((each) => !outside.has(each.test));
      let report: BatchReport;

      test("says of each candidate whether it passes, or nothing", async () => {
        report = await runBatch(cases, inside);
        expect(report.invalid).toBeUndefined();
        const results = cases.map(({ title, test }, at) => {
          const status = statusesOf(report.outcomes.get(at + 1))[formatTestKey(key(test))];
          return [title, status === undefined ? "left open" : status === "passed" ? "passes" : "fails"];
        });
        expect(Object.fromEntries(results)).toEqual(
          Object.fromEntries(cases.map(({ title, batch }) => [title, batch])),
        );
      });

      // A start for each takes long: every third, others for the other framework.
      const part = swapFrameworks.indexOf(swap);
      test("says what a start for each says", async () => {
        for (const [at, change] of cases.entries()) {
          if (at % 3 !== part) continue;
          const found = statusesOf(report.outcomes.get(at + 1));
          if (change.batch === "left open") expect(found, change.title).toEqual({});
          else expect(await runPlainly(change), change.title).toMatchObject(found);
        }
      });

      test("leaves open what tests do outside of their process", async () => {
        for (const change of swapCases.filter((each) => outside.has(each.test))) {
          const report = await runBatch([change], [change.test]);
          expect(report.invalid, change.title).toBeUndefined();
          expect([...report.outcomes], change.title).toEqual([]);
        }
      });

      test("says why nothing can be said where a test is not there", async () => {
        const report = await runBatch(swapCases.slice(0, 1), ["closure", "gone"]);
        expect(report.invalid).toMatch(/test_gone was not found/);
        expect([...report.outcomes]).toEqual([]);
      });

      function compare(changes: readonly string[]): Promise<Comparison> {
        return opened.executor.runBatch(opened.command, framework.comparison, {
          tree: opened.workspace.base,
          tests: ["thread", "closure", "temporary_file", "event_loop"].map(key),
          candidates: changes.map((to, at) => ({
            id: at + 1,
            files: [{ path: changed, content: applyCase({ from: "return amount - step", to }) }],
          })),
          testTimeoutMs,
          timeoutMs: 100_000,
          stopAtFirstFailure: false,
        });
      }

      test("compares what candidates do on the tests' inputs and on others", async () => {
        const { origins, behaviours, invalid } = await compare([
          "return amount + step",
          "return sum((step, amount))",
          "return amount + step if amount < 5 else amount - step",
          "while amount > 5: pass\n        return amount + step",
          "if amount > 5:\n            import os; os.abort()\n        return amount + step",
        ]);
        expect(invalid).toBeUndefined();
        expect(new Set(origins)).toEqual(new Set(["failing", "derived"]));
        const [base, right, alike, special, endless, deadly] = [0, 1, 2, 3, 4, 5].map(
          (id) => behaviours.get(id) ?? [],
        );
        expect(right).toHaveLength(origins.length);
        expect(alike).toEqual(right);
        expect(right?.some((each, at) => each === base?.[at])).toBe(false);
        const splits = origins.flatMap((_, at) => (special?.[at] === right?.[at] ? [] : at));
        expect(splits.length).toBeGreaterThan(0);
        expect(splits.map((at) => special?.[at])).toEqual(splits.map((at) => base?.[at]));
        expect(splits.every((at) => origins[at] === "derived")).toBe(true);
        expect(endless).toContain("hang");
        expect(deadly).toContain("crash");
      });

      test("has nothing to compare where no test calls what is changed", async () => {
        const report = await opened.executor.runBatch(opened.command, framework.comparison, {
          tree: opened.workspace.base,
          tests: [key("property")],
          candidates: [
            { id: 1, files: [{ path: changed, content: applyCase({ from: "amount * by", to: "by" }) }] },
          ],
          testTimeoutMs,
          timeoutMs: 100_000,
          stopAtFirstFailure: false,
        });
        expect(report.invalid).toMatch(/no test calls the changed functions/);
      });
    },
  );
}
