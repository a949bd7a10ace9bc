import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { hashText } from "../../src/base/hash.ts";
import { takeFailingTestsAway } from "./kind-tasks.ts";
import { createPlayground, fingerprint, type Playground } from "./millwright.ts";
import { after, solveByReact, statement, submit, use } from "./scripted-react.ts";
import { requestsOf, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const run = (answers: readonly ScriptedAnswer[], repository: string, ...args: string[]) =>
  solveByReact(playground, answers, repository, ...args);

test("reads, edits and tries out by shell and editor; what stands in the tree is judged by the gate", async () => {
  const repository = playground.copyRepository("repair-python");
  const before = fingerprint(repository);
  const end = await run(
    [
      after(
        ["Before any change", " fail:\n- ", "test_empties_an_account"],
        use("bash", { command: "grep -rn 'amount <' ledger; cd ledger && echo noise > /tmp/noise" }),
      ),
      after(
        ["return amount < available", "(the next command starts in ledger)"],
        use("bash", { command: "pwd; ls" }),
      ),
      after("account.py", use("view", { path: "ledger/account.py", startLine: 20 })),
      after(
        "available = ",
        use("str_replace", {
          path: "ledger/account.py",
          old: "return amount < available",
          new: "return amount <= available",
        }),
      ),
      after(
        "return amount <= available",
        use("bash", { command: "cd .. && python3 -m unittest 2>&1 | tail -3; exit 3" }),
      ),
      after(["exit code 3", "OK"], use("create", { path: "notes/scratch.txt", text: "tried\n" })),
      after("Created notes/scratch.txt.", use("bash", { command: "cat notes/scratch.txt && rm -r notes" })),
      after("tried", use("submit", { summary: "All that is available may be paid" })),
    ],
    ...[repository, "--temperature", "0.4,editing=0.7"],
  );
  expect(end.exitCode, end.stderr).toBe(0);
  const { report } = end;
  expect(report).toMatchObject({
    strategy: "react",
    outcome: "verified",
    files: [{ path: "ledger/account.py" }],
  });
  expect(report.usage.calls).toBe(8);
  expect(requestsOf(end).map(({ settings }) => settings.temperature)).toEqual(Array(8).fill(0.7));
  expect(fingerprint(repository)).toBe(before);
  const markdown = readFileSync(join(report.runDirectory, "report.md"), "utf8");
  expect(markdown).toContain("**The change:** All that is available may be paid");
  expect(markdown).toMatch(/\| bash \| 4 times \| 4 \| \d+ \|/);
});

test("tests that fail for another reason show nothing, and a changed test makes no patch right", async () => {
  const repository = playground.copyRepository("repair-python");
  takeFailingTestsAway(repository);
  const body =
    "import unittest\n\n\nclass OtherTest(unittest.TestCase):\n    def test_other(self):\n        self.fail()\n";
  const end = await run(
    [
      use("create", { path: "tests/test_other.py", text: body }),
      use("bash", {
        command: "sed -i 's/amount < available/True/' ledger/account.py; rm tests/test_transfer.py",
      }),
      submit,
    ],
    repository,
  );
  expect(end.exitCode).toBe(10);
  const { report } = end;
  expect(report.gate.find(({ predicate }) => predicate === "no-test-breaks")?.holds).toBe(false);
  expect(report.patch).toContain("return True");
  expect(report.patch).not.toContain("test_");
});

test("tests in files that the command does not run count for nothing, and the others still show the fault", async () => {
  const repository = playground.copyRepository("repair-python");
  takeFailingTestsAway(repository);
  // As a browser's tests without a browser.
  const site = "import browser\n\n\ndef test_site():\n    assert browser\n";
  mkdirSync(join(repository, "web"));
  for (const name of ["site", "page"]) writeFileSync(join(repository, `web/test_${name}.py`), site);
  const shown = `from ledger.account import Account\n\n\ndef test_empties():\n    account = Account("rent", 5)\n    account.withdraw(5)\n    assert account.balance == 0\n`;
  const end = await run(
    [
      use("create", { path: "tests/test_empties.py", text: shown }),
      use("bash", { command: "echo 'VERSION = 2' >> web/test_site.py" }),
      use("bash", { command: "sed -i 's/amount < available/amount <= available/' ledger/account.py" }),
      submit,
    ],
    repository,
    ...["--test-command", "python3 -m pytest tests"],
  );
  expect(end.exitCode, end.stderr).toBe(0);
  expect(end.report.remarks?.join("\n")).toContain("web/test_site.py: the file has no effect");
});

test("commands that hang, flood, escape or break the tree are told as they are, and the run goes on", async () => {
  const repository = playground.copyRepository("repair-python");
  const before = fingerprint(repository);
  const numbers = Array.from({ length: 9000 }, (_, at) => at + 1).join("\n");
  const handle = `output:${hashText(numbers).slice(0, 8)}`;
  const end = await run(
    [
      use("bash", { command: "sleep 900 & sleep 900", seconds: 1 }),
      after("killed after 1 s", use("bash", { command: "seq 9000" })),
      after(`${handle} has them`, use("view", { path: handle, startLine: 5000, endLine: 5001 })),
      after("5000\n5001", use("bash", { command: "yes line | head -c 3000000; echo end >&2" })),
      after(
        ["are omitted", "end"],
        use("bash", { command: "rm -rf .git; mkfifo pipe; ln -s /etc/passwd out; cd /\n(" }),
      ),
      after(["exit code", "pipe is not a regular file"], use("view", { path: "out" })),
      after("is a symbolic link", use("create", { path: "../outside.py", text: "x" })),
      after("outside the repository", use("create", { path: "/etc/outside.py", text: "x" })),
      after("outside the repository", use("create", { path: ".git/hooks/x", text: "x" })),
      after(
        "not a path of a file",
        use("str_replace", { path: "ledger/account.py", old: "amount", new: "x" }),
      ),
      after("Include more of the text", use("insert", { path: "ledger/account.py", line: 9999, text: "x" })),
      after("lines.", use("bash", { command: "rm out; rm -rf ledger" })),
      { role: "editing", text: "It is done.", times: "always" },
    ],
    repository,
    "--max-steps",
    "12",
  );
  expect(end.exitCode, end.stderr).toBe(12);
  const { report } = end;
  expect(report.outcome).toBe("unverified");
  expect(report.patch).toContain("deleted file mode 100644");
  expect(fingerprint(repository)).toBe(before);
});

test("a stated input that no test has denies the verdict, until a written test that guards it is added", async () => {
  const asked = `${statement}. This must work in leap years, too.`;
  const edit = {
    path: "ledger/account.py",
    old: "return amount < available",
    new: "return amount <= available",
  };
  const told = "a leap year: This must work in leap years, too.";
  const solve = (more: readonly ScriptedAnswer[]) =>
    solveScripted(playground, {
      strategy: "react",
      statement: asked,
      repository: playground.copyRepository("repair-python"),
      answers: [use("str_replace", edit), after("return amount <= available", submit), ...more],
      args: [],
    });
  const silent = await solve([after(told, submit)]);
  expect(silent.exitCode, silent.stderr).toBe(10);
  expect(silent.report.reason).toContain(told);
  const guard =
    'import unittest\n\nfrom ledger.account import Account\n\n\nclass LeapTest(unittest.TestCase):\n    def test_leap_year(self):\n        account = Account("rent", 29)\n        account.withdraw(1)\n        self.assertEqual(account.balance, 28)\n';
  const end = await solve([
    after(told, use("create", { path: "tests/test_leap.py", text: guard })),
    after("tests/test_leap.py is made.", submit),
  ]);
  expect(end.exitCode, end.stderr).toBe(0);
  expect(end.report).toMatchObject({ outcome: "verified", files: [{ path: "ledger/account.py" }] });
  expect(readFileSync(join(end.report.runDirectory, "tests.diff"), "utf8")).toContain("test_leap_year");
});

test("a written test of what the faulty code does denies no right patch", async () => {
  const edit = {
    path: "ledger/account.py",
    old: "return amount < available",
    new: "return amount <= available",
  };
  const today =
    'import unittest\n\nfrom ledger.account import Account\n\n\nclass TodayTest(unittest.TestCase):\n    def test_today(self):\n        with self.assertRaises(Exception):\n            Account("rent", 29).withdraw(29)\n';
  const end = await solveScripted(playground, {
    strategy: "react",
    statement,
    repository: playground.copyRepository("repair-python"),
    answers: [
      use("create", { path: "tests/test_today.py", text: today }),
      use("str_replace", edit),
      after("return amount <= available", submit),
      submit,
    ],
    args: [],
  });
  expect(end.exitCode, end.stderr).toBe(0);
  expect(end.report).toMatchObject({ outcome: "verified", files: [{ path: "ledger/account.py" }] });
});
