/** The fixed sequences with a scripted model: whole runs in a real sandbox. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeFailingTestsAway } from "./kind-tasks.ts";
import { createPlayground, fingerprint, type Playground } from "./millwright.ts";
import { attemptFlags, editBlock, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";
import { readMarkdown } from "./scripted-steps.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const statement =
  "A transfer of the `whole_overdraft`, or one that empties an account, is refused: InsufficientFunds is raised";

const call = (role: string, name: string, input: object): ScriptedAnswer => ({
  role,
  calls: [{ name, input }],
});
const edit = (role: string, path: string, before: string, after: string): ScriptedAnswer =>
  call(role, "edit", { edits: editBlock(path, before, after) });
const found = call("retrieval", "report", {
  places: [{ file: "ledger/account.py", startLine: 22, endLine: 24, why: "it decides" }],
  answer: "can_cover decides",
});
const head =
  "import unittest\n\nfrom ledger.account import Account\n\n\nclass WholeTest(unittest.TestCase):\n";
const shown = [
  edit(
    "reproduction",
    "tests/test_whole.py",
    "",
    `${head}    def test_pays_the_whole_balance(self):\n        Account("rent", 5).withdraw(5)`,
  ),
  call("reproduction", "show", { files: ["tests/test_whole.py"] }),
];
const line = "    return amount < available";
const mend = (before: string, after: string, contains: readonly string[] = []): ScriptedAnswer[] => [
  { ...edit("editing", "ledger/account.py", before, after), contains },
  call("editing", "done", { summary: `${after.trim()} decides` }),
];
const run = (repository: string, answers: readonly ScriptedAnswer[], ...args: string[]) =>
  solveScripted(playground, { strategy: "workflow", statement, repository, answers, args });

test("repair: reproduction, code-retrieval, edit-code, then the gate and edit-code in turn, from the newest candidate", async () => {
  const repository = playground.copyRepository("repair-python");
  takeFailingTestsAway(repository);
  const before = fingerprint(repository);
  const end = await run(
    repository,
    [
      ...shown,
      found,
      ...mend(line, "    return amount < available + 0", ["Do what the statement asks for.", "it decides"]),
      ...mend("    return amount < available + 0", "    return amount <= available", [
        "Continue from c1",
        "failing-tests-pass",
      ]),
    ],
    "--without",
    "review-patch",
  );
  expect(end.exitCode, end.stderr).toBe(0);
  expect(end.actions).toEqual([
    "reproduction",
    "code-retrieval",
    "edit-code",
    "finish",
    "edit-code",
    "finish",
  ]);
  expect(end.report).toMatchObject({ strategy: "workflow", outcome: "verified", candidates: 2 });
  expect(end.report.files.map(({ path }) => path)).toEqual(["ledger/account.py"]);
  expect(fingerprint(repository)).toBe(before);
});

test("any action can be switched off, an action that fails ends nothing, and the rounds are bounded", async () => {
  const repository = playground.copyRepository("repair-python");
  const end = await run(
    repository,
    [
      call("editing", "done", { summary: "nothing" }),
      { role: "editing", text: "It is done.", times: "always" },
    ],
    ...["--without", "reproduction,code-retrieval,review-patch"],
  );
  expect(end.exitCode).toBe(12);
  expect(new Set(end.actions)).toEqual(new Set(["edit-code"]));
  expect(end.actions.length).toBeLessThanOrEqual(20);
  expect(end.report).toMatchObject({ outcome: "none", patch: "" });
  const markdown = readMarkdown(end.report);
  expect(markdown).toMatch(/\| edit-code ✗ \| Do what the statement asks for\. → .+ \|/);
  expect(markdown).toContain("Left out: finish, because no earlier step produced a candidate for this step.");
});

test("partial-fix: edits begin from the clean base, the attempt is measured beside them, and a review judges before the gate", async () => {
  const repository = playground.copyRepository("repair-python");
  const given = attemptFlags(repository, "ledger/account.py", line, "    return True");
  const side = { approved: true, analysis: "The whole may be paid, and no more." };
  const end = await run(
    repository,
    [
      call("reproduction", "cannot-show", { because: "shown-already", reason: "a test shows it already" }),
      found,
      ...mend(line, "    return amount <= available", ["Do what the statement asks for."]),
      call("review", "verdict", { patch: side, tests: side }),
    ],
    ...given,
  );
  expect(end.exitCode, end.stderr).toBe(0);
  expect(end.actions).toEqual(["reproduction", "code-retrieval", "edit-code", "review-patch", "finish"]);
  expect(end.report).toMatchObject({ outcome: "verified", candidates: 2 });
  expect(end.report.patch).toContain("+    return amount <= available");
});
