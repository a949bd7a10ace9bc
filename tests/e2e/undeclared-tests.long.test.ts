/** Repositories whose tests nobody declared, or that have none: each strategy with a model asks it, and ends as it should. */
import { renameSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createPlayground, type Playground } from "./millwright.ts";
import { editBlock, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => {
  vi.unstubAllEnvs();
  playground.remove();
});

interface Repository {
  readonly fixture: string;
  readonly file: string;
  readonly wrong: string;
  readonly right: string;
  readonly name: string;
  readonly statement: string;
}

const clamp: Repository = {
  fixture: "c-check",
  file: "clamp.c",
  wrong: "        return high - 1;",
  right: "        return high;",
  name: "clamp_to",
  statement: "`clamp_to` never gives the upper bound: clamp_to(12, 0, 10) is 9",
};
const padding: Repository = {
  fixture: "make-tap",
  file: "padding.py",
  wrong: "        return text[:width]",
  right: "        return text",
  name: "pad_left",
  statement: "`pad_left` cuts a text that is longer than the width: pad_left('abcdef', 3) is 'abc'",
};
const untested: Repository = { ...padding, fixture: "without-tests" };

const call = (role: string, name: string, input: object = {}): ScriptedAnswer => ({
  role,
  calls: [{ name, input }],
});

/** What a model says in each strategy, at its shortest. `isShown`: a test shows the fault. */
function answersFor(
  strategy: string,
  { file, wrong, right, name }: Repository,
  isShown: boolean,
): readonly ScriptedAnswer[] {
  const place = { file, startLine: 5, endLine: 7 };
  const found = call("retrieval", "report", { places: [{ ...place, why: "it decides" }], answer: "there" });
  const edits = [
    call("editing", "edit", { edits: editBlock(file, wrong, right) }),
    call("editing", "done", { summary: "the cause is mended" }),
  ];
  const shell = [
    call("editing", "str_replace", { path: file, old: wrong, new: right }),
    call("editing", "submit", { summary: "the cause is mended" }),
  ];
  const approved = call("review", "verdict", { correct: true, analysis: "It fits the statement." });
  const review = { correct: true, analysis: "It fits the statement.", advice: "" };
  const written = { role: "editing", text: editBlock(file, wrong, right), times: "always" } as const;
  const answers: Readonly<Record<string, readonly ScriptedAnswer[]>> = {
    unified: [
      ...(isShown ? [] : [call("retrieval", "report", { facts: ["README.md names no tests."] })]),
      call("planning", "edit-code", { intent: "mend it" }),
      ...edits,
      { ...call("planning", "finish", { candidate: "c1" }), times: "always" },
    ],
    workflow: [{ ...found, times: "always" }, ...edits, { ...approved, times: "always" }],
    react: shell,
    rustforger: shell,
    marscode: [
      found,
      { role: "planning", json: { mode: isShown ? "dynamic" : "static", why: "as the tests are" } },
      ...(isShown ? edits : [written]),
    ],
    agentless: [
      { role: "retrieval", system: "Name the files to change", json: { files: [file] } },
      { role: "retrieval", system: "nothing to do with the task", json: { folders: [] } },
      {
        role: "retrieval",
        system: "Name the classes, functions",
        json: { elements: [{ file, names: [name] }] },
      },
      { role: "retrieval", system: "Name all places", json: { places: [place] }, times: "always" },
      written,
      { role: "review", json: { tests: [] } },
    ],
    autocoderover: [
      call("retrieval", "search_method", { method_name: name }),
      {
        ...call("retrieval", "report", { locations: [{ ...place, intended_behavior: "as stated" }] }),
        times: "always",
      },
      written,
      {
        role: "review",
        system: "Review a patch",
        json: { patch: review, test: review },
        times: "always",
      },
    ],
    "best-of": [
      ...shell.map((answer) => ({ ...answer, system: "with a shell and an editor" })),
      ...(isShown ? [] : [call("retrieval", "report", { facts: ["README.md names no tests."] })]),
      call("planning", "edit-code", { intent: "mend it" }),
      ...edits,
      { ...call("planning", "finish", { candidate: "c1" }), times: "always" },
    ],
  };
  return answers[strategy] ?? [];
}

