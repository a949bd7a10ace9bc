/** Several strategies in one run with a scripted model, in a real sandbox. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { takeFailingTestsAway, wholeTest } from "./kind-tasks.ts";
import { createPlayground, fingerprint, type Playground } from "./millwright.ts";
import { attemptFlags, editBlock, type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

const statement =
  "A transfer of the `whole_overdraft`, or one that empties an account, is refused: InsufficientFunds is raised";
const small = "    return amount < available";
const large = "    return amount <= available";

const call = (role: string, name: string, input: object): ScriptedAnswer => ({
  role,
  calls: [{ name, input }],
});
const change = (after: string): ScriptedAnswer =>
  call("editing", "edit", { edits: editBlock("ledger/account.py", small, after) });
const done = call("editing", "done", { summary: "changed" });
/** By the Meta-Agent: one edit, which is proposed by rule where its gate holds. */
const lead = (after: string): ScriptedAnswer[] => [
  call("planning", "edit-code", { intent: "let the whole be paid" }),
  change(after),
  done,
];
const propose = call("planning", "finish", { candidate: "c1" });
/** By the shell: told apart by the instructions. */
const shell = (name: string, input: object = {}): ScriptedAnswer => ({
  ...call("editing", name, input),
  system: "with a shell and an editor",
});
const giveUp: ScriptedAnswer = { role: "planning", text: "Enough.", times: "always" };
const run = (repository: string, answers: readonly ScriptedAnswer[], ...args: string[]) =>
  solveScripted(playground, { strategy: "best-of", statement, repository, answers, args });

test("one arm's tests judge the other's patch, and the chosen one is judged by tests that its own arm had not", async () => {
  const repository = playground.copyRepository("repair-python");
  takeFailingTestsAway(repository);
  const before = fingerprint(repository);
  const end = await run(
    repository,
    [
      ...lead(large),
      propose,
      giveUp,
      shell("create", { path: "tests/test_whole.py", text: `${wholeTest}\n` }),
      shell("str_replace", { path: "ledger/account.py", old: small, new: "    return True" }),
      shell("submit"),
    ],
    ...["--arms", "unified,react"],
  );
  expect(end.exitCode, end.stderr).toBe(0);
  const { report } = end;
  expect(report).toMatchObject({ strategy: "best-of", outcome: "verified", candidates: 2 });
  expect(report.patch).toContain("+    return amount <= available");
  const ids = end.events.flatMap((event) =>
    event.event === "candidate-created" ? [`${event.arm}.${event.candidate.id}`] : [],
  );
  expect(ids).toEqual(["1.c1", "2.c1", "2.r1"]);
  const markdown = readFileSync(join(report.runDirectory, "report.md"), "utf8");
  expect(markdown).toMatch(/\| arm 1: unified ✗ \| unverified: .* \| \d+ \| \d+ \|/);
  expect(markdown).toContain(
    "1.c1: passes 1 of 1 test that shows the fault, from 2 arms, breaks 0 other tests",
  );
  expect(markdown).toContain(
    "Chosen: 1.c1, because its test results are better than those of every other candidate.",
  );
  expect(fingerprint(repository)).toBe(before);
});

test("samples of one strategy are asked apart and vote; of an attempt that is given all but the first know nothing", async () => {
  const repository = playground.copyRepository("repair-python");
  const given = attemptFlags(repository, "ledger/account.py", small, "    return True");
  const other = "    return not amount > available";
  const end = await run(
    repository,
    [
      call("planning", "probe-environment", {}),
      call("planning", "edit-code", { intent: "let the whole be paid" }),
      change(other),
      done,
      {
        ...call("planning", "edit-code", { intent: "let the whole be paid" }),
        contains: "(from arm 1)",
      },
      ...lead(large).slice(1),
      ...lead(`${large}  # all of it`),
    ],
    ...[...given, "--samples", "3"],
  );
  expect(end.exitCode, end.stderr).toBe(0);
  expect(end.report.patch).toContain("+    return amount <= available");
  // The chosen one alone: a confirmation costs a sandbox and four runs.
  const confirmed = end.events.filter(
    (event) => event.event === "step-finished" && event.step.startsWith("confirm:"),
  );
  expect(confirmed).toHaveLength(1);
  const attempts = end.events.filter(
    (event) => event.event === "candidate-created" && event.candidate.origin === "the given attempt",
  );
  expect(attempts.map((event) => "arm" in event && event.arm)).toEqual(["1"]);
  const decoded = end.events.flatMap((event) => (event.event === "arm-started" ? [event.decoding] : []));
  expect(decoded).toEqual([
    { temperature: 0 },
    { temperature: 0.8, sample: 1 },
    { temperature: 0.8, sample: 2 },
  ]);
  const markdown = readFileSync(join(end.report.runDirectory, "report.md"), "utf8");
  expect(markdown).toMatch(
    /Chosen: 2\.c1, because 2 of 3 candidates with equal results have the same normal form\./,
  );
});

test("an arm that there is not is refused by name, and the limit of steps is shared", async () => {
  const repository = playground.copyRepository("repair-python");
  writeFileSync(join(playground.folder, "script.json"), JSON.stringify({ answers: [] }));
  const refused = await playground.start([
    ...["solve", statement, "--repo", repository, "--strategy", "best-of", "--arms", "unified,best-of"],
    ...["--model", `scripted:${join(playground.folder, "script.json")}`],
  ]).ended;
  expect(refused.exitCode).toBe(2);
  expect(refused.stderr).toContain("best-of cannot run the strategy best-of");
  const end = await run(
    repository,
    [
      call("planning", "edit-code", { intent: "change nothing" }),
      done,
      { role: "editing", system: "Change a repository", text: "no", times: "always" },
      shell("str_replace", { path: "ledger/account.py", old: small, new: large }),
    ],
    ...["--arms", "unified,react", "--max-steps", "2"],
  );
  expect(end.exitCode, end.stderr).toBe(0);
  expect(end.report.patch).toContain("+    return amount <= available");
});
