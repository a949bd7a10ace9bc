import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type LedgerTasks,
  makeLedger,
  makeRepository,
  mendLedger,
  readDocument,
  replaceIn,
  startBench,
  writeTasks,
} from "./bench-fixture.ts";
import { createPlayground, fingerprint, type Playground } from "./millwright.ts";

const key = (name: string): string => `tests/test_transfer.py::${name}`;
let playground: Playground;
let ledger: LedgerTasks;
beforeEach(() => {
  playground = createPlayground();
  ledger = makeLedger(playground);
});
afterEach(() => playground.remove());

test("bench datasets lists each format with its rule", async () => {
  const { stdout, exitCode } = await playground.start(["bench", "datasets", "--json"]).ended;
  expect(exitCode).toBe(0);
  const { datasets } = JSON.parse(stdout) as { datasets: { name: string; rules: { name: string }[] }[] };
  expect(datasets.map(({ name, rules }) => [name, ...rules.map((rule) => rule.name)])).toEqual([
    ["bugsinpy", "pass-and-fail"],
    ["defects4j", "pass-and-fail"],
    ["feature-development", "feature-development"],
    ["millwright", "pass-and-fail"],
    ["multi-swe-bench", "multi-swe-bench"],
    ["quixbugs", "pass-and-fail"],
    ["repocod", "repocod"],
    ["repotest", "repotest"],
    ["rust-swe-bench", "rust-swe-bench"],
    ["swe-bench", "pass-and-fail", "fail-only"],
    ["swe-bench-pro", "all-passed"],
    ["swe-smith", "pass-and-fail"],
    ["swetry", "pass-and-fail"],
    ["swt-bench", "swt-bench", "usebench-patch-coverage"],
  ]);
});

