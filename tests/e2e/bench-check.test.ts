import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type LedgerTasks,
  makeLedger,
  makeRepository,
  readDocument,
  replaceIn,
  startBench,
  writeLines,
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
      notes: [expect.stringContaining("the setup changed ledger/transfer.py")],
    });
    expect(results["fails"]).toMatchObject({
      state: "infrastructure-error",
      exceptions: [expect.stringContaining("the setup failed (exit code 7): no such package")],
    });
    expect(end.exitCode).toBe(3);
  });

  test("reads SWE-bench's and Multi-SWE-bench's fields, and titles as mocha and others print them", async () => {
    const repository = makeRepository(playground, "repair-javascript", "acme/seating", () => {});
    const goldPatch = repository.patch((folder) =>
      replaceIn(folder, "src/row.js", "free > size", "free >= size"),
    );
    const tasks = join(playground.folder, "swe.jsonl");
    writeLines(tasks, [
      {
        instance_id: "acme__seating-1",
        repo: "acme/seating",
        base_commit: repository.baseCommit,
        patch: goldPatch,
        test_patch: "",
        problem_statement: "",
        test_cmd: "timeout 60 node --test test/hall.test.js",
        FAIL_TO_PASS: JSON.stringify([
          "a hall fills a row to its last seat",
          "a hall books the first seats of an empty row",
        ]),
        PASS_TO_PASS: ["test/hall.test.js::a row > numbers its seats from 1"],
      },
    ]);
    const end = await startBench(playground, "check", tasks, "--json", "--repeats", "1").ended;
    expect(readDocument(end).tasks["acme__seating-1"]).toMatchObject({ state: "fit", listsFrom: "task" });
    const anew = await startBench(playground, "check", tasks, "--json", "--repeats", "1", "--compute-lists")
      .ended;
    expect(readDocument(anew).tasks["acme__seating-1"]).toMatchObject({
      state: "fit",
      listsFrom: "computed",
    });
    const [fills, numbers] = ["a hall fills a row to its last seat", "a row numbers its seats from 1"];
    const multi = join(playground.folder, "multi.jsonl");
    writeLines(multi, [
      {
        org: "acme",
        repo: "seating",
        number: 1,
        base: { sha: repository.baseCommit },
        resolved_issues: [{ number: 2, title: "The last seat", body: null }],
        fix_patch: goldPatch,
        test_patch: "",
        f2p_tests: { [fills]: { run: "FAIL", test: "FAIL", fix: "PASS" } },
        p2p_tests: { [numbers]: { run: "PASS", test: "PASS", fix: "PASS" } },
        test_patch_result: { passed_tests: [numbers], failed_tests: [fills], skipped_tests: [] },
      },
    ]);
    const whole = await startBench(playground, "check", multi, "--json", "--repeats", "1").ended;
    expect(readDocument(whole).tasks["acme__seating-1"]).toMatchObject({ state: "fit", listsFrom: "task" });
  });

  test("makes the base of a commit and SWE-smith's patch, and shows a solver nothing of the commit", async () => {
    const repository = makeRepository(playground, "repair-javascript", "acme/seating", (folder) =>
      replaceIn(folder, "src/row.js", "free > size", "free >= size"),
    );
    const patch = repository.patch((folder) => {
      replaceIn(folder, "src/row.js", "free >= size", "free > size");
      writeFileSync(join(folder, "left-over.txt"), "of the fault");
    });
    const short = repository.baseCommit.slice(0, 8);
    const row = {
      repo: `swesmith/acme__seating.${short}`,
      patch,
      problem_statement: "",
      FAIL_TO_PASS: ["test/hall.test.js::a hall fills a row to its last seat"],
      PASS_TO_PASS: ["test/hall.test.js::a row numbers its seats from 1"],
      image_name: "acme.seating",
    };
    const tasks = join(playground.folder, "smith.jsonl");
    const other = patch.replace("free >= size", "free >= rows");
    writeLines(tasks, [
      { ...row, instance_id: `acme__seating.${short}.fault` },
      { ...row, instance_id: `acme__seating.${short}.other`, patch: other },
      { ...row, instance_id: "acme__seating.01234567.gone", repo: "swesmith/acme__seating.01234567" },
    ]);
    const end = await startBench(playground, "check", tasks, "--json", "--repeats", "1").ended;
    const { tasks: results } = readDocument(end);
    expect(results[`acme__seating.${short}.fault`]).toMatchObject({ state: "fit", unmatched: [] });
    expect(results[`acme__seating.${short}.other`]).toMatchObject({
      exceptions: [expect.stringContaining("the base patch does not apply: ")],
    });
    expect(results["acme__seating.01234567.gone"]).toMatchObject({
      exceptions: [expect.stringContaining("does not have the commit 01234567 of acme/seating")],
    });
    const environments = join(playground.folder, "bench/environments");
    const [made = ""] = readdirSync(environments).filter((name) =>
      existsSync(join(environments, name, "environment.json")),
    );
    const base = join(environments, made, "seating");
    const shown = execFileSync("git", ["cat-file", "--batch", "--batch-all-objects"], { cwd: base });
    expect(shown.includes("free > size")).toBe(true);
    expect(shown.includes("free >= size")).toBe(false);
  });

  test("goes on after kill -9 with the tasks that have no result yet", async () => {
    const { goldPatch, testPatch, repository } = ledger;
    const ids = ["one", "two", "three"];
    const tasks = writeTasks(
      playground,
      repository,
      ids.map((id) => ({ id, hidden: { goldPatch, testPatch } })),
    );
    const results = join(playground.folder, "bench", "results");
    const kept = () =>
      existsSync(results) ? readdirSync(results).filter((name) => name.endsWith(".json")) : [];
    const program = startBench(playground, "check", tasks, "--repeats", "1");
    while (kept().length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    program.kill("SIGKILL");
    await program.ended;
    const [first = ""] = kept();
    const before = statSync(join(results, first)).mtimeMs;
    writeFileSync(join(results, `${"0".repeat(64)}.json`), '{"schema":"millwright.bench-ch'); // as a bad disk may leave it
    const end = await startBench(playground, "check", tasks, "--repeats", "1").ended;
    expect(end.exitCode).toBe(0);
    expect(end.stdout).toMatch(/fit +one .* known\n/);
    expect(end.stdout).toContain("3 of 3 tasks fit");
    expect(kept()).toHaveLength(4);
    expect(statSync(join(results, first)).mtimeMs).toBe(before);
    expect(readdirSync(join(playground.folder, "bench", "work"))).toEqual([]);
  });
});
