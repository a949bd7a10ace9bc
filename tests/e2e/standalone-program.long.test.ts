/** Standalone programs as reproductions: whole runs with a scripted model. They are evidence for the work only. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlayground, fingerprint, type Playground } from "./millwright.ts";
import { editBlock, killAndResume, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const statement =
  "A transfer of the `whole_overdraft`, or one that empties an account, is refused: InsufficientFunds is raised";

/** A repository in which no test shows the fault. */
function copyWithoutFailingTests(): string {
  const repository = playground.copyRepository("repair-python");
  const tests = join(repository, "tests", "test_transfer.py");
  writeFileSync(tests, readFileSync(tests, "utf8").replace(/ {4}def test_(?:empties|uses)[\s\S]*?\n\n/g, ""));
  return repository;
}

const file = ".millwright/programs/whole.py";
const command = `env PYTHONPATH=. python3 ${file}`;
const program = [
  "from ledger.account import Account",
  "",
  'account = Account("rent", 5)',
  "account.withdraw(5)",
  "assert account.balance == 0",
].join("\n");
const tested = "tests/test_whole.py";
const tests = [
  "import unittest",
  "",
  "from ledger.account import Account",
  "",
  "",
  "class WholeTest(unittest.TestCase):",
  ...[5, 7, 9].flatMap((amount) => [
    `    def test_pays_${amount}(self):`,
    `        account = Account("rent", ${amount})`,
    `        account.withdraw(${amount})`,
    "        self.assertEqual(account.balance, 0)",
    "",
  ]),
].join("\n");

type When = Pick<ScriptedAnswer, "contains" | "times">;
const call = (role: string, name: string, input: object, when: When = {}): ScriptedAnswer => ({
  role,
  calls: [{ name, input }],
  ...when,
});
const write = (path: string, text: string): ScriptedAnswer =>
  call("reproduction", "edit", { edits: editBlock(path, "", text) });
const show = (input: object, when: When = {}): ScriptedAnswer => call("reproduction", "show", input, when);
const programs = { programs: [{ file, command }] };
const mend = (after: string): readonly ScriptedAnswer[] => [
  call("editing", "edit", { edits: editBlock("ledger/account.py", "    return amount < available", after) }),
  call("editing", "done", { summary: "all that is available may be paid" }),
];
const right = "    return amount <= available";
const approve = call("review", "verdict", {
  patch: { approved: true, analysis: "It compares with all that is available", advice: "" },
  tests: { approved: true, analysis: "They ask for all of it" },
});
const always = (answer: ScriptedAnswer): ScriptedAnswer => ({ ...answer, times: "always" });
const edit = call("planning", "edit-code", { intent: "let all that is available be paid" });
const finish = (input: object, when: When = {}): ScriptedAnswer =>
  call("planning", "finish", { candidate: "c1", ...input }, when);

const solve = (repository: string, answers: readonly ScriptedAnswer[], ...args: string[]) =>
  solveScripted(playground, { repository, statement, strategy: "unified", answers, args });

/** The author sees the program's error, and keeps the program. */
const shown = [
  write(file, program),
  show(programs, { contains: `"${file}"` }),
  show(programs, { contains: "ends with exit code 1 (ledger.account.InsufficientFunds: rent cannot pay 5)" }),
];
const shownAlone = [shown[0], show(programs), shown[2]].flatMap((each) => each ?? []);

test("a program alone verifies nothing: the report says that a test is missing", async () => {
  const repository = copyWithoutFailingTests();
  const before = fingerprint(repository);
  const { report, exitCode, stderr } = await solve(repository, [
    ...shownAlone,
    { ...edit, contains: "Millwright runs it with each candidate. Alone, it verifies no patch." },
    ...mend(right),
    { ...finish({}), contains: `${file} ends with exit code 0 with this candidate` },
    finish(
      { unverifiable: "a program shows it, and the run wrote no test" },
      { contains: "Write it as a test of the project's framework to have the patch verified" },
    ),
    always(approve),
  ]);
  expect(exitCode, stderr).toBe(10);
  expect(report.outcome).toBe("unverified");
  expect(report.reason).toContain("only a standalone program shows the fault");
  expect(report.programs).toMatchObject([
    { file, command, text: `${program}\n`, before: { exitCode: 1 }, after: { exitCode: 0, exception: "" } },
  ]);
  expect(report.programs?.[0]?.before.output).toContain("InsufficientFunds: rent cannot pay 5");
  const page = readFileSync(join(report.runDirectory, "report.md"), "utf8");
  expect(page).toContain("## Standalone programs");
  expect(page).toContain("without the patch, and ends with exit code 0 with it");
  expect(report.files.map(({ path }) => path)).toEqual(["ledger/account.py"]);
  expect(fingerprint(repository)).toBe(before);
});

