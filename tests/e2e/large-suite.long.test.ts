/** A suite of many files: the model is asked after the nearest tests, and the gate sees all of them. */
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RunEvent } from "../../src/domain/run-event.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { editBlock, killAndResume, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const statement =
  "Emptying an account by `withdraw`, or a transfer of the `whole_overdraft`, is refused: InsufficientFunds is raised";
const account = "ledger/account.py";
const wrong = "    return amount < available";

const call = (role: string, name: string, input: object = {}): ScriptedAnswer => ({
  role,
  calls: [{ name, input }],
});
const shell = (after: string): readonly [ScriptedAnswer, ScriptedAnswer] => [
  call("editing", "str_replace", { path: account, old: wrong, new: after }),
  call("editing", "submit", { summary: "all of it may be paid" }),
];

/** Twenty more files of tests, the last of which pins what nothing near the statement does. */
function manyTests(): string {
  const repository = playground.copyRepository("repair-python");
  const folder = join(repository, "tests", "others");
  mkdirSync(folder);
  writeFileSync(join(folder, "__init__.py"), "");
  appendFileSync(join(repository, account), "\n\ndef pinned():\n    return False\n");
  for (let number = 0; number < 20; number += 1) {
    const body = number < 19 ? "self.assertTrue(1)" : "self.assertFalse(pinned())";
    const text = `import unittest\n\nfrom ledger.account import pinned\n\n\nclass Other(unittest.TestCase):\n    def test_other(self):\n        ${body}\n`;
    writeFileSync(join(folder, `test_other_${number}.py`), text);
  }
  return repository;
}

const solve = (strategy: string, answers: readonly ScriptedAnswer[], repository: string, ...args: string[]) =>
  solveScripted(playground, { strategy, statement, repository, answers, args });

const indexOf = (events: readonly RunEvent[], is: (event: RunEvent) => boolean): number => {
  const at = events.findIndex(is);
  expect(at).toBeGreaterThanOrEqual(0);
  return at;
};
const finished = (step: string) => (event: RunEvent) =>
  event.event === "step-finished" && event.step === step;

test.each([process.env["MILLWRIGHT_TEST_SANDBOX"] ?? "auto"])(
  "in the sandbox %s the first question comes before all tests have run, and the gate has them all",
  async (sandbox) => {
    const [edit, submit] = shell("    return amount <= available");
    const { exitCode, report, events, stderr } = await solve(
      "react",
      [
        {
          ...edit,
          contains: "Only the nearest tests ran, 1 of 21 test files (tests/test_transfer.py)",
        },
        submit,
      ],
      manyTests(),
      ...["--sandbox", sandbox],
    );
    expect(exitCode, stderr).toBe(0);
    const asked = indexOf(events, ({ event }) => event === "call-started");
    expect(indexOf(events, finished("baseline"))).toBeLessThan(asked);
    expect(indexOf(events, finished("whole-suite"))).toBeGreaterThan(asked);
    const { evidence = "" } = report.gate.find(({ predicate }) => predicate === "no-test-breaks") ?? {};
    expect(evidence).toMatch(/^all 2\d tests that passed before still pass$/);
    const replayed = await playground.start(["replay", "last", "--output", "json"]).ended;
    expect(JSON.parse(replayed.stdout), replayed.stderr).toMatchObject({ same: true, changed: [] });
  },
);

test("what a patch breaks far from the statement is seen", async () => {
  const repository = manyTests();
  const { report } = await solve(
    "unified",
    [
      call("planning", "edit-code", { intent: "let all of it be paid" }),
      call("editing", "edit", {
        edits:
          editBlock(account, wrong, "    return amount <= available") +
          editBlock(account, "    return False", "    return True"),
      }),
      call("editing", "done", { summary: "all of it may be paid" }),
      { ...call("planning", "finish", { candidate: "c1" }), times: "always" },
    ],
    repository,
    ...["--without", "review-patch", "--max-steps", "4"],
  );
  expect(report.outcome).toBe("unverified");
  const broken = report.gate.find(({ predicate }) => predicate === "no-test-breaks");
  expect(broken?.holds).toBe(false);
  expect(broken?.evidence).toContain("test_other_19");
});

test("a run that dies while the rest of the suite runs goes on, and ends as it would have", async () => {
  const repository = manyTests();
  const { report } = await solve("react", shell("    return amount <= available"), repository);
  const again = await killAndResume(playground, report, { repository, statement, strategy: "react" }, 1);
  expect([again.report.outcome, again.report.patch]).toEqual([report.outcome, report.patch]);
});
