/** Agentless with a scripted model: whole runs, in which filters and votes decide. */
import { appendFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlayground, type Playground } from "./millwright.ts";
import { attemptFlags, editBlock, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const strategy = "agentless";

/** `shown`: what has to stand in what the last two levels are shown. */
function locate(file: string, name: string, lines: readonly [number, number], shown = ""): ScriptedAnswer[] {
  const [startLine, endLine] = lines;
  const places = { places: [{ file, startLine, endLine }] };
  return [
    { role: "retrieval", system: "Name the files to change", json: { files: [file] } },
    { role: "retrieval", system: "nothing to do with the task", json: { folders: ["docs"] } },
    {
      role: "retrieval",
      system: "Name the classes, functions",
      contains: shown,
      json: { elements: [{ file, names: [name] }] },
    },
    { role: "retrieval", system: "Name all places", contains: shown, json: places, times: "always" },
  ];
}

const noTestChanges: ScriptedAnswer = { role: "review", json: { tests: [] } };
const patches = (...texts: readonly string[]): ScriptedAnswer[] =>
  texts.map((text, sample) => ({ role: "editing", sample, text: `The limit is wrong.\n\n${text}` }));

const account = "ledger/account.py";
const comparison = "    return amount < available";
const overdraft =
  "A transfer of the `whole_overdraft`, or one that empties an account, is refused: InsufficientFunds is raised";

test("the vote decides among patches that pass, and among tests that fail", async () => {
  const repository = playground.copyRepository("repair-python");
  const tests = join(repository, "tests", "test_transfer.py");
  const known = readFileSync(tests, "utf8");
  writeFileSync(tests, known.replace(/ {4}def test_(?:empties|uses)[\s\S]*?\n\n/g, ""));
  const atTheEnd = 'Account.kind = "ledger"';
  appendFileSync(join(repository, account), `\n\n${atTheEnd}\n`);
  const head =
    "import unittest\n\nfrom ledger.account import Account\n\n\nclass WholeTest(unittest.TestCase):\n";
  const written = (sample: number, path: string, name: string, body: string): ScriptedAnswer => ({
    role: "reproduction",
    sample,
    text: editBlock(path, "", `${head}    def test_${name}(self):\n        ${body}`),
  });
  const end = await solveScripted(playground, {
    repository,
    statement: overdraft,
    strategy,
    args: ["--samples", "4"],
    answers: [
      ...locate(account, "can_cover", [22, 24], atTheEnd),
      ...patches(
        editBlock(account, comparison, "    return not amount > available"),
        editBlock(account, comparison, "    return amount <= available"),
        editBlock(account, comparison, "    return True"),
        editBlock(account, comparison, "    # the whole of it too\n    return amount <= available"),
      ),
      noTestChanges,
      written(0, "tests/test_one.py", "pays_part", 'Account("rent", 5).withdraw(4)'),
      written(1, "tests/test_two.py", "overdraft", 'Account("rent", 0, 9).withdraw(9)'),
      written(2, "tests/test_three.py", "whole", 'Account("rent", 5).withdraw(5)'),
      written(3, "tests/test_four.py", "whole", 'Account("rent", 5).withdraw(5)  # all'),
    ],
  });
  expect(end.exitCode).toBe(0);
  expect(end.report).toMatchObject({ strategy, outcome: "verified", candidates: 4 });
  expect(end.report.patch).toContain("+    return amount <= available");
  expect(end.report.patch).not.toContain("#");
  expect(end.stderr).toContain("The chosen tests won the vote: 2 of 3 samples match.");
  expect(end.report.gate[0]?.evidence).toContain("1 of 1 failed");
  expect(end.actions).toEqual([
    "locate-files",
    "retrieve-files",
    "locate-elements",
    "locate-edits",
    "write-patches",
    "write-patches",
    "regression-tests",
    "reproduce",
    "test-patch",
    "test-patch",
    "test-patch",
  ]);
  expect(end.events[0]).toMatchObject({
    event: "run-started",
    decoding: { temperature: 0, sampled: { temperature: 0.8 } },
  });
});

test("patches that break a test, a given attempt among them, lose whatever their majority", async () => {
  const repository = playground.copyRepository("repair-python");
  const attempt = attemptFlags(repository, account, comparison, "    return True");
  const end = await solveScripted(playground, {
    repository,
    statement: overdraft,
    strategy,
    args: ["--samples", "3", ...attempt],
    answers: [
      ...locate(account, "can_cover", [22, 24]),
      ...patches(
        editBlock(account, comparison, "    return True"),
        editBlock(account, comparison, "    # all\n    return True"),
        editBlock(account, comparison, "    return amount <= available"),
      ),
      noTestChanges,
    ],
  });
  expect(end.exitCode).toBe(0);
  expect(end.report).toMatchObject({ task: { kind: "partial-fix" }, candidates: 4 });
  expect(end.report.patch).toContain("amount <= available");
  expect(end.actions).not.toContain("reproduce");
  expect(end.stderr).toContain("test-patch: all tests with c1, c2, c3");
});

test("at a limit the patch with the most voices is written, and nothing more is asked", async () => {
  const end = await solveScripted(playground, {
    repository: playground.copyRepository("repair-python"),
    statement: overdraft,
    strategy,
    args: ["--samples", "3", "--max-steps", "5"],
    answers: [
      ...locate(account, "can_cover", [22, 24]),
      ...patches(
        editBlock(account, comparison, "    return True"),
        "No block at all",
        editBlock(account, comparison, "    return False"),
      ),
    ],
  });
  expect(end.exitCode).toBe(12);
  expect(end.report).toMatchObject({ outcome: "unverified", candidates: 2 });
  expect(end.report.patch).toContain("+    return True");
  expect(end.report.reason).toContain("limit of 5 steps");
  expect(end.actions).toHaveLength(5);
});

test("code that equals what the patch replaced is put to a review, which the method itself does not have", async () => {
  const repository = playground.copyRepository("repair-python");
  const body =
    '    available = account.balance + account.overdraft\n    if account.owner is None or account.balance is None:\n        raise ValueError("nobody owns it")\n    return amount < available\n';
  const file = join(repository, account);
  const text = readFileSync(file, "utf8").replace(/ {4}available = [\s\S]*/, body);
  writeFileSync(file, `${text}\n\ndef can_lend(account, amount):\n${body}`);
  const side = { approved: true, analysis: "It decides by what is available.", advice: "" };
  const because = "a loan has to leave something in the account, and nothing of that is reported";
  const place = "ledger/account.py:33";
  const end = await solveScripted(playground, {
    repository,
    statement: overdraft,
    strategy,
    args: ["--samples", "1"],
    answers: [
      ...locate(account, "can_cover", [22, 26]),
      ...patches(
        editBlock(
          account,
          `def can_cover(account, amount):\n${body}`,
          `def can_cover(account, amount):\n${body.replace("<", "<=")}`,
        ),
      ),
      noTestChanges,
      {
        role: "review",
        contains: ["Places that equal the replaced code", "def can_lend"],
        calls: [
          {
            name: "verdict",
            input: { patch: side, tests: side, twins: [{ place, needsChange: false, because }] },
          },
        ],
      },
    ],
  });
  expect(end.exitCode, end.stderr).toBe(0);
  expect(end.actions.at(-1)).toBe("review-patch");
  expect(end.report).toMatchObject({ outcome: "verified", strength: "moderate" });
  const suffices = end.report.gate.find(({ predicate }) => predicate === "evidence-suffices");
  expect(suffices?.evidence).toContain(because);
});
