/** Tasks that ask for new code, by the unified agent with a scripted model: whole runs, gates that measure. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlayground, type Playground } from "./millwright.ts";
import {
  editBlock as block,
  type ScriptedAnswer,
  type ScriptedEnd,
  type ScriptedRun,
  solveScripted,
} from "./scripted-solve.ts";
import { act, done, edit, predicate, readMarkdown } from "./scripted-steps.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

function solve(run: Omit<ScriptedRun, "strategy">): Promise<ScriptedEnd> {
  return solveScripted(playground, { strategy: "unified", ...run });
}

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
    ["tests-intact", true],
    ["no-standing-objection", true],
    ["confirmed-afresh", true],
    ["evidence-suffices", true],
  ]);
  expect(predicate(report, "tests-of-the-target-pass")?.evidence).toMatch(
    /^\d+ existing tests execute the target and pass; no test was derived; together these tests execute each line of the target and detect \d+ of \d+ small faults/,
  );
  expect(end.exitCode).toBe(0);
  expect(readMarkdown(report)).toContain(
    "Requirement 2 (The order is kept): no named change meets it, no named passing test checks it.",
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
        requirements: [{ id: "1", changes: ["ledger/account.py:23"] }],
      }),
      act("execute-tests", { candidate: "c1" }),
      // Only the links change.
      act("edit-code", { intent: "name the test of the payment", from: "c1" }),
      done("linked", { requirements: [{ id: "1", tests: ["CloseTest.test_pays_out"] }] }),
      {
        ...act("edit-code", { intent: "test debts", from: "c1" }),
        contains: 'is not executed by a new test: raise ValueError("an account with debts stays open")',
      },
      edit(block("tests/test_close.py", first, second)),
      done("a test of debts", { requirements: [{ id: "1", tests: ["CloseTest.test_keeps_debts"] }] }),
      // A later author can add to what an earlier one linked.
      {
        ...act("finish", { candidate: "c2" }),
        contains: "CloseTest.test_pays_out, CloseTest.test_keeps_debts",
      },
    ],
  });
  const { report } = end;
  expect(report.gate.map(({ predicate: name, holds }) => [name, holds])).toEqual([
    ["has-code-and-tests", true],
    ["new-tests-fail-before", true],
    ["new-tests-pass", true],
    ["new-code-is-covered", true],
    ["no-test-breaks", true],
    ["new-tests-notice-faults", true],
    ["new-tests-judge-behaviour", true],
    ["tests-intact", true],
    ["no-standing-objection", true],
    ["confirmed-afresh", true],
    ["evidence-suffices", true],
  ]);
  expect(predicate(report, "new-tests-fail-before")?.evidence).toBe("2 of 2 new tests fail without the code");
  expect(end.exitCode).toBe(0);
  expect(readMarkdown(report)).not.toContain("Requirement 1");
});

test("feature, a command that measures no lines: mutants show which new lines its tests execute", async () => {
  const repository = playground.copyRepository("make-tap");
  mkdirSync(join(repository, "tests"));
  renameSync(join(repository, "checks.py"), join(repository, "tests", "left.py"));
  const each = "for test in tests/*.py; do PYTHONPATH=. python3 $$test || failed=1; done; exit $$failed";
  writeFileSync(join(repository, "Makefile"), `.PHONY: check\ncheck:\n\t@failed=0; ${each}\n`);
  const last = "    return fill * (width - len(text)) + text";
  const code = `${last}


def pad_right(text, width, fill=" "):
    if len(fill) != 1:
        raise ValueError(fill)
    missing = width - len(text)
    return text + fill * missing`;
  const tests = `from padding import pad_right


def tell(number, name, holds):
    print(f"{'ok' if holds else 'not ok'} {number} - {name}")


tell(1, "pads on the right", pad_right("a", 3) == "a  ")`;
  const more = `${tests}
try:
    pad_right("a", 3, "xy")
    tell(2, "refuses a long fill", False)
except ValueError as error:
    tell(2, "refuses a long fill", str(error) == "xy")`;
  const end = await solve({
    repository,
    statement:
      "Add `pad_right`, which pads a text on its right; a fill that is not one character is a ValueError",
    args: ["--kind", "feature", "--test-command", "make check"],
    answers: [
      act("edit-code", { intent: "pad_right and its tests" }),
      { role: "planning", json: { requirements: ["It pads on the right"] } },
      edit(block("padding.py", last, code), block("tests/right.py", "", `${tests}\nprint("1..1")`)),
      done("pad_right", { requirements: [{ id: "1" }] }),
      act("execute-tests", { candidate: "c1" }),
      {
        ...act("edit-code", { intent: "test the refusal", from: "c1" }),
        contains: "is not executed by a new test: raise ValueError(fill)",
      },
      edit(block("tests/right.py", `${tests}\nprint("1..1")`, `${more}\nprint("1..2")`)),
      done("a test of the refusal", { requirements: [{ id: "1" }] }),
      act("finish", { candidate: "c2" }),
    ],
  });
  const { report } = end;
  expect(predicate(report, "new-code-is-covered")?.evidence).toBe(
    "the new tests execute 4 of 4 new or changed lines; mutants show this, because command does not report the executed lines of a test",
  );
  expect([report.outcome, report.strength]).toEqual(["verified", "moderate"]);
});

test("code-generation: where no existing test executes the target, derived ones execute all of it, notice faults, and never suffice alone", async () => {
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
  const checks = [
    { id: "1", tests: ["test_members_pay_nothing"] },
    { id: "2", tests: ["FeeTest.test_takes_whole_units"] },
  ];
  const derive = (path: string, cases: string, requirements?: typeof checks): ScriptedAnswer[] => [
    act("reproduction", { intent: "tests of fee" }),
    { role: "reproduction", calls: [{ name: "edit", input: { edits: block(path, "", tests(cases)) } }] },
    { role: "reproduction", calls: [{ name: "show", input: { files: [path], requirements } }] },
  ];
  const { report, exitCode, events } = await solve({
    repository,
    statement: "`fee` takes one percent, nothing of members, and raises ValueError for less than nothing",
    args: ["--kind", "code-generation", "--target", "ledger/fees.py:fee"],
    answers: [
      act("edit-code", { intent: "write the body" }),
      { role: "planning", json: { requirements: ["Members pay nothing", "An amount is named so"] } },
      edit(block("ledger/fees.py", "    raise NotImplementedError", body)),
      done("fees are taken", { requirements: [{ id: "1", changes: ["ledger/fees.py:4"] }, { id: "2" }] }),
      act("finish", { candidate: "c1" }),
      ...derive("tests/test_fee.py", some).map((answer, index) =>
        index === 0 ? { ...answer, contains: "no passing test executes the target" } : answer,
      ),
      // One test alone is asked for others, and shown as it is.
      { role: "reproduction", calls: [{ name: "show", input: { files: ["tests/test_fee.py"] } }] },
      act("finish", { candidate: "c1" }),
      ...derive("tests/test_fee_more.py", more, checks).map((answer, index) =>
        index === 0 ? { ...answer, contains: "the derived tests do not execute lines 3, 5" } : answer,
      ),
      act("finish", { candidate: "c1" }),
    ],
  });
  expect(predicate(report, "tests-of-the-target-pass")?.evidence).toMatch(
    /derived tests \(4\) never suffice alone; the derived tests execute each line of the target and detect \d+ of \d+ small faults/,
  );
  // Nothing is left to do, so the third finish is the end, and nobody but the derived tests vouches for the body.
  expect([exitCode, report.outcome, report.files.length]).toEqual([10, "unverified", 1]);
  expect(readMarkdown(report)).toContain("Read them in tests.diff in the run's folder");
  // Who wrote the tests said which requirement each checks.
  expect(readMarkdown(report)).not.toContain("- Requirement");
  const written = readFileSync(join(report.runDirectory, "tests.diff"), "utf8");
  expect(written).toContain("+++ b/tests/test_fee.py");
  expect(written).toContain("+++ b/tests/test_fee_more.py");
  const begun = events.flatMap((event) => (event.event === "step-started" ? [event.title] : []));
  // Three times it was proposed, twice with more derived tests, which are run alone.
  expect(begun.filter((title) => title === "run all tests")).toHaveLength(1);
  // No existing test can execute a body that raises, so only the derived ones are measured.
  expect(begun.filter((title) => title === "run tests with coverage")).toHaveLength(2);
});
