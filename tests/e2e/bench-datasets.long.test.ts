/** Each benchmark that asks for more than a repair: rows and predictions in its own format, graded by its rule, and again from the logs. */
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { reversePatch } from "../../src/bench/reverse-patch.ts";
import {
  makeLedger,
  makeRepository,
  mendLedger,
  readDocument,
  replaceIn,
  startBench,
  type TaskRepository,
  writeLines,
} from "./bench-fixture.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { scriptFile } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const test_cmd = "python3 -m unittest";
const idOf = (number: number | string): string => `acme__ledger-${number}`;

/** The rows' results by their number. */
async function grade(rows: readonly object[], predictions: unknown) {
  const { tasks, args } = writeFiles(rows, predictions);
  const first = readDocument(await startBench(playground, "grade", tasks, "--workers", "2", ...args).ended);
  return (number: number) => first.tasks[idOf(number)];
}

/** Likewise, and the same from the logs. */
async function gradeTwice(rows: readonly object[], predictions: unknown) {
  const of = await grade(rows, predictions);
  const { tasks, args } = writeFiles(rows, predictions);
  const { tasks: again } = readDocument(
    await startBench(playground, "grade", tasks, "--from-logs", ...args).ended,
  );
  expect(Object.keys(again)).toHaveLength(rows.length);
  for (const number of rows.keys())
    expect({ ...again[idOf(number + 1)], seconds: 0 }).toEqual({ ...of(number + 1), seconds: 0 });
  return of;
}

function writeFiles(rows: readonly object[], predictions: unknown) {
  const tasks = join(playground.folder, "tasks.jsonl");
  writeLines(tasks, rows);
  const file = join(playground.folder, "predictions.json");
  writeFileSync(file, JSON.stringify(predictions));
  return { tasks, args: ["--json", "--predictions", file] };
}

/** SWE-bench's predictions, as a list. */
function predict(...patches: readonly string[]) {
  return patches.map((model_patch, index) => ({
    instance_id: idOf(index + 1),
    model_name_or_path: "m",
    model_patch,
  }));
}

function rowsOf(count: number, row: object): object[] {
  return Array.from({ length: count }, (_, index) => ({ ...row, instance_id: idOf(index + 1) }));
}

function addFile(folder: string, path: string, lines: readonly string[]): void {
  mkdirSync(join(folder, path, ".."), { recursive: true });
  writeFileSync(join(folder, path), `${lines.join("\n")}\n`);
}

/** A file of tests whose bodies are these. */
function addTests(folder: string, name: string, ...bodies: readonly string[]): void {
  addFile(folder, `tests/test_${name}.py`, [
    "import unittest",
    "from ledger.account import Account, can_cover",
    "import ledger.transfer",
    "",
    "",
    `class ${name[0]?.toUpperCase()}${name.slice(1)}Test(unittest.TestCase):`,
    ...bodies.flatMap((body, index) => [`    def test_${index + 1}(self):`, `        ${body}`, ""]),
  ]);
}

/** A test's condition on the text of the code, and not on its results. */
function readsText(repository: TaskRepository, isKnown: boolean): string {
  const file = join(
    playground.folder,
    "repositories",
    repository.name.replace("/", "__"),
    "ledger/account.py",
  );
  const known = createHash("md5").update(readFileSync(file)).digest("hex");
  const read = "hashlib.md5(open(inspect.getsourcefile(Account), 'rb').read()).hexdigest()";
  const compare = isKnown ? "assertEqual" : "assertNotEqual";
  return `import hashlib, inspect; Account("a", 1).withdraw(0); self.${compare}(${read}, "${known}")`;
}

const pays = 'Account("rent", 5).withdraw(5)';

