/** Tasks that ask for tests, by the unified agent with a scripted model: whole runs, gates that measure. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlayground, type Playground } from "./millwright.ts";
import { editBlock as block, type ScriptedEnd, type ScriptedRun, solveScripted } from "./scripted-solve.ts";
import { act, done, edit, predicate, readMarkdown } from "./scripted-steps.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

function solve(run: Omit<ScriptedRun, "strategy">): Promise<ScriptedEnd> {
  return solveScripted(playground, { strategy: "unified", ...run });
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
  const left = `import glob, os, unittest


class LeftTest(unittest.TestCase):
    def test_trips_over_what_it_left(self):
        path = os.path.join(os.path.dirname(__file__), "by-a-test.left")
        names = " ".join(sorted(glob.glob(os.path.dirname(__file__) + "/*.py")))
        if not os.path.exists(path):
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w") as file:
                file.write(names)
        with open(path) as file:
            self.assertEqual(file.read(), names)
`;
  writeFileSync(join(repository, "tests", "test_left.py"), left);
  appendFileSync(join(repository, ".gitignore"), "*.left\n");
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
      act("execute-tests", { candidate: "t2", sets: [["t2"], ["c1", "t2"], ["t9"]] }),
      {
        ...act("finish", { candidate: "t2" }),
        contains: [
          "1 of 1 new test passes with the fix c1",
          "0 of 1 test that is new or shows the fault pass",
          "c1+t2: ",
          "1 of 1 test that is new or shows the fault passes",
          "There is no candidate t9.",
        ],
      },
      // Nobody has read it: a review does, before it counts as verified.
      {
        role: "review",
        calls: [
          {
            name: "verdict",
            input: {
              patch: {
                approved: true,
                analysis: "It empties an account, as the statement says.",
                advice: "",
              },
              tests: { approved: true, analysis: "It fails for the stated reason.", advice: "" },
            },
          },
        ],
      },
    ],
  });
  const { report } = end;
  expect(report.gate.map(({ predicate: name, holds }) => [name, holds])).toEqual([
    ["only-tests-change", true],
    ["new-test-fails-on-base", true],
    ["failure-is-the-stated-one", true],
    ["passes-with-a-fix", true],
    ["no-test-breaks", true],
    ["tests-intact", true],
    ["no-standing-objection", true],
    ["confirmed-afresh", true],
    ["evidence-suffices", true],
  ]);
  expect(end.exitCode).toBe(0);
  expect(predicate(report, "failure-is-the-stated-one")?.evidence).toContain("insufficientfunds");
  expect(predicate(report, "no-standing-objection")?.evidence).toContain(
    "no objection of the review is open",
  );
  expect(predicate(report, "passes-with-a-fix")?.evidence).toContain(
    "1 of 1 new test passes with the fix c1",
  );
  expect(predicate(report, "no-test-breaks")?.evidence).toContain(
    "1 of them passes only when run again in a fresh checkout",
  );
  expect(report.files.map(({ path }) => path)).toEqual(["tests/test_whole.py"]);
  expect(report.candidates).toBe(2);
  expect(readMarkdown(report)).toContain("| finish ✗ | t1");
});

test("test-generation, JavaScript: lines that no new test executes are listed, and tests that notice no fault in them are not enough", async () => {
  const repository = playground.copyRepository("repair-javascript");
  const path = "test/block.test.js";
  const start = `import assert from "node:assert/strict";
import { it } from "node:test";
import { findBlock } from "../src/row.js";

it("finds a block", () => {
  findBlock({ seats: 4, taken: [] }, 2);
});`;
  const last = "  findBlock({ seats: 4, taken: [] }, 2);\n});";
  const rest = `
it("finds none where there is none", () => {
  findBlock({ seats: 2, taken: [1] }, 2);
});`;
  const checked = `  assert.equal(findBlock({ seats: 4, taken: [] }, 2), 2);
});

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
      {
        ...act("edit-code", { intent: "check the results", from: "t2" }),
        contains: ["the new tests detect 0 of", "no test detects that"],
      },
      edit(block(path, `${last}\n${rest}`, checked)),
      done("what comes out is checked"),
      act("finish", { candidate: "t3" }),
    ],
  });
  const { report } = end;
  expect(predicate(report, "target-is-covered")?.evidence).toBe(
    "the new tests execute 5 of 5 lines of src/row.js:findBlock",
  );
  expect(predicate(report, "new-tests-notice-faults")?.evidence).toMatch(
    /^the new tests detect \d+ of \d+ small faults.* in the lines that they execute/,
  );
  expect(predicate(report, "new-tests-pass")?.evidence).toBe("2 new tests pass in each of 3 runs");
  expect(predicate(report, "evidence-suffices")?.evidence).not.toContain("mutants nor");
  expect(end.exitCode).toBe(0);
  expect(report.files.map((file) => file.path)).toEqual([path]);
});

test("test-generation, Rust: tests inside the target's file stay there while faults are inserted into it", async () => {
  const path = "src/lib.rs";
  const end = "    ashore\n}";
  const vehicle = "|length| Vehicle { plate: String::new(), length }";
  const start = `#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loads_two_decks() {
        let mut decks = [Deck::new(6), Deck::new(20)];`;
  const unchecked = `        load(&mut decks, [5, 12, 99].map(${vehicle}).to_vec());`;
  const checked = `        let ashore = load(&mut decks, [5, 12, 99].map(${vehicle}).to_vec());
        assert_eq!(ashore.len(), 1);
        assert_eq!(decks.map(|deck| deck.used()), [5, 12]);`;
  const { report, exitCode } = await solve({
    repository: playground.copyRepository("repair-rust"),
    statement: "",
    args: ["--kind", "test-generation", "--target", `${path}:load`],
    answers: [
      act("edit-code", { intent: "tests of load" }),
      edit(block(path, end, `${end}\n\n${start}\n${unchecked}\n    }\n}`)),
      done("vehicles are loaded"),
      {
        ...act("edit-code", { intent: "check the results", from: "t1" }),
        contains: "the new tests detect 0 of",
      },
      edit(block(path, unchecked, checked)),
      done("the decks are checked"),
      act("finish", { candidate: "t2" }),
    ],
  });
  expect(exitCode).toBe(0);
  expect(predicate(report, "new-tests-notice-faults")?.evidence).toMatch(/^the new tests detect [1-9]/);
  expect(report.patch).toContain("assert_eq!(ashore.len(), 1)");
  expect(report.candidates).toBe(2);
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
  expect(missing.stderr).toContain("give FILE:SYMBOL");
  expect(unknown.stderr).toContain(
    "src/row.js has no findRow: its functions include seatsOf, isFree, findBlock",
  );
  expect(existsSync(playground.runs)).toBe(false);
});
