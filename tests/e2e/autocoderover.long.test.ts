/** AutoCodeRover with a scripted model: whole runs, in which a reviewer says no and votes decide. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlayground, type Playground } from "./millwright.ts";
import { attemptFlags, editBlock, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const strategy = "autocoderover";
const called = (role: string, ...calls: readonly (readonly [string, object])[]): ScriptedAnswer => ({
  role,
  calls: calls.map(([name, input]) => ({ name, input })),
});
const report = (file: string, startLine: number, endLine: number, intended: string) =>
  ["report", { locations: [{ file, startLine, endLine, intended_behavior: intended }] }] as const;
const patch = (text: string): ScriptedAnswer => ({ role: "editing", text: `The bound is wrong.\n\n${text}` });
const right = { correct: true, analysis: "It fits the statement.", advice: "" };
const wrong = (analysis: string, advice: string) => ({ correct: false, analysis, advice });
const review = (ofPatch: object, ofTest: object = right): ScriptedAnswer => ({
  role: "review",
  system: "Review a patch",
  json: { patch: ofPatch, test: ofTest },
});

const account = "ledger/account.py";
const comparison = "    return amount < available";

test("a test is written, patches are reviewed and written anew, until one is approved and breaks nothing", async () => {
  const repository = playground.copyRepository("repair-python");
  const tests = join(repository, "tests", "test_transfer.py");
  const known = readFileSync(tests, "utf8");
  writeFileSync(tests, known.replace(/ {4}def test_(?:empties|uses)[\s\S]*?\n\n/g, ""));
  const head =
    "import unittest\n\nfrom ledger.account import Account\n\n\nclass WholeTest(unittest.TestCase):\n";
  const written = (path: string, body: string): ScriptedAnswer => ({
    role: "reproduction",
    text: editBlock(path, "", `${head}    def test_whole(self):\n        ${body}`),
  });
  const end = await solveScripted(playground, {
    repository,
    statement: "Emptying an account is refused: InsufficientFunds is raised by `withdraw`",
    strategy,
    answers: [
      { role: "reproduction", json: { reproducible: true, why: "it says what is called" } },
      written("tests/test_whole.py", 'Account("rent", 5).withdraw(4)'),
      written("tests/test_whole.py", 'Account("rent", 0, 0).withdraw(1)'),
      called(
        "retrieval",
        ["search_class", { class_name: "Account" }],
        ["search_method_in_class", { method_name: "withdraw", class_name: "Account" }],
        ["search_method", { method_name: "can_cove" }],
      ),
      {
        ...called(
          "retrieval",
          ["search_code", { code_str: "available" }],
          ["search_method", { method_name: "can_cover" }],
        ),
        contains: ["def withdraw(self, amount)", "raise InsufficientFunds(", "Similar: can_cover"],
      },
      { ...called("retrieval", report("account.py", 22, 24, "x")), contains: "amount < available" },
      {
        ...called("retrieval", report(account, 22, 24, "true up to all that is available")),
        contains: "The repository has no file account.py",
      },
      patch(editBlock(account, "    return amount <<< available", "    return True")),
      { ...patch(editBlock(account, comparison, "    return True")), contains: "does not apply" },
      review(
        wrong("It pays without an end.", "Compare with what is available."),
        wrong("Nothing is there to pay one.", "Pay the whole."),
      ),
      { ...written("tests/test_whole.py", 'Account("rent", 5).withdraw(5)'), contains: "Pay the whole." },
      {
        ...written("tests/test_all.py", 'Account("rent", 5).withdraw(5)'),
        contains: "The file tests/test_whole.py already exists",
      },
      {
        ...patch(editBlock(account, comparison, "    return amount <= available")),
        contains: ["Compare with what is available.", "test_whole passes with the patch"],
      },
      {
        ...review(right),
        contains: ["withdraw(5)", "InsufficientFunds", "test_whole passes with the patch"],
      },
    ],
  });
  expect(end.exitCode).toBe(0);
  expect(end.report).toMatchObject({ strategy, outcome: "verified", candidates: 2 });
  expect(end.report.patch).toContain("+    return amount <= available");
  expect(end.actions).toEqual([
    "write-test",
    "rank-methods",
    "search-code",
    "write-patch",
    "review",
    "write-test",
    "write-patch",
    "review",
    "validate",
  ]);
});

const row = "src/row.js";
const bound = "    if (free > size) return seat - size + 1;";
const lastSeat =
  "`fills a row to its last seat` fails: Error: no row has 2 free seats, for a party that is as large as the row";

test("in JavaScript, without an approved patch it is tried again, and then most votes of three decide", async () => {
  const attempt = (text: string): ScriptedAnswer[] => [
    called("retrieval", ["search_method_in_file", { method_name: "findBlock", file_name: "row.js" }]),
    {
      ...called("retrieval", report(row, 10, 17, "a block of just the size is enough")),
      contains: "free > size",
    },
    patch(text),
    review(wrong("It is not clear.", "Say why.")),
    patch("No patch."),
    patch("No patch."),
    patch("No patch."),
  ];
  const vote = (sample: number, id: string): ScriptedAnswer => ({
    role: "review",
    system: "Choose the patch that does",
    sample,
    json: { patch: id, why: "least" },
  });
  const repository = playground.copyRepository("repair-javascript");
  const given = attemptFlags(repository, row, bound, bound.replace("free > size", "free"));
  const end = await solveScripted(playground, {
    repository,
    statement: lastSeat,
    strategy,
    args: ["--samples", "2", ...given],
    answers: [
      ...attempt(editBlock(row, bound, bound.replace(">", ">= 0 +"))),
      ...attempt(editBlock(row, bound, bound.replace("free > size", "free === size"))),
      vote(0, "c2"),
      vote(1, "c3"),
      vote(2, "c3"),
    ],
  });
  // No review approved it, and that stands.
  expect(end.exitCode).toBe(10);
  const unmet = end.report.gate.filter(({ holds }) => !holds).map(({ predicate }) => predicate);
  expect(unmet).toEqual(["no-standing-objection"]);
  expect(end.report.patch).toContain("+    if (free === size)");
  expect(end.actions.filter((action) => action === "validate")).toHaveLength(2);
  expect(end.actions.at(-1)).toBe("select");
  expect(end.actions).not.toContain("write-test");
});

test("a limit of cost ends it with the patch that there is; a stage that is turned off is left out", async () => {
  const usage = { input: 1_000, output: 100, usd: 0.3 };
  const end = await solveScripted(playground, {
    repository: playground.copyRepository("repair-javascript"),
    statement: lastSeat,
    strategy,
    args: ["--max-cost", "0.9", "--without", "rank-methods"],
    answers: [
      { ...called("retrieval", report(row, 10, 17, "a block of just the size is enough")), usage },
      { ...patch(editBlock(row, bound, bound.replace("free > size", "free"))), usage },
      { ...review(wrong("Each seat is a block.", "Compare.")), usage, times: "always" },
      {
        ...patch(editBlock(row, bound, bound.replace("free > size", "free >= size"))),
        usage,
        times: "always",
      },
    ],
  });
  expect(end.exitCode).toBe(12);
  expect(end.report).toMatchObject({ outcome: "unverified", candidates: 1 });
  expect(end.report.patch).toContain("+    if (free) return");
  expect(end.report.usage.usd).toBeLessThanOrEqual(0.9);
  expect(end.actions).toEqual(["search-code", "write-patch", "review", "write-patch"]);
});
