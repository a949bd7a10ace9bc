/** A statement that can be read in two ways: the user is asked where there is one, and an assumption is written down where not. */
import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeFailingTestsAway } from "./kind-tasks.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { statement } from "./scripted-react.ts";
import { editBlock, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const question = "May an overdraft be used up?";
const input = { question, choices: ["yes", "no"], assumption: "yes" };

test("where nobody is there it never waits: the assumption is in the state and in the report", async () => {
  const says = (role: string, name: string, given: object, contains = ""): ScriptedAnswer => ({
    role,
    contains,
    calls: [{ name, input: given }],
  });
  const edits = editBlock(
    "ledger/account.py",
    "    return amount < available",
    "    return amount <= available",
  );
  const { report, stderr } = await solveScripted(playground, {
    repository: playground.copyRepository("repair-python"),
    statement: "",
    strategy: "unified",
    answers: [
      says("planning", "ask", input),
      says("planning", "ask", input, "The user gave no answer. Assumed: yes"),
      says("planning", "edit-code", { intent: "let all of it be paid" }, "already settled"),
      says("editing", "edit", { edits }, `${question} yes (no answer from the user)`),
      says("editing", "done", { summary: "all of it may be paid" }),
    ],
    args: ["--without", "review-patch"],
  });
  expect(report.outcome, stderr).toBe("verified");
  const text = readFileSync(join(report.runDirectory, "report.md"), "utf8");
  expect(text).toContain(`Assumed: ${question} yes (no answer from the user)`);
});

test("before any planner, by rule, the author of the tests asks how to read the statement, and editors see the answer", async () => {
  const repository = playground.copyRepository("repair-python");
  takeFailingTestsAway(repository);
  const path = "tests/test_all_of_it.py";
  const body =
    'import unittest\n\nfrom ledger.account import Account\n\n\nclass AllTest(unittest.TestCase):\n    def test_pays_all(self):\n        Account("rent", 5).withdraw(5)\n\n    def test_pays_more(self):\n        Account("rent", 50).withdraw(50)\n';
  const author = (
    name: string,
    given: object,
    contains: string | readonly string[] = "",
  ): ScriptedAnswer => ({
    ...{ role: "reproduction", contains, calls: [{ name, input: given }] },
  });
  const edits = editBlock("ledger/account.py", "return amount < available", "return amount <= available");
  const { report, stderr, actions } = await solveScripted(playground, {
    repository,
    statement,
    strategy: "unified",
    answers: [
      author("ask", input, "# The statement"),
      author("edit", { edits: editBlock(path, "", body) }, "The user gave no answer. Assumed: yes"),
      author("show", { files: [path], places: ["ledger/account.py:22-24"] }),
      {
        ...{ role: "editing", contains: `${question} yes (no answer from the user)` },
        calls: [
          { name: "edit", input: { edits } },
          { name: "done", input: { summary: "all of it may be paid" } },
        ],
      },
    ],
    args: ["--without", "review-patch"],
  });
  expect(report.outcome, stderr).toBe("verified");
  expect(actions).toEqual(["reproduction", "edit-code", "finish"]);
});

test("in a terminal a number chooses", async () => {
  const repository = playground.copyRepository("repair-python");
  const program = join(import.meta.dirname, "../../bin/millwright");
  const args = [program, "act", "ask", "--input", JSON.stringify(input), "--repo", repository];
  const child = spawn("python3", ["-c", "import pty, sys; pty.spawn(sys.argv[1:])", ...args], {
    env: { ...process.env, MILLWRIGHT_RUNS_DIR: playground.runs, NO_COLOR: "1" },
    stdio: ["pipe", "pipe", "inherit"],
  });
  let shown = "";
  let isAnswered = false;
  const ended = new Promise((resolve) => child.once("close", resolve));
  child.stdout.on("data", (chunk: Buffer) => {
    shown += chunk.toString();
    if (isAnswered || !shown.includes("press Enter to skip: ")) return;
    isAnswered = true;
    child.stdin.write("2\n");
  });
  child.stdout.on("end", () => child.stdin.end());
  await ended;
  expect(shown).toContain("1. yes");
  expect(shown).toContain("The user says: no");
});