test("beside tests a program stands in the report, and the tests verify the patch", async () => {
  const files = { files: [tested], places: ["ledger/account.py:22-24"] };
  const { report, exitCode, stderr } = await solve(
    copyWithoutFailingTests(),
    [
      write(file, program),
      write(tested, tests),
      show({ ...files, ...programs }),
      show({ ...files, ...programs }, { contains: "call `show` again with the same files" }),
      ...mend(right),
      always(approve),
    ],
    "--sandbox",
    "local",
  );
  expect(report.gate.filter(({ holds }) => !holds)).toEqual([]);
  expect({ exitCode, outcome: report.outcome }, stderr).toEqual({ exitCode: 0, outcome: "verified" });
  expect(report.programs).toMatchObject([{ file, after: { exitCode: 0 } }]);
  expect(report.testsPatch).toContain(tested);
  expect(report.testsPatch).not.toContain(file);
  // The program decides nothing.
  expect(JSON.stringify(report.gate)).not.toContain("program");
});

test("finish tells a program that still fails with the patch, and a wrong program is put aside with a reason", async () => {
  const files = { files: [tested], places: ["ledger/account.py:22-24"] };
  const wrong = program.replace("balance == 0", "balance == 1");
  const reason = "the program expects 1, but an account that pays all is empty";
  const { report, exitCode, stderr } = await solve(copyWithoutFailingTests(), [
    write(file, wrong),
    write(tested, tests),
    show({ ...files, ...programs }),
    show({ ...files, ...programs }),
    ...mend(right),
    finish(
      { notTheFault: [{ test: file, reason }] },
      {
        contains: [
          `${file} still fails with this candidate: it ends with exit code 1 (AssertionError`,
          `standalone-programs-pass: still failing with the patch: ${file} ends with exit code 1`,
        ],
      },
    ),
    always(approve),
  ]);
  expect(
    { exitCode, outcome: report.outcome, gate: report.gate.filter(({ holds }) => !holds) },
    stderr,
  ).toEqual({
    ...{ exitCode: 0, outcome: "verified", gate: [] },
  });
  expect(report.programs).toMatchObject([{ file, aside: reason }]);
  expect(report.remarks?.join("\n")).toContain(
    `The standalone program ${file} does not count any more: ${reason}`,
  );
});

test("a program that still fails with the final patch is an open point of the run", async () => {
  const files = { files: [tested], places: ["ledger/account.py:22-24"] };
  const { report, exitCode, stderr } = await solve(copyWithoutFailingTests(), [
    write(file, program.replace("balance == 0", "balance == 1")),
    write(tested, tests),
    show({ ...files, ...programs }),
    show({ ...files, ...programs }),
    ...mend(right),
    always(approve),
    always(finish({})),
  ]);
  expect(exitCode, stderr).toBe(10);
  expect(report.outcome).toBe("unverified");
  expect(report.reason).toContain(`standalone-programs-pass (still failing with the patch: ${file}`);
  expect(report.gate.filter(({ holds }) => !holds).map(({ predicate }) => predicate)).toEqual([
    "standalone-programs-pass",
  ]);
});

test("bad programs are refused with a clear answer, and the author can go on", async () => {
  const refused = (given: string, told: string): ScriptedAnswer =>
    show({ programs: [{ file, command: given }] }, { contains: told });
  const { report, exitCode, stderr } = await solve(
    copyWithoutFailingTests(),
    [
      write(file, "print('InsufficientFunds is raised')"),
      show(programs),
      refused(
        `${command}; true`,
        "ends with exit code 0 on the unchanged code, so it does not show the problem",
      ),
      refused(`${command} \u0000`, "contains a shell operator"),
      refused(`${command} ${"x".repeat(600)}`, "contains a control character"),
      refused(`no-such-program ${file}`, "more than 500 characters"),
      call(
        "reproduction",
        "cannot-show",
        { because: "unclear", reason: "the program shows nothing" },
        { contains: "The shell could not run" },
      ),
      edit,
      ...mend(right),
      always(approve),
      always(finish({ unverifiable: "nothing shows it" })),
    ],
    "--sandbox",
    "local",
  );
  expect(exitCode, stderr).toBe(10);
  expect(report.programs).toBeUndefined();
  expect(report.patch).toContain("+    return amount <= available");
});

