/** A small repository with a history to mine: a squash with a test, a merge, a fix whose tests ask for a name that nobody said, and changes that make no task. */
import { execFileSync } from "node:child_process";
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeLedger, mendLedger, replaceIn, writeLines } from "./bench-fixture.ts";
import type { Playground } from "./millwright.ts";

export interface MinedRepository {
  readonly folder: string;
  /** Texts of its issues. */
  readonly issues: string;
  /** Of the squash. */
  readonly fix: string;
}

const anchor = "\n    def test_never_goes_beyond_the_overdraft";
const emptyTest = `
    def test_empties_an_account(self):
        rent, salary = Account("rent"), Account("salary", 100)
        self.assertTrue(transfer(salary, rent, 100))
        self.assertEqual(salary.balance, 0)
`;
const nameTest = `
    def test_closes(self):
        account = Account("rent", 5)
        account.close_for_good()
        self.assertEqual(account.balance, 0)
`;
const startTest = `
    def test_starts_empty(self):
        self.assertEqual(Account("rent").balance, 0)
`;

export function makeMinedRepository(playground: Playground): MinedRepository {
  const { folder } = makeLedger(playground).repository;
  const git = (...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", ...args], {
      cwd: folder,
      encoding: "utf8",
    });
  let day = 1;
  const commit = (message: string): string => {
    day += 1;
    const date = `2024-03-${String(day).padStart(2, "0")}T12:00:00Z`;
    git("add", "-A");
    execFileSync(
      "git",
      ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", "commit", "-q", "-m", message],
      { cwd: folder, env: { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date } },
    );
    return git("rev-parse", "HEAD").trim();
  };
  git("rm", "-rq", "answers");
  writeFileSync(join(folder, "LICENSE"), "MIT License\n");
  commit("Add a licence");
  mendLedger(folder);
  replaceIn(folder, "tests/test_transfer.py", anchor, `${emptyTest}${anchor}`);
  const fix = commit("Let a transfer empty its source (#3)\n\nFixes #2.");
  appendFileSync(join(folder, "tests/test_transfer.py"), nameTest);
  appendFileSync(join(folder, "ledger/account.py"), "\n\nclosed = []\n");
  replaceIn(
    folder,
    "ledger/account.py",
    "    def withdraw",
    "    def close_for_good(self):\n        self.balance = 0\n\n    def withdraw",
  );
  commit("Accounts that nobody uses any more can be ended, and what is left on them is gone (#5)");
  appendFileSync(join(folder, "ledger/account.py"), "# The end.\n");
  commit("Say where the file ends (#6)");
  appendFileSync(join(folder, "tests/test_transfer.py"), startTest);
  replaceIn(folder, "ledger/account.py", "closed = []", "closed = ()");
  commit("Fix another small bug (#7)");
  const issues = join(playground.folder, "issues.jsonl");
  const body =
    "Moving the whole balance of an account to another one returns False, and nothing is moved. I expect True, and a balance of 0.";
  writeLines(issues, [{ number: 2, title: "The last coin stays in the account", body }]);
  return { folder, issues, fix };
}

const withdrawalTest = `
    def test_refuses_a_withdrawal_of_nothing(self):
        account = Account("rent", 5)
        account.withdraw(1)
        for amount in (0, -1):
            with self.assertRaises(ValueError):
                account.withdraw(amount)
        self.assertEqual(account.balance, 4)
`;

/** Another squash, merged later. */
export function addFix(folder: string): void {
  appendFileSync(join(folder, "tests/test_transfer.py"), withdrawalTest);
  const checked = `    def withdraw(self, amount):
        if amount < 1:
            raise ValueError("a withdrawal is positive")`;
  replaceIn(folder, "ledger/account.py", "    def withdraw(self, amount):", checked);
  const message = `Refuse a withdrawal of zero or less (#8)

Account.withdraw(-5) adds money to the account, and withdraw(0) does nothing. Both have to raise a ValueError and keep the balance.`;
  const author = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
  const date = "2024-04-01T12:00:00Z";
  execFileSync("git", [...author, "commit", "-q", "-a", "-m", message], {
    cwd: folder,
    env: { ...process.env, GIT_COMMITTER_DATE: date, GIT_AUTHOR_DATE: date },
  });
}

export function readLines(path: string): Record<string, unknown>[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line));
}
