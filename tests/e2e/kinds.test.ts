/** Tasks that ask for something else than a repair, by the unified agent with a scripted model: whole runs, gates that measure. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SolveReport } from "../../src/domain/solve-report.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import {
  editBlock as block,
  type ScriptedAnswer,
  type ScriptedEnd,
  type ScriptedRun,
  solveScripted,
} from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const act = (name: string, input: object): ScriptedAnswer => ({
  role: "planning",
  calls: [{ name, input }],
});
const edit = (...edits: readonly string[]): ScriptedAnswer => ({
  role: "editing",
  calls: [{ name: "edit", input: { edits: edits.join("\n") } }],
});
const done = (summary: string, more: object = {}): ScriptedAnswer => ({
  role: "editing",
  calls: [{ name: "done", input: { summary, ...more } }],
});

function solve(run: Omit<ScriptedRun, "strategy">): Promise<ScriptedEnd> {
  return solveScripted(playground, { strategy: "unified", ...run });
}

const predicate = ({ gate }: SolveReport, name: string) => gate.find((each) => each.predicate === name);

/** The report that people read. */
function readMarkdown({ runDirectory }: SolveReport): string {
  return readFileSync(join(runDirectory, "report.md"), "utf8");
}

const head =
  "import unittest\n\nfrom ledger.account import Account\n\n\nclass WholeTest(unittest.TestCase):\n";
const wrong = '    def test_pays_the_whole_balance(self):\n        Acount("rent", 5).withdraw(5)';
const small = "    return amount < available";
const large = "    return amount <= available";
const right = '    def test_pays_the_whole_balance(self):\n        Account("rent", 5).withdraw(5)';

test("regression-test: a test that fails for another reason is none, and a fix is written to see that it would pass", async () => {
  const repository = playground.copyRepository("repair-python");
  const tests = join(repository, "tests", "test_transfer.py");
  writeFileSync(tests, readFileSync(tests, "utf8").replace(/ {4}def test_(?:empties|uses)[\s\S]*?\n\n/g, ""));
  const left = `import glob, os, tempfile, unittest


class LeftTest(unittest.TestCase):
    def test_trips_over_what_it_left(self):
        path = os.path.join(tempfile.gettempdir(), "left-by-a-test")
        names = " ".join(sorted(glob.glob(os.path.dirname(__file__) + "/*.py")))
        if not os.path.exists(path):
            with open(path, "w") as file:
                file.write(names)
        with open(path) as file:
            self.assertEqual(file.read(), names)
`;
  writeFileSync(join(repository, "tests", "test_left.py"), left);
  const statement = "Emptying an account by `withdraw` raises InsufficientFunds, though it can pay";
  const end = await solve({
    repository,
    statement,
    args: ["--kind", "regression-test"],
    answers: [
      act("edit-code", { intent: "a test of emptying an account" }),
      edit(block("tests/test_whole.py", "", head + wrong), block("ledger/account.py", small, large)),
      done("a test"),
      edit(block("ledger/account.py", large, small)),
      done("a test of the whole balance"),
      act("execute-tests", { candidate: "t1" }),
      act("finish", { candidate: "t1" }),
      act("edit-code", { intent: "name the class as it is called", from: "t1" }),
      edit(block("tests/test_whole.py", wrong, right)),
      done("a test of the whole balance, mended"),
      act("edit-code", { intent: "let all be paid", part: "fix" }),
      edit(block("ledger/account.py", small, large)),
      done("all may be paid"),
      act("execute-tests", { candidate: "t2" }),
      act("finish", { candidate: "t2" }),
    ],
  });
  const { report } = end;
  expect(report.gate.map(({ predicate: name, holds }) => [name, holds])).toEqual([
    ["only-tests-change", true],
    ["new-test-fails-on-base", true],
    ["failure-is-the-stated-one", true],
    ["passes-with-a-fix", true],
    ["no-test-breaks", true],
  ]);
  expect(end.exitCode).toBe(0);
  expect(predicate(report, "failure-is-the-stated-one")?.evidence).toContain("insufficientfunds");
  expect(predicate(report, "passes-with-a-fix")?.evidence).toContain("1 of 1 new tests pass with the fix c1");
  expect(predicate(report, "no-test-breaks")?.evidence).toContain("1 of them pass only in a fresh checkout");
  expect(report.files.map(({ path }) => path)).toEqual(["tests/test_whole.py"]);
  expect(report.candidates).toBe(2);
  expect(readMarkdown(report)).toContain("| finish ✗ | t1 |");
});

