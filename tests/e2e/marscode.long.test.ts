/** MarsCode Agent with a scripted model: whole runs, with a reset, with a test of its own, and with a vote among candidates. */
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

const strategy = "marscode";
const call = (role: string, name: string, input: object): ScriptedAnswer => ({
  role,
  calls: [{ name, input }],
});
const found = (file: string, startLine: number, endLine: number): ScriptedAnswer =>
  call("retrieval", "report", {
    places: [{ file, startLine, endLine, why: "it decides" }],
    answer: "the comparison decides",
  });
const plan = (mode: string): ScriptedAnswer => ({ role: "planning", json: { mode, why: "it says how" } });
const edit = (path: string, before: string, after: string): ScriptedAnswer =>
  call("editing", "edit", { edits: editBlock(path, before, after) });
const done = (summary: string): ScriptedAnswer => call("editing", "done", { summary });

const account = "ledger/account.py";
const comparison = "    return amount < available";
const raise = "        if not can_cover(self, amount):";

test("the tests' output goes back to the programmer, who resets and starts anew", async () => {
  const end = await solveScripted(playground, {
    repository: playground.copyRepository("repair-python"),
    statement:
      "A transfer of the `whole_overdraft`, or one that empties an account, is refused: InsufficientFunds is raised",
    strategy,
    answers: [
      found(account, 16, 24),
      {
        ...plan("dynamic"),
        contains: ["return amount < available", "False is not true"],
      },
      { ...done("nothing"), contains: "# Snippets" },
      {
        ...edit(account, raise, `${" ".repeat(8)}if amount > 99 and not can_cover(self, amount):`),
        contains: "You have changed nothing",
      },
      done("a hundred may be paid"),
      {
        ...edit(account, raise, `${" ".repeat(8)}if False:`),
        contains: ["a hundred may be paid", "+        if amount > 99 and", "Test results"],
      },
      call("editing", "reset", {}),
      { ...done("nothing is left"), contains: "in their original state again" },
      {
        ...edit(account, comparison, "    return amount <= available"),
        contains: "You have changed nothing",
      },
      done("all that is available may be paid"),
    ],
  });
  expect(end.exitCode).toBe(0);
  expect(end.report).toMatchObject({ outcome: "verified", candidates: 2 });
  expect(end.report.patch).toContain("+    return amount <= available");
  expect(end.report.patch).not.toContain("if False");
  const second = end.events.find(
    (event) => event.event === "candidate-created" && event.candidate.id === "c2",
  );
  expect(second).not.toHaveProperty("candidate.parent");
  expect(end.actions).toEqual(["code-retrieval", "plan", "program", "test", "program", "test"]);
});

test("without a failing test one is written, and the repair goes on until it passes", async () => {
  const repository = playground.copyRepository("repair-python");
  const tests = join(repository, "tests", "test_transfer.py");
  const known = readFileSync(tests, "utf8");
  writeFileSync(tests, known.replace(/ {4}def test_(?:empties|uses)[\s\S]*?\n\n/g, ""));
  const written = [
    "import unittest\n\nfrom ledger.account import Account\n\n\nclass WholeTest(unittest.TestCase):",
    '    def test_pays_the_whole(self):\n        Account("rent", 5).withdraw(5)',
  ].join("\n");
  const path = "tests/test_whole.py";
  const end = await solveScripted(playground, {
    repository,
    statement: "`test_pays_the_whole`: InsufficientFunds is raised where all that is there is paid",
    strategy,
    answers: [
      found(account, 22, 24),
      plan("dynamic"),
      call("reproduction", "edit", { edits: editBlock(path, "", written) }),
      call("reproduction", "show", { files: [path] }),
      { ...edit(account, comparison, "    return amount <= available"), contains: "InsufficientFunds" },
      done("all that is available may be paid"),
    ],
  });
  expect(end.exitCode).toBe(0);
  expect(end.report.patch).toContain("+    return amount <= available");
  expect(end.actions).toEqual(["code-retrieval", "plan", "reproduction", "program", "test"]);
});

const row = "src/row.js";
const bound = "    if (free > size) return seat - size + 1;";

test("a static repair merges candidates of one meaning, and the model's vote decides", async () => {
  const candidates = [
    ["ends early", bound.replace("free > size", "free > 0")],
    ["does not fit", bound],
    ["the size is enough", bound.replace(">", ">=")],
    ["the same", bound.replace("free > size", "free >= size").replace("return", "/* enough */ return")],
  ].map(
    ([title, line = ""], index) => `## Candidate ${index + 1}: ${title}\n\n${editBlock(row, bound, line)}`,
  );
  const repository = playground.copyRepository("repair-javascript");
  const end = await solveScripted(playground, {
    repository,
    statement: "`fills a row to its last seat` fails: Error: no row has 2 free seats",
    strategy,
    args: attemptFlags(repository, row, bound, bound.replace("free > size", "free")),
    answers: [
      found(row, 10, 17),
      plan("static"),
      { role: "editing", text: candidates.join("\n\n") },
      {
        role: "review",
        contains: ["## c3, written 2 times", "## c2, written once"],
        json: { candidate: "c3", why: "it is the bound" },
      },
    ],
  });
  expect(end.exitCode).toBe(0);
  expect(end.report).toMatchObject({ outcome: "verified", candidates: 4 });
  expect(end.report.patch).toContain("+    if (free >= size) return");
  expect(end.actions).toEqual(["code-retrieval", "plan", "edit", "vote"]);
});

test("at a limit the best patch so far is written", async () => {
  const end = await solveScripted(playground, {
    repository: playground.copyRepository("repair-javascript"),
    statement: "`fills a row to its last seat` fails: Error: no row has 2 free seats",
    strategy,
    args: ["--max-steps", "3"],
    answers: [
      found(row, 10, 17),
      plan("dynamic"),
      edit(row, bound, bound.replace("free > size", "free > 0")),
      done("any seat will do"),
    ],
  });
  expect(end.exitCode).toBe(12);
  expect(end.report).toMatchObject({ outcome: "unverified", candidates: 1 });
  expect(end.report.patch).toContain("+    if (free > 0)");
});