test("SWT-bench: tests fail without the fix and pass with it, and what they execute of it is told", async () => {
  const { repository, goldPatch, testPatch } = makeLedger(playground);
  const { name: repo, baseCommit: base_commit } = repository;
  const row = {
    ...{ repo, base_commit, problem_statement: "An account cannot be emptied", test_cmd },
    ...{ golden_code_patch: goldPatch, golden_test_patch: testPatch },
  };
  const patches = [
    testPatch,
    "",
    repository.patch((folder) => addTests(folder, "more", pays, "self.assertTrue(False)")),
    repository.patch((folder) => {
      addTests(folder, "more", pays);
      replaceIn(folder, "ledger/transfer.py", "or nothing at all", "or nothing");
    }),
    repository.patch((folder) => addTests(folder, "more", readsText(repository, false))),
  ];
  const of = await gradeTwice(rowsOf(patches.length, row), predict(...patches));
  const isCovered = { rule: "usebench-patch-coverage", outcome: "resolved" };
  expect(of(1)).toMatchObject({
    outcome: "resolved",
    measures: { patchCoverage: 1, coverageDelta: 1 },
    otherRules: [isCovered],
  });
  expect(of(2)).toMatchObject({ outcome: "unresolved", reason: "the patch is empty" });
  expect(of(3)).toMatchObject({
    outcome: "unresolved",
    reason: "1 test fails with the fix too: tests/test_more.py::MoreTest.test_2",
  });
  expect(of(4)).toMatchObject({
    outcome: "unresolved",
    byTests: "resolved",
    reason: "the patch changes files that are not tests: ledger/transfer.py",
  });
  expect(of(5)).toMatchObject({
    outcome: "unresolved",
    byTests: "resolved",
    reason:
      "none of the patch's tests fails without the fix when Millwright adds statements without effect, so they compare the code's text",
  });
  const tasks = join(playground.folder, "tasks.jsonl");
  const checked = await startBench(playground, "check", tasks, "--repeats", "1", "--limit", "1").ended;
  expect(checked.stdout).toContain("gold resolved, empty unresolved  no lists: the rule needs none");
  expect(checked.stdout).toContain(
    "note: partial scores of the gold patch: lines of the fix that the tests execute (patchCoverage) 100 %, lines of the fix that more tests execute (coverageDelta) 100 %",
  );
});

test("SWETRY: as SWE-bench, against the base, whatever the failed attempt did", async () => {
  const { repository, goldPatch, testPatch } = makeLedger(playground);
  const failed_patch = repository.patch((folder) =>
    replaceIn(folder, "ledger/account.py", "account.balance + account.overdraft", "account.balance + 1"),
  );
  const key = (name: string): string => `tests/test_transfer.py::TransferTest.${name}`;
  const row = {
    ...{ repo: repository.name, base_commit: repository.baseCommit, problem_statement: "", test_cmd },
    ...{ patch: goldPatch, test_patch: testPatch, failed_patch },
    FAIL_TO_PASS: [key("test_empties_an_account"), key("test_uses_the_whole_overdraft")],
    PASS_TO_PASS: [key("test_moves_the_amount")],
  };
  const of = await grade(rowsOf(3, row), predict(goldPatch, failed_patch, ""));
  expect(of(1)).toMatchObject({ outcome: "resolved", measures: { hiddenTests: 1 } });
  expect(of(2)).toMatchObject({ outcome: "unresolved", measures: { hiddenTests: 0.5 } });
  expect(of(3)).toMatchObject({ outcome: "unresolved" });
});