const padding = ".millwright/programs/pad.py";
const padded =
  "from padding import pad_left\n\nassert pad_left('abcdef', 3) == 'abcdef', pad_left('abcdef', 3)";
const untested = {
  statement: "`pad_left` cuts a text that is longer than the width: pad_left('abcdef', 3) is 'abc'",
  answers: [
    call("retrieval", "report", { facts: ["README.md names no tests."] }),
    { ...write(padding, padded), contains: "Millwright knows no command that runs tests" },
    show({ programs: [{ file: padding, command: `env PYTHONPATH=. python3 ${padding}` }] }),
    show(
      { programs: [{ file: padding, command: `env PYTHONPATH=. python3 ${padding}` }] },
      { contains: "ends with exit code 1 (AssertionError: abc)" },
    ),
    { ...edit, contains: "Standalone programs, which run with each candidate" },
    call("editing", "edit", {
      edits: editBlock("padding.py", "        return text[:width]", "        return text"),
    }),
    call("editing", "done", { summary: "a long text stays whole" }),
    { ...finish({}), contains: `${padding} ends with exit code 0 with this candidate` },
  ],
} as const;

test("in a repository without tests a program is the only reproduction; a killed run is resumed, and a replay repeats it", async () => {
  const repository = playground.copyRepository("without-tests");
  const { statement: stated, answers } = untested;
  const args = ["--without", "review-patch"];
  const run = { repository, statement: stated, strategy: "unified", args };
  const { report, exitCode, stderr, actions } = await solveScripted(playground, { ...run, answers });
  expect(actions.slice(0, 2)).toEqual(["probe-environment", "reproduction"]);
  expect(exitCode, stderr).toBe(10);
  expect(report).toMatchObject({ outcome: "unverified", testCommand: null });
  expect(report.reason).toContain("Write it as a test of the project's framework to have the patch verified");
  expect(report.programs).toMatchObject([{ before: { exitCode: 1 }, after: { exitCode: 0 } }]);
  const resumed = await killAndResume(playground, report, run, 4);
  expect(resumed.report.programs).toEqual(report.programs);
  expect(resumed.report.patch).toBe(report.patch);
  const replayed = await playground.start(["replay", report.run]).ended;
  expect(replayed.exitCode, replayed.stderr).toBe(0);
});

const padCommand = `env PYTHONPATH=. python3 ${padding}`;
const written = `${editBlock(padding, "", padded)}Command: ${padCommand}\n`;
const place = { file: "padding.py", startLine: 5, endLine: 6 };
const mended = editBlock("padding.py", "        return text[:width]", "        return text");
const useless = editBlock("padding.py", "    if len(text) >= width:", "    if len(text) > width:");
const review = { correct: true, analysis: "It fits the statement.", advice: "" };
const alone = "Write one small standalone program";

test("agentless chooses the patch by its program where no test can run", async () => {
  const patches = [useless, useless, mended].map(
    (text, sample): ScriptedAnswer => ({ role: "editing", sample, text }),
  );
  const { report, exitCode, stderr } = await solveScripted(playground, {
    repository: playground.copyRepository("without-tests"),
    statement: untested.statement,
    strategy: "agentless",
    args: ["--samples", "3"],
    answers: [
      { role: "retrieval", system: "Name the files to change", json: { files: [place.file] } },
      { role: "retrieval", system: "nothing to do with the task", json: { folders: [] } },
      {
        role: "retrieval",
        system: "Name the classes, functions",
        json: { elements: [{ file: place.file, names: ["pad_left"] }] },
      },
      { role: "retrieval", system: "Name all places", json: { places: [place] }, times: "always" },
      ...patches,
      { role: "reproduction", system: alone, text: written, times: "always" },
      { role: "review", json: { tests: [] } },
    ],
  });
  expect(exitCode, stderr).toBe(10);
  expect(report.patch, stderr).toContain("+        return text\n");
  expect(report.programs).toMatchObject([{ file: padding, before: { exitCode: 1 }, after: { exitCode: 0 } }]);
  expect(report.reason).toContain("Write it as a test of the project's framework to have the patch verified");
});

