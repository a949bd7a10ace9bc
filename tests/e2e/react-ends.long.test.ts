/** More whole runs of the shell and the editor: attempts, kills, tests that only share words, equal code. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeFailingTestsAway } from "./kind-tasks.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { after, solveByReact, statement, submit, use } from "./scripted-react.ts";
import { attemptFlags, killAndResume, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const run = (answers: readonly ScriptedAnswer[], repository: string, ...args: string[]) =>
  solveByReact(playground, answers, repository, ...args);

test("where no test of the repository fails, those that it wrote show the fault, and are no part of the patch", async () => {
  const repository = playground.copyRepository("repair-python");
  takeFailingTestsAway(repository);
  // Their names count the cases: with one more before them they have others.
  const cases = `import pytest
from ledger.account import Account


@pytest.mark.parametrize("amounts, left", [
    ([1], 4),
    ([2, 1], 2),
])
def test_what_is_left(amounts, left):
    account = Account("rent", 5)
    for amount in amounts:
        account.withdraw(amount)
    assert account.balance == left
`;
  writeFileSync(join(repository, "tests/test_cases.py"), cases);
  const body =
    'import pathlib\nimport unittest\n\nfrom ledger.account import Account\n\n\nclass WholeTest(unittest.TestCase):\n    def test_pays_the_whole_balance(self):\n        amount = int(pathlib.Path(__file__).with_name("amount.json").read_text())\n        Account("rent", amount).withdraw(amount)\n';
  const end = await run(
    [
      // The test reads this file. As an argument, it would end pytest: it contains no test.
      use("create", { path: "tests/amount.json", text: "5\n" }),
      use("create", { path: "tests/test_whole.py", text: body }),
      use("str_replace", {
        path: "tests/test_cases.py",
        old: "    ([1], 4),",
        new: "    ([5], 0),\n    ([1], 4),",
      }),
      use("bash", { command: "sed -i 's/amount < available/amount <= available/' ledger/account.py" }),
      submit,
    ],
    repository,
    ...["--test-command", "python3 -m pytest"],
  );
  expect(end.exitCode, end.stderr).toBe(0);
  const { report } = end;
  expect(report.gate.filter(({ holds }) => !holds)).toEqual([]);
  expect(report.files.map(({ path }) => path)).toEqual(["ledger/account.py"]);
  const written = readFileSync(join(report.runDirectory, "tests.diff"), "utf8");
  expect(execFileSync("git", ["apply", "--numstat"], { cwd: repository, input: written }).toString()).toBe(
    "1\t0\ttests/amount.json\n1\t0\ttests/test_cases.py\n10\t0\ttests/test_whole.py\n",
  );
});

test("the author of a test that fails with and without the patch is told so once, although the gate holds", async () => {
  const repository = playground.copyRepository("repair-python");
  takeFailingTestsAway(repository);
  const head =
    "import unittest\n\nfrom ledger.account import Account\n\n\nclass WholeTest(unittest.TestCase):\n";
  const right = '    def test_pays_all(self):\n        Account("rent", 5).withdraw(5)\n';
  const wrong =
    '\n    def test_has_a_mistake(self):\n        self.assertEqual(Acount("rent", 5).balance, 5)\n';
  const end = await run(
    [
      use("create", { path: "tests/test_whole.py", text: head + right + wrong }),
      use("bash", { command: "sed -i 's/amount < available/amount <= available/' ledger/account.py" }),
      submit,
      after(["test_has_a_mistake fails with and without the patch", "name 'Acount' is not defined"], submit),
    ],
    repository,
  );
  expect(end.exitCode, end.stderr).toBe(0);
  const { report } = end;
  expect(report.outcome).toBe("verified");
  expect(report.usage.calls).toBe(4);
  const titles = end.events.flatMap((event) => (event.event === "phase-started" ? [event.title] : []));
  expect(titles.slice(-4)).toEqual([
    ...["let the model work", "judge the submitted work", "let the model continue", "judge the work"],
  ]);
  expect(JSON.stringify(report.remarks)).toContain("test_has_a_mistake fails with and without the patch");
});

test("of an existing file that gains a test, only this test runs on the base", async () => {
  const repository = playground.copyRepository("repair-python");
  takeFailingTestsAway(repository);
  const head = "class TransferTest(unittest.TestCase):\n";
  const added =
    '    def test_pays_all(self):\n        rent = Account("rent", 5)\n        rent.withdraw(5)\n        self.assertEqual(rent.balance, 0)\n\n';
  const end = await run(
    [
      use("str_replace", { path: "tests/test_transfer.py", old: head, new: head + added }),
      use("bash", { command: "sed -i 's/amount < available/amount <= available/' ledger/account.py" }),
      submit,
    ],
    repository,
  );
  expect(end.exitCode, end.stderr).toBe(0);
  expect(end.report.outcome).toBe("verified");
  const runs = end.events.flatMap((event) =>
    event.event === "step-started" && event.step.startsWith("tests:") ? [event.step] : [],
  );
  expect(runs.filter((step) => step.includes("test_transfer.py") && !step.includes("test_pays_all"))).toEqual(
    [],
  );
  // With the patch's tests, and with those of the base.
  expect(runs.filter((step) => step.includes('"kind":"all"'))).toHaveLength(2);
});

test("a test of the base that hangs and ends its process hides no other test", async () => {
  const repository = playground.copyRepository("repair-python");
  const hang = "import unittest\n\n\nclass HangTest(unittest.TestCase):\n    def test_hangs(self):\n";
  const path = join(repository, "tests/test_hang.py");
  writeFileSync(path, `${hang}        sum(range(10**14))\n`);
  const end = await run(
    [
      use("bash", { command: "sed -i 's/amount < available/amount <= available/' ledger/account.py" }),
      submit,
    ],
    repository,
    ...["--test-timeout", "2s"],
  );
  expect(end.exitCode, end.stderr).toBe(0);
  expect(end.report.outcome).toBe("verified");
});

test("a failing test that shares only words with the statement counts once the patch turns it, as moderate evidence", async () => {
  const repair = use("str_replace", {
    path: "ledger/account.py",
    old: "return amount < available",
    new: "return amount <= available",
  });
  const statement = "One cannot empty an account to the last cent";
  const answers = [repair, { ...submit, times: "always" as const }];
  const repository = playground.copyRepository("repair-python");
  const end = await solveScripted(playground, { strategy: "react", statement, repository, answers });
  expect(end.exitCode, end.stderr).toBe(0);
  expect(end.report).toMatchObject({ outcome: "verified", strength: "moderate" });
  const reason = end.report.gate.find(({ predicate }) => predicate === "failure-is-the-stated-one");
  expect(reason?.evidence).toContain("share the words");
});

test("an attempt that is given is measured like what it did itself, which begins from the clean base", async () => {
  const repository = playground.copyRepository("repair-python");
  const [path, before, mended] = ["ledger/account.py", "amount < available", "amount <= available"] as const;
  const given = attemptFlags(repository, path, before, mended);
  const end = await run(
    [
      use("bash", { command: "grep -n 'return amount' ledger/account.py" }),
      after(
        "return amount < available",
        use("bash", { command: "sed -i 's/amount < available/True/' ledger/account.py" }),
      ),
      submit,
    ],
    repository,
    ...given,
  );
  expect(end.exitCode, end.stderr).toBe(0);
  const { report } = end;
  expect(report.candidates).toBe(2);
  expect(report.patch).toContain("+    return amount <= available");
});

test("an attempt that is given is shown, and does not stand in for what is submitted", async () => {
  const repository = playground.copyRepository("repair-python");
  const [path, before] = ["ledger/account.py", "amount < available"] as const;
  const given = attemptFlags(repository, path, before, "amount < available + 0");
  const end = await run(
    [
      after(
        ["# The attempt", "the given attempt", "+    return amount < available + 0"],
        use("bash", { command: `sed -i 's/${before}/amount <= available/' ${path}` }),
      ),
      submit,
    ],
    repository,
    ...given,
  );
  expect(end.exitCode, end.stderr).toBe(0);
  expect(end.report.usage.calls).toBe(2);
  expect(end.report.patch).toContain("+    return amount <= available");
});

test("killed between commands, a resumed run lays what the last one left, and executes and asks nothing twice", async () => {
  const repository = playground.copyRepository("repair-python");
  const answers = [
    use("bash", { command: "echo one >> count.txt; mkdir made && cd made" }),
    use("bash", { command: "echo two >> ../count.txt" }),
    use("bash", {
      command:
        "cd ..; cat count.txt; rm count.txt; sed -i 's/amount < available/amount <= available/' ledger/account.py",
    }),
    after(["one\ntwo"], submit),
  ];
  const { report: whole } = await run(answers, repository);
  expect(whole.outcome).toBe("verified");
  const again = { repository, statement, strategy: "react" };
  const resumed = await killAndResume(playground, whole, again, 3);
  expect(resumed.report).toMatchObject({ patch: whole.patch, usage: whole.usage, outcome: "verified" });
  expect(resumed.answers).toBe(whole.usage.calls);
  const record = readFileSync(join(resumed.report.runDirectory, "events.jsonl"), "utf8");
  expect(record.match(/"step-finished","?.*?"step":"shell:\.1\.1:/g)).toHaveLength(1);
  expect(existsSync(join(repository, "count.txt"))).toBe(false);
});

test("a failing test of the base that shares only words with the statement is not the fault beside one that was written", async () => {
  const repository = playground.copyRepository("repair-python");
  takeFailingTestsAway(repository);
  const network =
    'import unittest\n\n\nclass Network(unittest.TestCase):\n    def test_far(self):\n        raise OSError("a transfer of this account was refused: there is no network")\n';
  writeFileSync(join(repository, "tests", "test_network.py"), network);
  const body =
    'import pathlib\nimport unittest\n\nfrom ledger.account import Account\n\n\nclass WholeTest(unittest.TestCase):\n    def test_pays_the_whole_balance(self):\n        amount = int(pathlib.Path(__file__).with_name("amount.json").read_text())\n        Account("rent", amount).withdraw(amount)\n';
  const end = await run(
    [
      // The test reads this file. As an argument, it would end pytest: it contains no test.
      use("create", { path: "tests/amount.json", text: "5\n" }),
      use("create", { path: "tests/test_whole.py", text: body }),
      use("bash", { command: "sed -i 's/amount < available/amount <= available/' ledger/account.py" }),
      submit,
    ],
    repository,
  );
  expect(end.exitCode, end.stderr).toBe(0);
  const { evidence = "" } = end.report.gate.find(({ predicate }) => predicate === "failing-tests-pass") ?? {};
  expect(evidence).toBe("1 of 1 passes with the patch");
});

test("code that equals what the patch replaced, and stays, is an objection until a review says why it needs no change", async () => {
  const repository = playground.copyRepository("repair-python");
  const file = join(repository, "ledger/account.py");
  const body =
    '    available = account.balance + account.overdraft\n    if account.owner is None or account.balance is None:\n        raise ValueError("nobody owns it")\n    return amount < available\n';
  const text = readFileSync(file, "utf8").replace(/ {4}available = [\s\S]*/, body);
  writeFileSync(file, `${text}\n\ndef can_lend(account, amount):\n${body}`);
  const side = { approved: true, analysis: "It decides by what is available.", advice: "" };
  const verdict = { patch: side, tests: side };
  const place = "ledger/account.py:33";
  const because = "a loan has to leave something in the account, and nothing of that is reported";
  const judge = (input: object): ScriptedAnswer => ({
    role: "review",
    calls: [{ name: "verdict", input }],
  });
  const end = await run(
    [
      use("bash", { command: "sed -i '0,/amount < available/s//amount <= available/' ledger/account.py" }),
      submit,
      after(["no-standing-objection", `${place} equals the code that the patch changes`], submit),
      after(["Places that equal the replaced code", "def can_lend"], judge(verdict)),
      after(
        `whether it needs the same change, and why. Missing: ${place}`,
        judge({ ...verdict, twins: [{ place, needsChange: false, because }] }),
      ),
    ],
    repository,
  );
  expect(end.exitCode, end.stderr).toBe(0);
  expect(end.report).toMatchObject({ outcome: "verified", strength: "moderate" });
  const suffices = end.report.gate.find(({ predicate }) => predicate === "evidence-suffices");
  expect(suffices?.evidence).toContain(`${place} equals the code that the patch changes`);
  expect(suffices?.evidence).toContain(because);
});