test("test-generation, JavaScript: lines that no new test executes are listed, and 100 % of them is verified", async () => {
  const repository = playground.copyRepository("repair-javascript");
  const path = "test/block.test.js";
  const start = `import assert from "node:assert/strict";
import { it } from "node:test";
import { findBlock } from "../src/row.js";

it("finds a block", () => {
  assert.equal(findBlock({ seats: 4, taken: [] }, 2), 2);
});`;
  const last = "  assert.equal(findBlock({ seats: 4, taken: [] }, 2), 2);\n});";
  const rest = `
it("finds none where there is none", () => {
  assert.equal(findBlock({ seats: 2, taken: [1] }, 2), undefined);
});`;
  const end = await solve({
    repository,
    statement: "",
    args: ["--kind", "test-generation", "--target", "src/row.js:findBlock"],
    answers: [
      act("edit-code", { intent: "tests of findBlock" }),
      edit(block(path, "", start)),
      done("a block is found"),
      act("execute-tests", { candidate: "t1" }),
      { ...act("finish", { candidate: "t1" }), contains: "src/row.js:16 is not executed: return undefined;" },
      {
        ...act("edit-code", { intent: "the last line", from: "t1" }),
        contains: "the new tests execute 4 of 5 lines of src/row.js:findBlock; not 16",
      },
      {
        ...edit(block(path, last, `${last}\n${rest}`)),
        contains: "src/row.js:16 is not executed",
      },
      done("none is found"),
      act("finish", { candidate: "t2" }),
    ],
  });
  const { report } = end;
  expect(predicate(report, "target-is-covered")?.evidence).toBe(
    "the new tests execute 5 of 5 lines of src/row.js:findBlock",
  );
  expect(predicate(report, "new-tests-pass")?.evidence).toBe("2 new tests pass in each of 3 runs");
  expect(end.exitCode).toBe(0);
  expect(report.files.map((file) => file.path)).toEqual([path]);
});

test("without a target that is there, a task that is about one is refused before there is a run", async () => {
  const repository = playground.copyRepository("repair-javascript");
  const script = join(playground.folder, "script.json");
  writeFileSync(script, JSON.stringify({ answers: [] }));
  const ask = (...args: string[]) => {
    const task = [
      "--repo",
      repository,
      "--kind",
      "test-generation",
      "--model",
      `scripted:${script}`,
      ...args,
    ];
    return playground.start(["solve", "", ...task]).ended;
  };
  const [missing, unknown] = [await ask(), await ask("--target", "src/row.js:findRow")];
  expect([missing.exitCode, unknown.exitCode]).toEqual([2, 2]);
  expect(missing.stderr).toContain("--target FILE:SYMBOL");
  expect(unknown.stderr).toContain("src/row.js has no findRow: it has seatsOf, isFree, findBlock");
  expect(existsSync(playground.runs)).toBe(false);
});

test("code-generation, Go: the specification becomes requirements, and existing tests that execute the target decide", async () => {
  const repository = playground.copyRepository("repair-go");
  const file = join(repository, "stock", "stock.go");
  const whole = /\tvar good \[\]Item\n[\s\S]*?return good\n/;
  writeFileSync(file, readFileSync(file, "utf8").replace(whole, '\tpanic("not written")\n'));
  const body = (sign: string): string =>
    `\tvar good []Item\n\tfor _, item := range items {\n\t\tif item.Packs > 0 && day ${sign} item.Until {\n\t\t\tgood = append(good, item)\n\t\t}\n\t}\n\treturn good`;
  const links = [
    { id: "1", tests: ["TestGood"], changes: ["stock/stock.go:20"] },
    { id: "2", tests: [], changes: [] },
  ];
  const end = await solve({
    repository,
    statement: "Write the body of `Good`: the items that can be eaten on the day",
    args: ["--kind", "code-generation", "--target", "stock/stock.go:Good"],
    answers: [
      act("edit-code", { intent: "write the body" }),
      {
        role: "planning",
        json: { requirements: ["An item is good on its last day", "The order is kept"] },
      },
      edit(block("stock/stock.go", '\tpanic("not written")', body("<"))),
      done("written"),
      { ...done("written", { requirements: links }), contains: "1, 2 missing" },
      act("finish", { candidate: "c1" }),
      {
        ...act("edit-code", { intent: "the last day too", from: "c1" }),
        contains: "tests-of-the-target-pass",
      },
      edit(block("stock/stock.go", "day < item.Until", "day <= item.Until")),
      done("the last day is included", { requirements: links }),
      act("finish", { candidate: "c2" }),
    ],
  });
  const { report } = end;
  expect(report.gate.map(({ predicate: name, holds }) => [name, holds])).toEqual([
    ["target-is-written", true],
    ["tests-of-the-target-pass", true],
    ["no-test-breaks", true],
  ]);
  expect(predicate(report, "tests-of-the-target-pass")?.evidence).toMatch(
    /^\d+ existing tests execute the target and pass/,
  );
  expect(end.exitCode).toBe(0);
  expect(readMarkdown(report)).toContain(
    "Requirement 2 (The order is kept): no change is said to meet it, no passing test is said to check it.",
  );
});

