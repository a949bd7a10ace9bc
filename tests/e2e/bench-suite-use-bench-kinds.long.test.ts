/**
 * The suite of USEagent in miniature: each variant on a task of each kind besides repair, with a scripted model; each
 * table.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeRepository, mendLedger, type TaskRepository, writeLines } from "./bench-fixture.ts";
import { wholeTest } from "./kind-tasks.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import {
  account,
  type Change,
  mending,
  scriptOf,
  testCommand,
  testKey,
  useBenchVariants,
} from "./suite-ledger.ts";
import { createMiniature, rowsOf } from "./suite-miniature.ts";

let playground: Playground;
beforeAll(() => {
  playground = createPlayground();
});
afterAll(() => playground.remove());

const doc = '    """Whether the account can pay the amount."""\n';
const last = "        self.balance = self.balance - amount";
const testsOf = (name: string, body: string): string =>
  `import unittest\n\nfrom ledger.account import Account\n\n\nclass ${name}Test(unittest.TestCase):\n${body}`;

interface OtherTask {
  readonly row: object;
  readonly changes: readonly Change[];
}

/** A task of each other kind, and the changes that resolve it. */
function otherTasks(ledger: TaskRepository, till: TaskRepository): Readonly<Record<string, OtherTask>> {
  const rowOf = ({ name, baseCommit }: TaskRepository, number: string) => ({
    ...{ instance_id: `${name.replace("/", "__")}-${number}`, repo: name, base_commit: baseCommit },
    test_cmd: testCommand,
  });
  const addFile = (path: string, text: string) => (folder: string) =>
    writeFileSync(join(folder, path), `${text}\n`);
  const refused = "Emptying an account by `withdraw` raises InsufficientFunds, though it can pay";
  const goldPatch = ledger.patch((folder) => mendLedger(folder));
  const closing = {
    ...{ path: account, before: last },
    after: `${last}\n\n    def close(self):\n        rest, self.balance = self.balance, 0\n        return rest`,
  };
  const closes = (name: string): string =>
    testsOf(name, '    def test_pays_out(self):\n        self.assertEqual(Account("rent", 5).close(), 5)');
  const prompt = `def can_cover(account, amount):\n${doc}`;
  const body = "    return amount <= account.balance + account.overdraft\n";
  return {
    "swt-bench": {
      row: {
        ...{ ...rowOf(ledger, "swt"), problem_statement: refused, golden_code_patch: goldPatch },
        golden_test_patch: ledger.patch(addFile("tests/test_all.py", wholeTest)),
      },
      changes: [{ path: "tests/test_whole.py", before: "", after: wholeTest }],
    },
    repocod: {
      row: {
        ...{ repository: till.name, repo_id: "1", base_commit: till.baseCommit, prompt },
        ...{ test_cmd: testCommand, function_name: "can_cover", target_module_path: account },
        ...{ full_function: `${prompt}${body}`, target_tests: [testKey("test_moves_the_amount")] },
      },
      changes: [{ path: account, before: doc.trimEnd(), after: `${doc}${body.trimEnd()}` }],
    },
    repotest: {
      row: {
        ...rowOf(till, "test"),
        target: `${account}:Account.deposit`,
        removal_patch: till.patch((folder) => {
          const path = join(folder, "tests/test_transfer.py");
          const text = readFileSync(path, "utf8");
          writeFileSync(path, `${text.slice(0, text.indexOf("class AccountTest")).trimEnd()}\n`);
        }),
      },
      changes: [
        {
          ...{ path: "tests/test_deposit.py", before: "" },
          after: testsOf(
            "Deposit",
            `    def test_adds(self):
        account = Account("rent", 2)
        account.deposit(5)
        self.assertEqual(account.balance, 7)

    def test_refuses(self):
        for amount in (0, -1):
            self.assertRaises(ValueError, Account("rent").deposit, amount)`,
          ),
        },
      ],
    },
    swetry: {
      row: {
        ...{ ...rowOf(ledger, "try"), problem_statement: refused, patch: goldPatch, test_patch: "" },
        ...{ FAIL_TO_PASS: [testKey("test_empties_an_account")], PASS_TO_PASS: [] },
        failed_patch: ledger.patch(addFile("ledger/attempt.py", "ATTEMPTED = True")),
      },
      changes: [mending],
    },
    "feature-development": {
      row: {
        ...{ ...rowOf(till, "feature"), task_type: "feature", PASS_TO_PASS: [] },
        problem_statement: "`Account.close` pays out the balance",
        patch: till.patch((folder) => {
          const path = join(folder, account);
          writeFileSync(path, readFileSync(path, "utf8").replace(last, closing.after));
        }),
        test_patch: till.patch(addFile("tests/test_hidden.py", closes("Hidden"))),
        FAIL_TO_PASS: ["tests/test_hidden.py::HiddenTest.test_pays_out"],
      },
      changes: [closing, { path: "tests/test_close.py", before: "", after: closes("Close") }],
    },
  };
}