describe("bench check", () => {
  test("checks a fault of BugsInPy's folder, whose base is the fixed commit without the fix", async () => {
    const { goldPatch, testFile } = ledger;
    const fixed = makeRepository(playground, "repair-python", "acme/fixed", (folder) => mendLedger(folder));
    const bug = join(playground.folder, "bugs", "projects", "ledger", "bugs", "1");
    mkdirSync(bug, { recursive: true });
    const files = {
      "../../project.info": 'github_url="https://github.com/acme/fixed"\n',
      "bug.info": `fixed_commit_id="${fixed.baseCommit}"\ntest_file="${testFile}"\n`,
      "run_test.sh": "python -m unittest -q tests.test_transfer.AccountTest.test_uses_the_whole_overdraft\n",
      "bug_patch.txt": goldPatch,
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(bug, name), text);
    const folder = join(playground.folder, "bugs");
    const end = await startBench(playground, "check", folder, "--json", "--repeats", "1", "--setup", "true")
      .ended;
    const { counts, tasks } = readDocument(end);
    expect(counts).toMatchObject({ tasks: 1, fit: 1 });
    expect(tasks["ledger-1"]).toMatchObject({ gold: "resolved", empty: "unresolved", listsFrom: "computed" });
    expect(end.exitCode).toBe(0);
  });

  test("finds the command and the lists of a task that has neither, and that the gold patch alone resolves it", async () => {
    const { goldPatch, testPatch, repository } = ledger;
    const before = fingerprint(repository.folder);
    const tasks = writeTasks(playground, repository, [
      { id: "ledger-1", hidden: { goldPatch, testPatch, testCommand: undefined } },
    ]);
    const listsFile = join(playground.folder, "lists.jsonl");
    const end = await startBench(
      playground,
      "check",
      tasks,
      "--json",
      "--repeats",
      "2",
      "--write-lists",
      listsFile,
    ).ended;
    const { counts, tasks: results } = readDocument(end);
    expect(counts).toMatchObject({ tasks: 1, fit: 1, unfit: 0 });
    expect(results["ledger-1"]).toMatchObject({
      gold: "resolved",
      empty: "unresolved",
      repeatsAgree: true,
      listsFrom: "computed",
      exceptions: [],
    });
    expect(end.exitCode).toBe(0);
    const lists: unknown = JSON.parse(readFileSync(listsFile, "utf8"));
    expect(lists).toMatchObject({
      schema: "millwright.lists/1",
      id: "ledger-1",
      failToPass: [
        expect.stringContaining("test_empties_an_account"),
        expect.stringContaining("test_uses_the_whole_overdraft"),
      ],
      flaky: [],
    });
    expect(lists).toHaveProperty("passToPass.length", 5);
    expect(fingerprint(repository.folder)).toBe(before);
  });

  test("says which flaky test it leaves out, and which tasks are unfit and why", async () => {
    const { goldPatch, repository, testFile } = ledger;
    const testPatch = repository.patch((folder) => {
      replaceIn(folder, testFile, "import unittest\n", "import pathlib\nimport unittest\n");
      replaceIn(
        folder,
        testFile,
        "class AccountTest(unittest.TestCase):\n",
        `class AccountTest(unittest.TestCase):
    def test_empties(self):
        account = Account("rent", 7)
        account.withdraw(7)

    def test_every_other_time(self):
        count = pathlib.Path("count.tmp")
        runs = len(count.read_text()) if count.exists() else 0
        count.write_text("x" * (runs + 1))
        self.assertEqual(runs % 2, 0)

`,
      );
    });
    const broken = repository.patch((folder) =>
      replaceIn(folder, "ledger/account.py", "self.owner = owner", "self.name = owner"),
    );
    const lists = { failToPass: [key("AccountTest.test_empties")], passToPass: [] };
    const tasks = writeTasks(playground, repository, [
      { id: "flaky", hidden: { goldPatch, testPatch } },
      { id: "wrong-gold", hidden: { goldPatch: broken, testPatch, lists } },
      {
        id: "no-such-test",
        hidden: { goldPatch, testPatch, lists: { ...lists, passToPass: [key("AccountTest.test_gone")] } },
      },
      {
        id: "nothing-fails",
        hidden: {
          goldPatch,
          testPatch,
          lists: { failToPass: [key("AccountTest.test_adds_a_deposit")], passToPass: [] },
        },
      },
    ]);
    const end = await startBench(playground, "check", tasks, "--json", "--workers", "2", "--repeats", "2")
      .ended;
    const { counts, tasks: results } = readDocument(end);
    expect(counts).toMatchObject({ tasks: 4, fit: 1, unfit: 3 });
    expect(results["flaky"]).toMatchObject({
      state: "fit",
      lists: {
        failToPass: [key("AccountTest.test_empties")],
        flaky: [key("AccountTest.test_every_other_time")],
      },
      exceptions: [expect.stringContaining("test_every_other_time is flaky, so it is excluded")],
    });
    expect(results["wrong-gold"]).toMatchObject({
      gold: "unresolved",
      exceptions: [expect.stringContaining("1 of 1 fail-to-pass test does not pass")],
    });
    expect(results["no-such-test"]).toMatchObject({
      unmatched: [key("AccountTest.test_gone")],
      exceptions: [expect.stringContaining("(1 of them matches no test that ran)")],
    });
    expect(results["nothing-fails"]).toMatchObject({
      gold: "resolved",
      empty: "resolved",
      exceptions: [expect.stringContaining("the empty patch is resolved")],
    });
    expect(end.exitCode).toBe(10);
  });

  test("makes the environment by the task's setup, and goes on where one fails", async () => {
    const { goldPatch, testPatch, repository } = ledger;
    const needsSetup = repository.patch((folder) => {
      replaceIn(
        folder,
        "ledger/account.py",
        "class Insuff",
        "from ledger.rate import rate\n\n\nclass Insuff",
      );
      replaceIn(folder, "ledger/account.py", "amount < available", "amount * rate <= available");
    });
    const tasks = writeTasks(playground, repository, [
      {
        id: "set-up",
        setup: "echo 'rate = 1' > ledger/rate.py && echo gone >> ledger/transfer.py",
        hidden: { goldPatch: needsSetup, testPatch },
      },
      { id: "fails", setup: "echo no such package >&2; exit 7", hidden: { goldPatch, testPatch } },
    ]);
    const end = await startBench(playground, "check", tasks, "--json", "--repeats", "1").ended;
    const { tasks: results } = readDocument(end);
    expect(results["set-up"]).toMatchObject({
      state: "fit",
      notes: [expect.stringContaining("Millwright restored them: ledger/transfer.py")],
    });
    expect(results["fails"]).toMatchObject({
      state: "infrastructure-error",
      exceptions: [expect.stringContaining("the setup failed (exit code 7): no such package")],
    });
    expect(end.exitCode).toBe(3);
  });
});
