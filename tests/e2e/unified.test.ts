/** The unified agent with a scripted model: whole runs in a real sandbox, on repositories with and without a failing test. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { SolveReport } from "../../src/domain/solve-report.ts";
import { createPlayground, fingerprint, type Playground, type ProgramEnd } from "./millwright.ts";
import { readReport } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const statement =
  "A transfer of the `whole_overdraft`, or one that empties an account, is refused: InsufficientFunds is raised";

interface Scripted {
  readonly role: string;
  readonly name?: string;
  readonly input?: object;
  readonly text?: string;
  readonly times?: number | "always";
  readonly contains?: string | readonly string[];
}

function solve(repository: string, answers: readonly Scripted[], ...args: string[]): Promise<ProgramEnd> {
  const script = join(playground.folder, "script.json");
  const told = answers.map(({ role, name, input, text = "", times = 1, contains = "" }) => ({
    when: { role, contains },
    text,
    times,
    ...(name === undefined ? {} : { calls: [{ name, input }] }),
  }));
  writeFileSync(script, JSON.stringify({ answers: told }));
  const model = `scripted:${script}`;
  return playground.start([
    "solve",
    statement,
    "--repo",
    repository,
    "--model",
    model,
    "--output",
    "json",
    ...args,
  ]).ended;
}

/** Names, in their order. */
function readActions({ runDirectory }: SolveReport): string[] {
  const lines = readFileSync(join(runDirectory, "events.jsonl"), "utf8").trim().split("\n");
  return lines
    .map((line) => JSON.parse(line))
    .flatMap((event) => (event.event === "action-started" ? [event.action] : []));
}

const edit = (path: string, before: string, after: string): Scripted => ({
  role: "editing",
  name: "edit",
  input: { edits: `${path}\n<<<<<<< SEARCH\n${before}\n=======\n${after}\n>>>>>>> REPLACE\n` },
});
const act = (name: string, input: object): Scripted => ({ role: "planning", name, input });
const search = [
  act("code-retrieval", { intent: "where a payment is refused" }),
  { role: "retrieval", name: "find", input: { query: statement } },
  { role: "retrieval", name: "view", input: { path: "ledger/account.py" } },
  {
    role: "retrieval",
    name: "report",
    input: {
      places: [{ file: "ledger/account.py", startLine: 22, endLine: 24, why: "it decides" }],
      answer: "can_cover decides",
    },
  },
];
const judge = (approved: boolean, advice = ""): Scripted => ({
  role: "review",
  name: "verdict",
  input: {
    patch: { approved, analysis: "It compares with all that is available", advice },
    tests: { approved: true, analysis: "They ask for all of it" },
  },
});
const mend = [
  act("edit-code", { intent: "let the whole of what is available be paid" }),
  edit("ledger/account.py", "    return amount < available", "    return amount <= available"),
  { role: "editing", name: "done", input: { summary: "all that is available may be paid" } },
];

test("finds and edits; a candidate whose gate holds is reviewed and proposed by rule, and the repository stays as it was", async () => {
  const repository = playground.copyRepository("repair-python");
  const before = fingerprint(repository);
  const [choose, ...write] = mend;
  // The code of the likeliest place stands in the planner's opening, and in the editor's.
  const shown = "return amount < available";
  const answers = [choose, ...write].map((answer, at) => ({
    role: "",
    ...answer,
    ...(at < 2 ? { contains: shown } : {}),
  }));
  const end = await solve(repository, [...answers, judge(true)]);
  expect(end.exitCode).toBe(0);
  const report = readReport(end);
  expect(report).toMatchObject({
    strategy: "unified",
    outcome: "verified",
    model: expect.stringMatching(/^scripted:/),
  });
  expect(report.patch).toContain("+    return amount <= available");
  // One of the planner, two of the editor, one of the reviewer; and what all that costs is not to grow unseen.
  expect(report.usage.calls).toBe(4);
  expect(report.usage.inputTokens).toBeLessThan(11_000);
  expect(end.stderr).toContain("The gate holds for c1. By rule, a review reads c1");
  expect(readActions(report)).toEqual(["edit-code", "review-patch", "finish"]);
  expect(fingerprint(repository)).toBe(before);
});

