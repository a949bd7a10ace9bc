/** Cases of tests that a run wrote for its own patch, and the judgement on them. */

import { compareTexts } from "../src/agent/code/change.ts";
import { judgeOwnTests } from "../src/agent/review/own-tests/judge-own-tests.ts";
import { readOwnTests } from "../src/agent/review/texts/own-tests.ts";
import type { TaskKind } from "../src/domain/task.ts";

export type Files = Readonly<Record<string, string>>;

export interface Case {
  readonly statement: string;
  readonly base: Files;
  readonly patch: Files;
  /** Each has one test. */
  readonly tests: Files;
  readonly name?: string;
  readonly kind?: TaskKind;
}

const trees = (stored: Readonly<Record<string, Files>>) => ({
  list: (tree: string) =>
    Promise.resolve(Object.keys(stored[tree] ?? {}).map((path) => ({ path, mode: "100644", blob: "" }))),
  read: (tree: string, path: string) => {
    const text = stored[tree]?.[path];
    return Promise.resolve(text === undefined ? undefined : Buffer.from(text));
  },
});

/** The objections to tests that a run wrote, a line each. */
export async function judge({ statement, base, patch, tests, name, kind = "repair" }: Case): Promise<string> {
  const store = trees({ base, written: { ...base, ...tests } });
  const keys = Object.keys(tests).map((target) => ({ package: "", target, name: name ?? "test_it" }));
  const findings = await judgeOwnTests({
    kind,
    statement,
    files: Object.entries(patch).map(([path, text]) => compareTexts(path, base[path], text)),
    tests: await readOwnTests(store, "base", ["written"], keys),
    base: { list: () => Promise.resolve(Object.keys(base)), read: (path) => Promise.resolve(base[path]) },
  });
  return findings.map(({ weight, text }) => `${weight}: ${text}`).join("\n");
}

export const fee = "def fee(weight):\n    return (weight - 2) * 2\n";
export const pays = {
  statement: "`fee(7)` returns 10 and has to return 15: each kilogram costs 3",
  base: { "fee.py": fee },
  patch: { "fee.py": fee.replace("* 2", "* 3") },
};
export const ofFee = (body: string, head = ""): Files => ({
  "tests/test_it.py": `${head}from fee import fee\n\n\ndef test_it():\n${body}`,
});

export const bank = `class Account:
    def __init__(self, balance):
        self.balance = balance

    def withdraw(self, amount):
        if amount >= self.balance:
            raise ValueError(amount)
        self.balance -= amount
        return self.balance
`;
export const empties = {
  statement: "Emptying an account by `withdraw` raises ValueError, though it can pay",
  base: { "bank.py": bank },
};
export const py = (body: string, head = ""): Files => ({
  "tests/test_it.py": `${head}from bank import Account\n\n\ndef test_it():\n${body}`,
});
export const honest = bank.replace(">=", ">");
export const asks = py("    assert Account(5).withdraw(5) == 0\n");