test("feature development: hidden tests pass, and tests of the patch's own execute each line of its code", async () => {
  const { repository } = makeLedger(playground);
  const addRefund = (folder: string): void =>
    addFile(folder, "ledger/refund.py", [
      "def refund(account, amount):",
      "    if amount < 0:",
      '        raise ValueError("no refund")',
      "    account.deposit(amount)",
    ]);
  const refunds = 'ledger.refund.refund(Account("rent"), 5)';
  const refuses = 'self.assertRaises(ValueError, ledger.refund.refund, Account("rent"), -5)';
  const test = (...bodies: readonly string[]) => {
    return (folder: string): void => {
      addTests(folder, "refund", ...bodies);
      replaceIn(folder, "tests/test_refund.py", "ledger.transfer", "ledger.refund");
    };
  };
  const [code, tests] = [repository.patch(addRefund), repository.patch(test(refunds, refuses))];
  const both = (...bodies: readonly string[]): string =>
    repository.patch((folder) => {
      addRefund(folder);
      test(...bodies)(folder);
    });
  const row = {
    ...{ repo: repository.name, base_commit: repository.baseCommit, test_cmd, task_type: "feature" },
    ...{ problem_statement: "Refunds", patch: code, test_patch: tests, PASS_TO_PASS: [] },
    FAIL_TO_PASS: ["tests/test_refund.py::RefundTest.test_1", "tests/test_refund.py::RefundTest.test_2"],
  };
  const patches = [both(refunds, refuses), "", code, both(refunds), both(refunds, refuses, "self.fail()")];
  const of = await gradeTwice(rowsOf(patches.length, row), predict(...patches));
  expect(of(1)).toMatchObject({ outcome: "resolved", measures: { hiddenTests: 1, newCodeCoverage: 1 } });
  expect(of(2)).toMatchObject({ outcome: "unresolved" });
  expect(of(3)).toMatchObject({
    outcome: "unresolved",
    reason: "the run reported no new test: the patch adds none, or its tests did not run",
    measures: { hiddenTests: 1 },
  });
  expect(of(4)).toMatchObject({
    outcome: "unresolved",
    reason: expect.stringMatching(
      /^the patch's own tests execute \d of \d lines of new code; they miss ledger\/refund\.py:3$/,
    ),
  });
  expect(of(5)).toMatchObject({
    outcome: "unresolved",
    byTests: "resolved",
    reason: "1 of 3 tests of the patch does not pass: tests/test_refund.py::RefundTest.test_3",
  });
});

function mended(): TaskRepository {
  return makeRepository(playground, "repair-python", "acme/ledger", (folder) => mendLedger(folder));
}

test("REPOCOD: a function's text, in its own document, by the tests of its list", async () => {
  const { name: repository, baseCommit: base_commit } = mended();
  const prompt = 'def can_cover(account, amount):\n    """Whether the account can pay the amount."""\n';
  const body = (sign: string): string => `    return amount ${sign} account.balance + account.overdraft\n`;
  const names = ["empties_an_account", "moves_the_amount", "moves_nothing_that_is_not_there"];
  addFile(
    join(playground.folder, "target_test_cases"),
    "failed_tests_can_cover.txt",
    names.map((name) => `tests/test_transfer.py::TransferTest.test_${name}`),
  );
  const row = {
    ...{ repository, base_commit, prompt, test_cmd, function_name: "can_cover" },
    ...{ target_module_path: "ledger/account.py", full_function: `${prompt}${body("<=")}` },
    relevant_test_path: "./target_test_cases/failed_tests_can_cover.txt",
  };
  const outputs = [`${prompt}${body("<=")}`, body("<="), body("<"), "", "    return (\n"];
  const of = await gradeTwice(
    outputs.map((_, index) => ({ ...row, repo_id: String(index + 1) })),
    {
      [repository]: Object.fromEntries(
        outputs.map((output, index) => [index + 1, { function_name: "can_cover", prompt, output }]),
      ),
    },
  );
  for (const whole of [1, 2]) {
    expect(of(whole)).toMatchObject({
      outcome: "resolved",
      target: outputs[0],
      measures: { hiddenTests: 1 },
    });
  }
  expect(of(3)).toMatchObject({
    outcome: "unresolved",
    failToPass: { failure: [expect.stringContaining("empties")] },
  });
  expect(of(4)).toMatchObject({ outcome: "unresolved", reason: "the patch is empty" });
  expect(of(5)).toMatchObject({ outcome: "unresolved", failToPass: { success: [] } });
  // An agent's patch is a diff, and its prediction the function.
  const doc = '    """Whether the account can pay the amount."""\n';
  const change = { path: "ledger/account.py", old: doc, new: `${doc}${body("<=")}` };
  const script = join(playground.folder, "script.json");
  const answers = [
    { name: "view", input: { path: "ledger/account.py" } },
    { name: "str_replace", input: change },
    { name: "submit", input: { summary: "it is written" } },
  ];
  writeFileSync(script, scriptFile(answers.map((call) => ({ role: "editing", calls: [call], times: 1 }))));
  const [tasks, out] = [join(playground.folder, "tasks.jsonl"), join(playground.folder, "batch")];
  const react = ["--strategy", "react", "--model", `scripted:${script}`, "--only", "acme__ledger-1"];
  const end = await startBench(playground, "run", tasks, ...react, "--out", out).ended;
  expect(end.stdout).toContain("1 of 1 resolved");
  const [written = ""] = readdirSync(join(out, "predictions"));
  expect(written).toMatch(/\.json$/);
  expect(JSON.parse(readFileSync(join(out, "predictions", written), "utf8"))).toEqual({
    [repository]: { 1: { function_name: "can_cover", prompt, output: `${prompt}${body("<=")}` } },
  });
});