test("where no test fails one is written first, and its place edited, by rule; what a review advises is followed once, and the rest the planner's to decide", async () => {
  const repository = playground.copyRepository("repair-python");
  const tests = join(repository, "tests", "test_transfer.py");
  const text = readFileSync(tests, "utf8");
  writeFileSync(tests, text.replace(/ {4}def test_(?:empties|uses)[\s\S]*?\n\n/g, ""));
  const write = (body: string): Scripted => ({
    role: "reproduction",
    name: "edit",
    input: { edits: `tests/test_whole.py\n<<<<<<< SEARCH\n=======\n${body}\n>>>>>>> REPLACE\n` },
  });
  const head =
    "import unittest\n\nfrom ledger.account import Account\n\n\nclass WholeTest(unittest.TestCase):\n";
  const right = `${head}    def test_pays_the_whole_balance(self):\n        Account("rent", 5).withdraw(5)\n\n    def test_is_wrong_itself(self):\n        self.assertEqual(5, acount.balance)`;
  const files = ["tests/test_whole.py"];
  const show = { role: "reproduction", name: "show", input: { files } };
  const named = { ...show, input: { files, places: ["ledger/account.py:22-24"], seen: "all is too much" } };
  const taken = {
    ...edit("tests/test_transfer.py", "import unittest", "import unittest  # here"),
    role: "reproduction",
  };
  const program = 'from ledger.account import Account\nAccount("rent", 5).withdraw(5)\n';
  const end = await solve(repository, [
    { role: "reproduction", name: "try_out", input: { program } },
    {
      ...write(`${head}    def test_is_new(self):\n        Account("rent", 5).withdraw(4)`),
      contains: ["exit code 1", "InsufficientFunds", "import ledger"],
    },
    show,
    {
      role: "reproduction",
      name: "edit",
      input: {
        edits: `tests/test_whole.py\n<<<<<<< SEARCH\n    def test_is_new(self):\n        Account("rent", 5).withdraw(4)\n=======\n${right.slice(head.length)}\n>>>>>>> REPLACE\n`,
      },
    },
    taken,
    { ...named, contains: "already has these files" },
    // What shows it is kept, also where its author mends nothing of the rest.
    {
      role: "reproduction",
      name: "cannot-show",
      input: { because: "unclear", reason: "the other is beyond me" },
      contains: "1 test fails for the stated reason, and 1 for another",
    },
    // Who wrote the test names the place: nobody is asked whether it is edited, and its lines are shown.
    ...mend.slice(1).map((each) => ({ ...each, contains: "(named by the tests' author)" })),
    judge(false, "name the limit"),
    {
      ...{ role: "editing", name: "done", input: { summary: "the limit has a name", cannot: true } },
      contains: "It compares with all that is available. name the limit",
    },
    {
      ...act("finish", { candidate: "c1" }),
      contains: ["Advice: name the limit", "ledger/account.py +1 -1 (output:", "says: all is too much"],
    },
    // A refusal is not passed over: whoever refused has to take it back, or a test has to.
    {
      ...act("review-patch", { candidate: "c1" }),
      contains: "no-standing-objection: The review did not approve the patch",
    },
    judge(true),
    act("finish", { candidate: "c1" }),
  ]);
  expect(end.exitCode).toBe(0);
  const report = readReport(end);
  expect(readActions(report)).toEqual([
    ...["reproduction", "edit-code", "review-patch", "edit-code", "finish", "review-patch", "finish"],
  ]);
  expect(report.gate.filter(({ holds }) => !holds)).toEqual([]);
  expect(report.gate[1]?.evidence).toContain("insufficientfunds");
  expect(report.files.map(({ path }) => path)).toEqual(["ledger/account.py"]);
});

test("a special case that the review refuses is never verified, and the objection comes first", async () => {
  const repository = playground.copyRepository("repair-python");
  const special =
    "    if (amount, available) == (100, 100):\n        return True\n    return amount < available";
  const end = await solve(repository, [
    mend[0] as Scripted,
    edit("ledger/account.py", "    return amount < available", special),
    { role: "editing", name: "done", input: { summary: "the sum of the tests may be paid" } },
    judge(false),
    { ...act("finish", { candidate: "c1" }), times: "always" },
  ]);
  expect(end.exitCode).toBe(10);
  const report = readReport(end);
  expect(report.gate.filter(({ holds }) => !holds).map(({ predicate }) => predicate)).toEqual([
    "no-standing-objection",
  ]);
  expect(report.reason).toContain("The review did not approve the patch");
});

