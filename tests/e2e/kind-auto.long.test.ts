/** Runs whose kind nobody gave: told by rule, asked of the model, corrected by the planner, and the same in a run that goes on. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlayground, type Playground } from "./millwright.ts";
import { editBlock as block, killAndResume, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";
import { act, done, edit, predicate, readMarkdown } from "./scripted-steps.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

test("the model is asked once, its planner corrects it before an edit, the gate follows, and a run that goes on asks nothing again", async () => {
  const repository = playground.copyRepository("repair-python");
  const statement = "`Account.close` pays out the balance. Add its tests.";
  const balance = "        self.balance = self.balance - amount";
  const close = `${balance}\n\n    def close(self):\n        rest, self.balance = self.balance, 0\n        return rest`;
  const tests =
    'import unittest\n\nfrom ledger.account import Account\n\n\nclass CloseTest(unittest.TestCase):\n    def test_pays_out(self):\n        account = Account("rent", 5)\n        self.assertEqual(account.close(), 5)\n        self.assertEqual(account.balance, 0)';
  const answers: ScriptedAnswer[] = [
    {
      role: "planning",
      system: "choose the task's kind by the deliverables",
      contains: "`Account.close` pays out",
      json: { kind: "regression-test", reason: "It asks for tests." },
    },
    act("test-retrieval", { intent: "tests of accounts" }),
    {
      role: "retrieval",
      calls: [
        {
          name: "report",
          input: {
            places: [{ file: "tests/test_transfer.py", startLine: 1, endLine: 9, why: "its form" }],
            answer: "unittest",
          },
        },
      ],
    },
    act("correct-kind", { kind: "test-generation", reason: "it asks for tests" }),
    {
      ...act("correct-kind", { kind: "feature", reason: "close is not there: code and tests are wanted" }),
      contains: "Tasks of the kind test-generation need a function as their target",
    },
    {
      ...act("edit-code", { intent: "write close and its tests" }),
      contains: ["The model corrected the kind of the task: feature", "tests/test_transfer.py:1-9"],
    },
    { role: "planning", json: { requirements: ["It pays out the balance"] } },
    edit(block("ledger/account.py", balance, close), block("tests/test_close.py", "", tests)),
    done("close pays out, and is tested", {
      requirements: [{ id: "1", tests: ["CloseTest.test_pays_out"], changes: ["ledger/account.py:23"] }],
    }),
  ];
  const run = {
    repository,
    statement,
    strategy: "unified",
    args: ["--kind", "auto", "--without", "review-patch"],
  };
  const end = await solveScripted(playground, { ...run, answers });
  const chosen = end.events.flatMap((event) =>
    event.event === "kind-chosen" ? [[event.kind, event.by]] : [],
  );
  expect(chosen).toEqual([
    ["regression-test", "model"],
    ["feature", "planner"],
  ]);
  expect(end.report.task).toMatchObject({ kind: "feature", chosen: { by: "planner" } });
  expect(end.report.files.map(({ path }) => path)).toEqual(["ledger/account.py", "tests/test_close.py"]);
  expect(predicate(end.report, "has-code-and-tests")?.holds).toBe(true);
  expect(end.actions).toEqual(["test-retrieval", "edit-code", "finish"]);
  expect(readMarkdown(end.report)).toContain(
    "of the kind `feature` (corrected by the planner: close is not there",
  );
  const description = JSON.parse(readFileSync(join(end.report.runDirectory, "run.json"), "utf8"));
  expect(description.kindByRule).toMatchObject({ by: "rule", isSure: false });

  const resumed = await killAndResume(playground, end.report, run, 4);
  expect(resumed.report).toMatchObject({ patch: end.report.patch, task: end.report.task });
  expect(resumed.answers).toBe(end.report.usage.calls);
});