const flags: Readonly<Record<string, readonly string[]>> = {
  unified: ["--without", "review-patch"],
  workflow: ["--without", "review-patch,reproduction"],
  agentless: ["--samples", "1"],
  autocoderover: ["--samples", "1", "--without", "write-test"],
  "best-of": ["--arms", "react,unified", "--without", "review-patch"],
};

/** A command that says only how it ended, and one whose output names tests. */
const given = [clamp, ["--test-command", "sh check.sh"], "sh check.sh"] as const;
const found = [padding, [], "make check"] as const;

/** Both are measured in one place for all strategies: four see the one, four the other. */
const strategies = [
  ["unified", ...found],
  ["workflow", ...given],
  ["react", ...given],
  ["rustforger", ...found],
  ["marscode", ...given],
  ["agentless", ...found],
  ["autocoderover", ...found],
  ["best-of", ...given],
] as const;

const solve = (strategy: string, repository: Repository, isShown: boolean, ...args: string[]) =>
  solveScripted(playground, {
    strategy,
    statement: repository.statement,
    repository: playground.copyRepository(repository.fixture),
    answers: answersFor(strategy, repository, isShown),
    args: [...(flags[strategy] ?? []), ...args],
  });

describe.each(strategies)("%s", (strategy, repository, args, command) => {
  test(`is verified by ${command}, with moderate evidence`, async () => {
    const { exitCode, report, stderr } = await solve(strategy, repository, true, ...args);
    expect(report.testCommand?.command).toBe(command);
    expect(report.gate.filter(({ holds }) => !holds)).toEqual([]);
    expect(report, stderr).toMatchObject({ outcome: "verified", strength: "moderate" });
    expect(exitCode).toBe(0);
    expect(report.usage.calls).toBeGreaterThan(0);
  });

  test("goes on where nothing can be run, and ends unverified with the reason", async () => {
    const { exitCode, report, stderr } = await solve(strategy, untested, false);
    expect(report.usage.calls, stderr).toBeGreaterThan(0);
    expect(report.patch).toContain("+        return text\n");
    expect(report).toMatchObject({ outcome: "unverified", testCommand: null });
    expect(report.reason).toContain("tests-can-be-run");
    expect(report.reason).toContain("no known test framework");
    expect(exitCode).toBe(10);
  });
});

test("where the rules find nothing the model looks, and what it finds is the run's command, and that of later runs", async () => {
  vi.stubEnv("XDG_STATE_HOME", join(playground.folder, "state"));
  const repository = playground.copyRepository("make-tap");
  renameSync(join(repository, "Makefile"), join(repository, "HOWTO"));
  const probe = (command: string): ScriptedAnswer =>
    call("retrieval", "report", {
      facts: ["HOWTO starts checks.py."],
      testCommand: { command, shownBy: "HOWTO" },
    });
  const run = (answers: readonly ScriptedAnswer[], strategy: string) =>
    solveScripted(playground, {
      strategy,
      statement: padding.statement,
      repository,
      answers,
      args: ["--remember", "--without", "review-patch"],
    });
  const answers = answersFor("unified", padding, true);
  const { report, actions } = await run(
    [
      call("retrieval", "bash", { command: "cat HOWTO && python3 checks.py" }),
      { ...probe("python3 gone.py"), contains: "not ok 3 - keeps a long text" },
      { ...probe("python3 checks.py"), contains: "No test" },
      ...answers,
    ],
    "unified",
  );
  expect(actions[0]).toBe("probe-environment");
  expect(report.testCommand).toEqual({
    command: "python3 checks.py",
    foundBy: "probe-environment: HOWTO",
  });
  expect(report).toMatchObject({ outcome: "verified", strength: "moderate" });
  const later = await run(answersFor("react", padding, true), "react");
  expect(later.report.testCommand).toEqual({
    command: "python3 checks.py",
    foundBy: "an earlier run (--remember)",
  });
  expect(later.report.outcome).toBe("verified");
});

test("a documented script is found, and a patch of the script itself decides nothing", async () => {
  const repository = playground.copyRepository("c-check");
  const { exitCode, report } = await solveScripted(playground, {
    strategy: "react",
    statement: clamp.statement,
    repository,
    answers: [
      call("editing", "bash", { command: "printf 'exit 0\\n' > check.sh" }),
      call("editing", "submit", { summary: "quiet" }),
    ],
  });
  expect(report.testCommand).toEqual({ command: "sh check.sh", foundBy: "README.md" });
  expect(report.outcome).toBe("unverified");
  expect(exitCode).toBe(10);
});