test("an attempt that is given is a candidate like any other; an editor's words after an edit end the edit", async () => {
  const repository = playground.copyRepository("repair-python");
  const attempt = join(playground.folder, "attempt.diff");
  const lines = ["--- a/ledger/account.py", "+++ b/ledger/account.py", "@@ -23,2 +23,2 @@"];
  const change = [
    "     available = account.balance + account.overdraft",
    "-    return amount < available",
    "+    return True",
  ];
  writeFileSync(attempt, `${[...lines, ...change].join("\n")}\n`);
  const words = { role: "editing", text: "All that is available may be paid." };
  const answers = [act("execute-tests", { candidate: "c1" }), ...mend.slice(0, -1), words];
  const flags = ["--kind", "partial-fix", "--partial-patch", attempt, "--without", "review-patch"];
  const end = await solve(repository, answers, ...flags);
  expect(end.exitCode).toBe(0);
  const report = readReport(end);
  expect(report.task.kind).toBe("partial-fix");
  expect(report.candidates).toBe(2);
  expect(report.usage.calls).toBe(4);
  expect(report.patch).toContain("+    return amount <= available");
  expect(end.stderr).toContain("candidate c1: the given attempt");
  expect(end.stderr).toContain("candidate c2: All that is available may be paid.");
});

test("without rules a model chooses all; a patch that breaks a test is not verified, whatever it says, and still handed over", async () => {
  const repository = playground.copyRepository("repair-python");
  const end = await solve(
    repository,
    [
      act("edit-code", { intent: "allow everything" }),
      edit("ledger/account.py", "    return amount < available", "    return True"),
      { role: "editing", name: "done", input: { summary: "everything may be paid" } },
      { ...act("finish", { candidate: "c1" }), times: "always" },
    ],
    "--no-rules",
  );
  expect(end.exitCode).toBe(10);
  const report = readReport(end);
  expect(report.gate.find(({ predicate }) => predicate === "no-test-breaks")?.holds).toBe(false);
  expect(report.patch).toContain("+    return True");
});

test("talk, tools that there are not, and edits outside the repository end in an outcome, and touch nothing", async () => {
  const repository = playground.copyRepository("repair-python");
  const before = fingerprint(repository);
  const end = await solve(repository, [
    act("shell", { command: "rm -rf /" }),
    act("edit-code", { intent: "write elsewhere" }),
    edit("../outside.py", "", "x = 1"),
    edit("/etc/outside.py", "", "x = 1"),
    { role: "editing", name: "done", input: { summary: "done" } },
    { role: "editing", text: "It is done.", times: "always" },
    { role: "planning", text: "It is solved.", times: "always" },
  ]);
  expect(end.exitCode).toBe(11);
  expect(readReport(end)).toMatchObject({ outcome: "none", patch: "" });
  expect(fingerprint(repository)).toBe(before);
});

test("killed after 4 answers, a resumed run ends with the same patch and asks nothing twice", async () => {
  const repository = playground.copyRepository("repair-python");
  const [choose, ...write] = mend;
  const [look, ...seek] = search;
  const begun = { role: "planning", ...look, contains: "Left: 20 rounds." };
  const told = { role: "planning", ...choose, contains: "Left: 19 rounds." };
  const whole = readReport(await solve(repository, [begun, ...seek, told, ...write, judge(true)]));
  const model = `replay:${join(whole.runDirectory, "calls")}`;
  const runs = join(playground.folder, "killed");
  const flags = ["--repo", repository, "--model", model, "--runs-dir", runs, "--output", "json"];
  const program = playground.start(["solve", statement, ...flags]);
  while (countAnswers(runs) < 4) await sleep(5);
  program.kill("SIGKILL");
  expect((await program.ended).exitCode).toBeNull();
  const again = ["resume", "last", "--runs-dir", runs, "--output", "json"];
  const resumed = readReport(await playground.start(again).ended);
  expect(resumed.patch).toBe(whole.patch);
  expect(resumed.usage).toEqual(whole.usage);
  expect(countAnswers(runs)).toBe(whole.usage.calls);
});

function countAnswers(runs: string): number {
  const [run] = existsSync(runs) ? readdirSync(runs) : [];
  const calls = join(runs, run ?? "", "calls");
  return existsSync(calls) ? readdirSync(calls).filter((name) => name.endsWith(".answer.json")).length : 0;
}