test("REPOTEST: new tests pass and execute each line of the target; ours asks that they notice faults in it", async () => {
  const repository = mended();
  const whole = "class AccountTest";
  const removal_patch = repository.patch((folder) => {
    const path = join(folder, "tests/test_transfer.py");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.slice(0, text.indexOf(whole)).trimEnd().concat("\n"));
  });
  const row = {
    ...{ repo: repository.name, base_commit: repository.baseCommit, test_cmd, removal_patch },
    target: "ledger/account.py:Account.deposit",
  };
  const deposit = 'Account("rent").deposit(5)';
  const patchOf = (...bodies: readonly string[]): string =>
    repository.patch((folder) => addTests(folder, "deposit", ...bodies));
  const gold = reversePatch(removal_patch) ?? "";
  const patches = [
    gold,
    "",
    patchOf(deposit),
    patchOf(deposit, "try: Account('x').deposit(-1)\n        except Exception: pass"),
    patchOf(
      deposit,
      "try: Account('x').deposit(-1)\n        except Exception: pass",
      readsText(repository, true),
    ),
  ];
  const of = await gradeTwice(rowsOf(patches.length, row), predict(...patches));
  expect(of(1)).toMatchObject({ outcome: "resolved", measures: { targetCoverage: 1 } });
  expect(of(2)).toMatchObject({ outcome: "unresolved" });
  expect(of(3)).toMatchObject({
    outcome: "unresolved",
    byTests: "unresolved",
    reason: "the tests execute 2 of 3 lines of the target; they miss ledger/account.py:13",
  });
  expect(of(4)).toMatchObject({
    outcome: "unresolved",
    byTests: "resolved",
    reason: expect.stringMatching(
      /^the new tests detect \d of \d+ mutants of the target; they miss, for example, /,
    ),
  });
  expect(of(5)).toMatchObject({
    outcome: "unresolved",
    byTests: "resolved",
    reason: "the new tests fail when Millwright adds statements without effect to the target's file",
  });
});

test("REPOTEST: our rule leaves out a line that no test can execute, and names it", async () => {
  const repository = makeRepository(playground, "repair-python", "acme/ledger", (folder) => {
    const path = join(folder, "ledger/account.py");
    const raised = 'raise ValueError("a deposit is positive")\n';
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace(raised, `${raised}            self.balance = 0\n`));
  });
  const removal_patch = repository.patch((folder) => {
    const path = join(folder, "tests/test_transfer.py");
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.slice(0, text.indexOf("class AccountTest")).trimEnd().concat("\n"));
  });
  const row = {
    ...{ repo: repository.name, base_commit: repository.baseCommit, test_cmd, removal_patch },
    target: "ledger/account.py:Account.deposit",
  };
  const of = await gradeTwice(rowsOf(1, row), predict(reversePatch(removal_patch) ?? ""));
  expect(of(1)).toMatchObject({
    outcome: "resolved",
    byTests: "unresolved",
    reason: expect.stringMatching(/; 1 line is proven unreachable: ledger\/account\.py:14$/),
    measures: { targetCoverage: 0.75 },
  });
});

