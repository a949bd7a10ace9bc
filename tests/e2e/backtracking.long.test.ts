/** The controller: edits in vain are held up, the way back is chosen among three, and lines that were left stay as they are. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlayground, type Playground } from "./millwright.ts";
import { editBlock, type ScriptedAnswer, type ScriptedEnd, solveScripted } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const file = "ledger/account.py";
const guard = "        if not can_cover(self, amount):";
const act = (name: string, input: object, contains: string[] = []): ScriptedAnswer => ({
  role: "planning",
  contains,
  calls: [{ name, input }],
});
const write = (before: string, after: string, contains: string[] = [], more = {}): ScriptedAnswer => ({
  role: "editing",
  contains,
  calls: [{ name: "edit", input: { edits: editBlock(file, before, after), ...more } }],
});
const done = (summary: string): ScriptedAnswer => ({
  role: "editing",
  calls: [{ name: "done", input: { summary } }],
});
const mend = (contains: string[] = []): ScriptedAnswer[] => [
  write("    return amount < available", "    return amount <= available", contains),
  done("all of it may be paid"),
];

/** The same line is changed three times in a call each, and no test says more for it: they are run on each at once. */
const inVain = ["is True", "== True", "is not False"].flatMap((end) => [
  act("edit-code", { intent: `change the guard: ${end}` }),
  write(guard, `        if not (can_cover(self, amount) ${end}):`, [], { done: "another guard" }),
]);

function solve(answers: readonly ScriptedAnswer[], ...args: string[]): Promise<ScriptedEnd> {
  const repository = playground.copyRepository("repair-python");
  return solveScripted(playground, {
    repository,
    statement: "",
    strategy: "unified",
    answers,
    args: ["--without", "review-patch", ...args],
  });
}

const readable = ({ report }: ScriptedEnd): string =>
  readFileSync(join(report.runDirectory, "report.md"), "utf8");

test("three edits of one line in vain are held up; elsewhere that line is refused, and the other place mends it", async () => {
  const end = await solve([
    ...inVain,
    act("edit-code", { intent: "change the guard once more" }, ["c3: 0 of 2 tests that show the fault pass"]),
    // Nothing else is done until it goes back …
    act("execute-tests", { candidate: "c1" }, ["Not done: the work is stuck", `${file}:17`]),
    act("backtrack", { way: "fork", from: "c1", note: "go on" }, ["- elsewhere", "- hypothesis"]),
    // … and to none of those that were in vain.
    act("backtrack", { way: "elsewhere", note: "the guard is right: what it asks is wrong" }, [
      "fork is not available",
    ]),
    act("edit-code", { intent: "from what is refuted", from: "c3" }, ["c3 (another guard): 0 of 2"]),
    act("edit-code", { intent: "change the guard again" }, ["c3 is refuted"]),
    write(guard, "        if can_cover(self, amount) is False:"),
    ...mend(["Refused and undone", `${file}:17`]),
    act("finish", { candidate: "c4" }),
  ]);
  expect(end.report).toMatchObject({ outcome: "verified", candidates: 4 });
  expect(end.report.files).toEqual([{ path: file, added: 1, removed: 1 }]);
  const tries = ["edit-code", "edit-code", "edit-code"];
  const after = ["backtrack", "backtrack", "edit-code", "finish"];
  expect(end.actions).toEqual([...tries, ...after]);
  expect(end.stderr).toContain("the work is stuck: c1, c2, c3 change the same lines");
  expect(readable(end)).toContain(
    "Tried and abandoned: not here at ledger/account.py:17: the guard is right",
  );
});

test("where it is switched off nothing is refused, and the report says that it did not get on", async () => {
  const fourth = [act("edit-code", { intent: "now where it is decided" }), ...mend()];
  const answers = [...inVain, ...fourth, act("finish", { candidate: "c4" })];
  const end = await solve(answers, "--no-backtracking");
  expect(end.report.outcome).toBe("verified");
  expect(readable(end)).toContain("The work was stuck: c1, c2, c3 change the same lines");
});