test("feature: its tests fail without the code and pass with it, and have to execute all of it", async () => {
  const repository = playground.copyRepository("repair-python");
  const last = "        self.balance = self.balance - amount";
  const code = `${last}

    def close(self):
        if self.balance < 0:
            raise ValueError("an account with debts stays open")
        rest, self.balance = self.balance, 0
        return rest`;
  const first = `import unittest

from ledger.account import Account


class CloseTest(unittest.TestCase):
    def test_pays_out(self):
        self.assertEqual(Account("rent", 5).close(), 5)`;
  const second = `${first}

    def test_keeps_debts(self):
        with self.assertRaises(ValueError):
            Account("rent", -5).close()`;
  const end = await solve({
    repository,
    statement: "`Account.close` pays out the balance; an account with debts cannot be closed: ValueError",
    args: ["--kind", "feature"],
    answers: [
      act("edit-code", { intent: "close and its test" }),
      { role: "planning", json: { requirements: ["It pays out the balance"] } },
      edit(block("ledger/account.py", last, code), block("tests/test_close.py", "", first)),
      done("close", {
        requirements: [{ id: "1", tests: ["CloseTest.test_pays_out"], changes: ["ledger/account.py:23"] }],
      }),
      act("execute-tests", { candidate: "c1" }),
      {
        ...act("edit-code", { intent: "test debts", from: "c1" }),
        contains: 'is not executed by a new test: raise ValueError("an account with debts stays open")',
      },
      edit(block("tests/test_close.py", first, second)),
      done("a test of debts", { requirements: [{ id: "1" }] }),
      act("finish", { candidate: "c2" }),
    ],
  });
  const { report } = end;
  expect(report.gate.map(({ predicate: name, holds }) => [name, holds])).toEqual([
    ["has-code-and-tests", true],
    ["new-tests-fail-before", true],
    ["new-tests-pass", true],
    ["new-code-is-covered", true],
    ["no-test-breaks", true],
  ]);
  expect(predicate(report, "new-tests-fail-before")?.evidence).toBe("2 of 2 new tests fail without the code");
  expect(end.exitCode).toBe(0);
  expect(readMarkdown(report)).not.toContain("Requirement 1");
});

test("code-generation: where no existing test executes the target, derived ones have to execute all of it and notice faults", async () => {
  const repository = playground.copyRepository("repair-python");
  const fees = "def fee(amount, member=False):\n    raise NotImplementedError\n";
  writeFileSync(join(repository, "ledger", "fees.py"), fees);
  const body =
    "    if amount < 0:\n        raise ValueError(amount)\n    if member:\n        return 0\n    return amount // 100";
  const tests = (cases: string): string =>
    `import unittest\n\nfrom ledger.fees import fee\n\n\nclass FeeTest(unittest.TestCase):\n${cases}`;
  const some = "    def test_takes_one_percent(self):\n        self.assertEqual(fee(300), 3)";
  const more = `    def test_members_pay_nothing(self):
        self.assertEqual(fee(300, member=True), 0)

    def test_refuses_less_than_nothing(self):
        with self.assertRaises(ValueError):
            fee(-1)

    def test_takes_whole_units(self):
        self.assertEqual([fee(0), fee(99), fee(100), fee(199), fee(200)], [0, 0, 1, 1, 2])`;
  const derive = (path: string, cases: string): ScriptedAnswer[] => [
    act("reproduction", { intent: "tests of fee" }),
    {
      role: "reproduction",
      calls: [{ name: "outlook", input: { reproducible: true, why: "it is called" } }],
    },
    { role: "reproduction", calls: [{ name: "edit", input: { edits: block(path, "", tests(cases)) } }] },
    { role: "reproduction", calls: [{ name: "show", input: { files: [path] } }] },
  ];
  const { report, exitCode } = await solve({
    repository,
    statement: "`fee` takes one percent, nothing of members, and raises ValueError for less than nothing",
    args: ["--kind", "code-generation", "--target", "ledger/fees.py:fee"],
    answers: [
      act("edit-code", { intent: "write the body" }),
      { role: "planning", json: { requirements: [] } },
      edit(block("ledger/fees.py", "    raise NotImplementedError", body)),
      done("fees are taken"),
      act("finish", { candidate: "c1" }),
      ...derive("tests/test_fee.py", some).map((answer, index) =>
        index === 0 ? { ...answer, contains: "no test executes the target" } : answer,
      ),
      act("finish", { candidate: "c1" }),
      ...derive("tests/test_fee_more.py", more).map((answer, index) =>
        index === 0 ? { ...answer, contains: "it does not execute the lines 3, 5" } : answer,
      ),
      act("finish", { candidate: "c1" }),
    ],
  });
  expect(predicate(report, "tests-of-the-target-pass")?.evidence).toMatch(
    /what was derived \(4 tests\) alone speaks for it: it executes each of its lines and notices \d+ of \d+ small faults/,
  );
  expect(exitCode).toBe(0);
});