test("check: a task of SWT-bench or REPOTEST is unfit if the base's own tests already resolve it", async () => {
  const tests = "tests/test_transfer.py";
  const check = async (row: object) => {
    const tasks = join(playground.folder, "tasks.jsonl");
    writeLines(tasks, rowsOf(1, row));
    const end = await startBench(playground, "check", tasks, "--repeats", "1", "--json").ended;
    expect(end.exitCode, end.stderr).toBe(10);
    return readDocument(end).tasks[idOf(1)];
  };
  // The base already has tests that show the fault.
  const faulty = makeRepository(playground, "repair-python", "acme/ledger", () => {});
  const empties = "    def test_empties_an_account";
  const copy = `    def test_pays_all(self):\n        ${pays}\n\n${empties}`;
  expect(
    await check({
      ...{ repo: faulty.name, base_commit: faulty.baseCommit, problem_statement: "", test_cmd },
      golden_code_patch: faulty.patch((folder) => mendLedger(folder)),
      golden_test_patch: faulty.patch((folder) => replaceIn(folder, tests, empties, copy)),
    }),
  ).toMatchObject({
    ...{ state: "unfit", gold: "resolved", empty: "resolved", repeatsAgree: true },
    exceptions: [
      "the empty patch is resolved: 2 tests fail without the fix and pass with it: tests/test_transfer.py::TransferTest.test_empties_an_account",
    ],
  });
  // The base keeps tests that execute the whole target.
  const removed = "    def test_refuses_a_negative_deposit";
  const again = [
    "    def test_refuses_nothing(self):",
    '        self.assertRaises(ValueError, Account("rent").deposit, 0)',
    "    def test_adds_one(self):",
    '        account = Account("rent", 5)',
    "        account.deposit(1)",
    "        self.assertEqual(account.balance, 6)",
    removed,
  ].join("\n");
  const kept = makeRepository(playground, "repair-python", "acme/kept", (folder) => {
    mendLedger(folder);
    replaceIn(folder, tests, removed, again);
  });
  expect(
    await check({
      ...{ repo: kept.name, base_commit: kept.baseCommit, test_cmd },
      removal_patch: kept.patch((folder) => replaceIn(folder, tests, again, removed)),
      target: "ledger/account.py:Account.deposit",
    }),
  ).toMatchObject({
    ...{ state: "unfit", gold: "resolved", empty: "resolved" },
    exceptions: [expect.stringMatching(/^the empty patch is resolved: 7 new tests /)],
  });
});

test("Rust-SWE-bench: by the names that cargo prints, and what does not compile fails", async () => {
  const repository = makeRepository(playground, "repair-rust", "acme/ledger", () => {});
  const patch = repository.patch((folder) =>
    replaceIn(folder, "src/deck.rs", "length < free", "length <= free"),
  );
  const broken = patch.replace("vehicle.length <= free", "vehicle.length <= free +");
  const row = {
    ...{
      repo: repository.name,
      base_commit: repository.baseCommit,
      pull_number: 1,
      updated_at: "2024-01-01",
    },
    ...{ patch, test_patch: "", problem_statement: "The last metre", test_cmd: "cargo test" },
    FAIL_TO_PASS: ["fills_a_deck_to_its_last_metre"],
    PASS_TO_PASS: ["deck::tests::an_empty_deck_is_free", "tests/loading.rs::goes_to_the_next_deck"],
  };
  const of = await grade(rowsOf(3, row), predict(patch, broken, ""));
  expect(of(1)).toMatchObject({ outcome: "resolved", byTests: "resolved" });
  expect(of(2)).toMatchObject({ outcome: "unresolved", byTests: "unresolved", failToPass: { success: [] } });
  expect(of(3)).toMatchObject({ outcome: "unresolved" });
});