test("an attempt is measured first, built upon once, and kept only where it is needed", async () => {
  const repository = playground.copyRepository("repair-python");
  const attempt = join(playground.folder, "attempt.diff");
  const owner = "        self.owner = owner";
  const lines = ["--- a/ledger/account.py", "+++ b/ledger/account.py", "@@ -6,3 +6,3 @@"];
  const before = "     def __init__(self, owner, balance=0, overdraft=0):";
  const change = [`-${owner}`, "+        self.owner = str(owner)", "         self.balance = balance", ""];
  writeFileSync(attempt, [...lines, before, ...change].join("\n"));
  const end = await solveScripted(playground, {
    repository,
    statement: "",
    strategy: "unified",
    answers: [
      act("edit-code", { intent: "change the guard", from: "c1" }, [
        "0 of 2 tests",
        "# The attempt\n\nc1 is",
      ]),
      write(guard, "        if can_cover(self, amount) is False:"),
      done("another guard"),
      act("edit-code", { intent: "change it again", from: "c2" }),
      act("edit-code", { intent: "without the attempt" }, ["First write a patch without the attempt"]),
      write("    return amount < available", "    return amount < available + 0"),
      done("another sum"),
      act("edit-code", { intent: "now with it", from: "c1" }),
      ...mend(),
      act("finish", { candidate: "c4" }),
    ],
    args: ["--kind", "partial-fix", "--partial-patch", attempt, "--without", "review-patch"],
  });
  expect(end.report).toMatchObject({ outcome: "verified", candidates: 5 });
  expect(end.report.patch).toContain("+    return amount <= available");
  expect(end.report.patch).not.toContain("str(owner)");
  expect(readable(end)).toContain(
    "c4 without 1 of 1 hunk of the given attempt: the test results are not worse without it",
  );
});

/** Two hunks: the first does nothing, and the second lets one of two failing tests pass. */
function twoHunks(): string {
  const hunks = [
    "@@ -4,7 +4,7 @@",
    " ",
    " class Account:",
    "     def __init__(self, owner, balance=0, overdraft=0):",
    "-        self.owner = owner",
    "+        self.owner = str(owner)",
    "         self.balance = balance",
    "         self.overdraft = overdraft",
    " ",
    "@@ -22,3 +22,3 @@",
    " def can_cover(account, amount):",
    "     available = account.balance + account.overdraft",
    "-    return amount < available",
    `+${halfway}`,
    "",
  ];
  const attempt = join(playground.folder, "attempt.diff");
  writeFileSync(attempt, [`--- a/${file}`, `+++ b/${file}`, ...hunks].join("\n"));
  return attempt;
}
const halfway = "    return amount < available or amount == account.balance";

test("what is built upon an attempt is handed over only beside a patch from the base, which is preferred of equals", async () => {
  const end = await solve(
    [
      act("edit-code", { intent: "mend it", from: "c1" }),
      write(halfway, "    return amount < available + 1"),
      done("one more"),
      act("edit-code", { intent: "mend it" }, ["c2 builds on the given attempt", "`from: base`"]),
      ...mend(),
    ],
    ...["--kind", "partial-fix", "--partial-patch", twoHunks()],
  );
  expect(end.report).toMatchObject({ outcome: "verified", candidates: 3 });
  expect(end.report.patch).toContain("+    return amount <= available");
  expect(end.report.patch).not.toContain("str(owner)");
});

test("a hunk of the attempt joins a patch from the base where it raises the score, and no other hunk does", async () => {
  const attempt = join(playground.folder, "attempt.diff");
  const hunks = [
    "@@ -4,7 +4,7 @@",
    " ",
    " class Account:",
    "     def __init__(self, owner, balance=0, overdraft=0):",
    "-        self.owner = owner",
    "+        self.owner = str(owner)",
    "         self.balance = balance",
    "         self.overdraft = overdraft",
    " ",
    "@@ -17,3 +17,3 @@",
    "     def withdraw(self, amount):",
    `-${guard}`,
    "+        if not can_cover(self, amount) and amount != self.balance:",
    `             raise InsufficientFunds(f"{self.owner} cannot pay {amount}")`,
    "",
  ];
  writeFileSync(attempt, [`--- a/${file}`, `+++ b/${file}`, ...hunks].join("\n"));
  const half = "    return amount < available or (account.overdraft > 0 and amount == available)";
  const end = await solve(
    [
      act("edit-code", { intent: "mend the overdraft", from: "base" }),
      write("    return amount < available", half),
      done("the whole overdraft may be used"),
      { role: "planning", text: "Enough.", times: "always" },
    ],
    ...["--kind", "partial-fix", "--partial-patch", attempt],
  );
  expect(
    end.report.gate.filter(({ holds }) => !holds).map(({ predicate }) => predicate),
    end.stderr,
  ).toEqual([]);
  expect(end.report.patch).toContain("+        if not can_cover(self, amount) and amount != self.balance:");
  expect(end.report.patch).toContain(`+${half}`);
  expect(end.report.patch).not.toContain("str(owner)");
  expect(readable(end)).toContain(
    "c2 with 1 of 2 hunks of the given attempt, which improve the test results",
  );
});

test("of an attempt that is all there is, what raises no score is left out, verified or not", async () => {
  const end = await solve(
    [{ role: "planning", text: "Enough.", times: "always" }],
    ...["--kind", "partial-fix", "--partial-patch", twoHunks()],
  );
  expect(end.report.outcome).toBe("unverified");
  expect(end.report.patch).toContain(`+${halfway}`);
  expect(end.report.patch).not.toContain("str(owner)");
});