test("autocoderover's reviewer judges the patch by the program where no test can run", async () => {
  const { report, exitCode, stderr } = await solveScripted(playground, {
    repository: playground.copyRepository("without-tests"),
    statement: untested.statement,
    strategy: "autocoderover",
    args: ["--samples", "1"],
    answers: [
      { role: "reproduction", system: alone, text: "I cannot." },
      {
        role: "reproduction",
        system: alone,
        contains: "with a line `Command: …`",
        text: written,
      },
      { role: "reproduction", json: { reproducible: true, why: "the call is given" } },
      call("retrieval", "search_method", { method_name: "pad_left" }),
      {
        role: "retrieval",
        calls: [{ name: "report", input: { locations: [{ ...place, intended_behavior: "as stated" }] } }],
        times: "always",
      },
      { role: "editing", text: mended, times: "always" },
      {
        role: "review",
        system: "Review a patch",
        contains: [
          `The standalone program \`${padCommand}\``,
          "AssertionError: abc",
          "ends with exit code 0",
        ],
        json: { patch: review, test: review },
      },
    ],
  });
  expect(exitCode, stderr).toBe(10);
  expect(report.patch, stderr).toContain("+        return text\n");
  expect(report.programs).toMatchObject([{ file: padding, before: { exitCode: 1 }, after: { exitCode: 0 } }]);
  expect(report.usage.calls).toBe(7);
});

test("rustforger's project is a program of the run, and submit tells once that it still fails", async () => {
  const entry = ".millwright/reproduction/reproduction.py";
  const reproduction = "from ledger.account import Account\nAccount('rent', 5).withdraw(5)\n";
  const use = (name: string, input: object, when: When = {}): ScriptedAnswer =>
    call("editing", name, input, when);
  const path = "ledger/account.py";
  const { report, exitCode, stderr } = await solveScripted(playground, {
    repository: copyWithoutFailingTests(),
    statement,
    strategy: "rustforger",
    answers: [
      use("bash", {
        command: `cat > ${entry} <<'END'\n${reproduction}END\nsh .millwright/reproduction/run`,
      }),
      use(
        "str_replace",
        { path, old: "return amount < available", new: "return amount < available  # nothing else" },
        { contains: "InsufficientFunds" },
      ),
      use("submit", { summary: "a comment" }),
      use(
        "str_replace",
        { path, old: "amount < available", new: "amount <= available" },
        { contains: "The reproduction still fails with your change: it ends with exit code 1" },
      ),
      use("submit", { summary: "all that is available may be paid" }),
    ],
  });
  expect(exitCode, stderr).toBe(10);
  expect(report.programs).toMatchObject([{ file: entry, before: { exitCode: 1 }, after: { exitCode: 0 } }]);
  expect(report.reason).toContain("only a standalone program shows the fault");
  expect(report.files.map((each) => each.path)).toEqual([path]);
});

test("react names its program in submit: the reply tells what it lacks, and the patch does not contain it", async () => {
  const use = (name: string, input: object, when: When = {}): ScriptedAnswer =>
    call("editing", name, input, when);
  const submitted = { summary: "all that is available may be paid", ...programs };
  const { report, exitCode, stderr } = await solveScripted(playground, {
    repository: copyWithoutFailingTests(),
    statement,
    strategy: "react",
    answers: [
      use("bash", { command: `mkdir -p .millwright/programs && cat > ${file} <<'END'\n${program}\nEND` }),
      use("bash", {
        command: "sed -i 's/return amount < available/return amount <= available/' ledger/account.py",
      }),
      use("submit", submitted),
      use("submit", submitted, {
        contains: [
          "only a standalone program shows the fault",
          "Write it as a test of the project's framework to have the patch verified",
        ],
      }),
    ],
  });
  expect(exitCode, stderr).toBe(10);
  expect(report.programs).toMatchObject([{ file, before: { exitCode: 1 }, after: { exitCode: 0 } }]);
  expect(report.files.map(({ path }) => path)).toEqual(["ledger/account.py"]);
});