test("use-bench attempts a task of each further kind with all variants, and prints each table", {
  timeout: 600_000,
}, async () => {
  const suite = createMiniature(playground, "use-bench");
  const till = makeRepository(playground, "repair-python", "acme/till", (folder) => mendLedger(folder));
  const ledger = makeRepository(playground, "repair-python", "acme/ledger", () => {});
  const tasks = otherTasks(ledger, till);
  await suite.attempt(
    Object.entries(tasks).flatMap(([dataset, { row, changes }]) => {
      const file = join(playground.folder, `${dataset}.jsonl`);
      writeLines(file, [row]);
      return useBenchVariants.map((variant) => {
        // The attempt of a partial fix is the first candidate, except as published.
        const candidate = dataset === "swetry" && variant === "unified" ? "c2" : undefined;
        return { variant, dataset, file, answers: scriptOf(variant, changes, candidate) };
      });
    }),
  );
  const tables = await suite.print("scripted");
  const [one, all] = ["1 of 1 (100.0 %)", "4 of 4 (100.0 %, 4 data sets)"];
  const sets = ["SWT-bench Lite", "REPOCOD Lite", "REPOTEST Lite", "SWETRY"];
  const inAll = (title: string, rows: readonly string[], columns: number, text: string) => {
    for (const row of rows)
      expect(rowsOf(tables, title, row)[0]?.slice(-columns), row).toEqual(Array(columns).fill(text));
  };
  const [efficacy, ablation] = ["Table 3: efficacy on USEbench", "Table 4: ablation"];
  for (const title of [efficacy, ablation]) {
    inAll(title, ["SWE-bench Verified"], 3, "not run");
    inAll(title, sets, 3, one);
    inAll(title, ["all five"], 3, all);
  }
  inAll(efficacy, ["feature development"], 3, one);
  const costs = "Mean cost of an attempt, USD";
  for (const row of [...sets, "feature development"])
    for (const cost of rowsOf(tables, costs, row)[0]?.slice(-useBenchVariants.length) ?? [])
      expect(Number(cost), row).toBeGreaterThan(0);
  expect(rowsOf(tables, costs, "ours").map((row) => row.at(-1))).toEqual(useBenchVariants.map(() => "5"));
  // The paper's figures show no ablations: two variants with actions, and the tools of react.
  const positions = rowsOf(tables, "Figure 4: actions by position", "ours");
  for (const dataset of Object.keys(tasks)) {
    const own = positions.filter(([name]) => name?.endsWith(`, ${dataset}`));
    expect(
      own.filter(([, position, action]) => position === "1" && action === "edit-code").length,
      dataset,
    ).toBeGreaterThan(0);
    expect(
      rowsOf(tables, "Figure 5: mean cost by action, USD", `${dataset}`).map(([, action]) => action),
    ).toEqual(expect.arrayContaining(["edit-code", "submit"]));
  }
});
