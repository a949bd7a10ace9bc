import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import { succeed } from "../../base/result.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import type { Checkout } from "../../workspace/contract.ts";
import { openRecorder } from "../record/recorder.ts";
import { emptyState, type MatrixRow, type TaskState } from "../state/task-state.ts";
import type { ExecutorRequest } from "../suite.ts";
import { measureCandidate, rowWithAdded, runOn, wholeRow } from "./run-candidate.ts";
import { noFramework } from "./without-tests.ts";

const outcome = (name: string, status: TestOutcome["status"] = "passed"): TestOutcome => ({
  key: { package: "", target: "tests/test_a.py", name },
  status,
  durationMs: 1,
});
const candidate = { id: "c1", tree: "t", kind: "code" as const, origin: "" };
const [old, shows, added, guard] = ["old", "shows", "added", "guard"].map((name) => outcome(name)) as [
  TestOutcome,
  TestOutcome,
  TestOutcome,
  TestOutcome,
];
const row: MatrixRow = {
  candidate: "c1",
  outcomes: [old, shows],
  targets: [shows],
  broken: [],
  invalid: undefined,
  score: [],
};
const withRow = (one: MatrixRow, targets: TestOutcome[], guards: TestOutcome[] = []): TaskState => ({
  ...emptyState,
  candidates: [candidate],
  rows: [one],
  fault: {
    targets: targets.map(({ key }) => key),
    heldBack: [],
    guards,
    baseRuns: [],
    reason: { holds: true, evidence: "" },
  },
});
const context = partOf<Parameters<typeof rowWithAdded>[0]>({ suite: { outcomes: [old] } });

test("a run of all tests stands until tests are written that it has not heard", () => {
  expect(wholeRow(withRow(row, [shows]), candidate, context.suite)).toBe(row);
  expect(wholeRow(withRow(row, [shows, added]), candidate, context.suite)).toBeUndefined();
  expect(wholeRow(withRow(row, [shows], [guard]), candidate, context.suite)).toBeUndefined();
  const late = { ...row, outcomes: [old, outcome("shows", "not-run")] };
  const cut = { ...row, isCut: true };
  for (const no of [late, cut, { ...row, broken: undefined }, { ...row, invalid: "killed" }])
    expect(wholeRow(withRow(no, [shows]), candidate, context.suite)).toBeUndefined();
});

test("a row does not stand once more of the base's tests are known, so that the others are not broken", () => {
  const state = withRow({ ...row, compared: 1 }, [shows]);
  expect(wholeRow(state, candidate, { outcomes: [old] })).toBeDefined();
  expect(wholeRow(state, candidate, { outcomes: [old, outcome("later", "failed")] })).toBeDefined();
  const grown = { outcomes: [old, outcome("later")] };
  expect(wholeRow(state, candidate, grown)).toBeUndefined();
  expect(rowWithAdded({ suite: partOf({ ...grown }) }, state, candidate, [])).toBeUndefined();
});

test("a row does not stand for another tree that is judged under the same id", () => {
  expect(
    wholeRow(withRow(row, [shows]), { ...candidate, tree: "without a hunk" }, context.suite),
  ).toBeUndefined();
});

test("what added tests say is added to what all have said; without a run of all there is nothing to add to", () => {
  const state = withRow(row, [shows, added], [guard]);
  const said = [added, outcome("guard", "failed"), outcome("old", "skipped")];
  const next = rowWithAdded(context, state, candidate, said);
  expect(next?.targets.map(({ status }) => status)).toEqual(["passed", "passed"]);
  expect(next?.broken).toEqual(["tests/test_a.py::guard"]);
  expect(wholeRow({ ...state, rows: [...state.rows, next ?? row] }, candidate, context.suite)).toBe(next);
  expect(
    rowWithAdded(context, withRow({ ...row, broken: undefined }, [shows]), candidate, []),
  ).toBeUndefined();
});

async function openTestRecorder() {
  const directory = mkdtempSync(join(tmpdir(), "millwright-run-candidate-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const recorder = await openRecorder(directory, () => {});
  onTestFinished(() => recorder.close());
  return recorder;
}

test("tests of which a run of all on the same tree has said something are not run again, unless that is asked for", async () => {
  const recorder = await openTestRecorder();
  const asked: string[] = [];
  const executor = {
    run: async (_: unknown, { selection, tree }: { selection: { kind: string }; tree: string }) => {
      asked.push(`${selection.kind} ${tree}`);
      return { report: { outcomes: [old, shows], invalid: undefined }, end: "exited" as const };
    },
  };
  const suite = { outcomes: [old], durationMs: 1, command: { framework: "pytest" } };
  const limits = { remainingMs: () => Number.POSITIVE_INFINITY };
  const workspace = { base: "base" };
  const running = partOf<Parameters<typeof runOn>[0]>({
    suite,
    limits,
    recorder,
    executor,
    frameworks: [],
    workspace,
  });
  const one = { kind: "tests", tests: [shows.key] } as const;
  await runOn(running, "t", { kind: "all" });
  expect((await runOn(running, "t", one)).outcomes).toEqual([shows]);
  const file = (...files: string[]) => ({ kind: "files", files }) as const;
  expect((await runOn(running, "t", file("tests/test_a.py"))).outcomes).toEqual([old, shows]);
  expect(asked).toEqual(["all t"]);
  await runOn(running, "t", file("tests/test_a.py", "tests/test_b.py"));
  expect(asked.splice(1)).toEqual(["files t"]);
  await runOn(running, "t", one, 2);
  await runOn(running, "other", one);
  await runOn(running, "t", { kind: "tests", tests: [shows.key, added.key] });
  expect(asked).toEqual(["all t", "tests t", "tests other", "tests t"]);
});

test("a test that passed before and fails once is asked again before it counts as broken, and named", async () => {
  const recorder = await openTestRecorder();
  let runs = 0;
  const executor = {
    run: async () => {
      runs += 1;
      const outcomes = [{ ...old, status: runs === 1 ? ("failed" as const) : ("passed" as const) }];
      return { report: { outcomes, invalid: undefined }, end: "exited" as const };
    },
  };
  const suite = {
    outcomes: [{ ...old, status: "passed" as const }],
    durationMs: 1,
    command: { framework: "pytest" },
  };
  const limits = { remainingMs: () => Number.POSITIVE_INFINITY };
  const workspace = { base: "base" };
  const running = partOf<Parameters<typeof runOn>[0]>({
    suite,
    limits,
    recorder,
    executor,
    frameworks: [],
    workspace,
  });
  const { outcomes } = await runOn(running, "t", { kind: "all" });
  expect(outcomes.map(({ status }) => status)).toEqual(["passed"]);
  // The whole run, its file twice, and the whole run again.
  expect(runs).toBe(4);
  const said = recorder.events.flatMap((event) => (event.event === "remark-made" ? [event.text] : []));
  expect(said).toEqual([expect.stringContaining("failed once with a patch")]);
});

test.each<[string, { left?: number; ends?: "timed-out"; onlyTogether?: boolean }, string, boolean]>([
  ["counts as broken", {}, "failed", false],
  ["counts as broken if several processes found it", { onlyTogether: true }, "failed", false],
  ["is open without time for another whole run", { left: 0 }, "not-run", true],
  ["is open if the limit ends another whole run", { ends: "timed-out" }, "not-run", true],
])("a test that fails only in the company of other tests %s", async (_, how, status, isCut) => {
  const { left = Number.POSITIVE_INFINITY, ends, onlyTogether = false } = how;
  let whole = 0;
  const run = async (_: unknown, { selection, tree, divided }: ExecutorRequest) => {
    if (selection.kind !== "all" || tree === "base")
      return { report: { outcomes: [old], invalid: undefined }, end: "exited" as const };
    whole += 1;
    if (whole > 1 && ends !== undefined)
      return { report: { outcomes: [], invalid: "it was killed" }, end: ends };
    if (divided !== undefined && onlyTogether)
      return { report: { outcomes: [old] }, end: "exited" as const, onlyTogether: ["tests/test_a.py::old"] };
    return { report: { outcomes: [outcome("old", "failed")] }, end: "exited" as const };
  };
  const command = { framework: "pytest", foundBy: "" };
  const running = partOf<Parameters<typeof runOn>[0]>({
    suite: { outcomes: [old], durationMs: 60_000, command, isDivided: true },
    limits: { remainingMs: () => (whole === 0 ? Number.POSITIVE_INFINITY : left) },
    recorder: {
      events: [],
      append() {},
      has: () => false,
      step: (_: unknown, work: () => unknown) => work(),
    } as never,
    executor: { run: run as never },
    frameworks: [],
    workspace: {
      base: "base",
      directory: "/none",
      trees: { list: async () => [] },
      // No test fails on the base, because none runs there.
      async openCheckout() {
        command.framework = noFramework.name;
        return partOf<Checkout>({ folder: tmpdir(), close: async () => {} });
      },
    },
  });
  const ran = await runOn(running, "t", { kind: "all" });
  expect([ran.outcomes.map((each) => each.status), ran.cutMs !== undefined]).toEqual([[status], isCut]);
});

test("a test that fails is not flaky because a report that cannot be trusted says that it passes", async () => {
  let runs = 0;
  const executor = {
    run: async () => {
      runs += 1;
      const outcomes = [outcome("old", runs === 1 ? "failed" : "passed")];
      const invalid = runs === 1 ? undefined : "it was changed";
      return { report: { outcomes, invalid }, end: "exited" as const };
    },
    close: async () => {},
  };
  const workspace = { base: "with-tests", trees: { compose: async () => succeed("with-tests") } };
  const recorder = {
    events: [],
    append() {},
    has: () => false,
    step: (_: unknown, run: () => unknown) => run(),
  };
  const running = partOf<Parameters<typeof measureCandidate>[0]>({
    suite: { outcomes: [old], durationMs: 1, command: { framework: "pytest" } },
    ...{
      limits: { remainingMs: () => Number.POSITIVE_INFINITY },
      recorder: recorder as never,
      executor,
      frameworks: [],
      workspace,
    },
  });
  const written = { ...candidate, id: "r1", kind: "reproduction" as const };
  const state = { ...emptyState, candidates: [written, candidate] };
  const measured = await measureCandidate(running, state, candidate, "all");
  expect(measured).toMatchObject({ value: { broken: ["tests/test_a.py::old"] } });
});

test("a new test that exceeds the limit of the tests before it gets more time", async () => {
  const recorder = await openTestRecorder();
  const asked: number[] = [];
  const executor = {
    run: async (_: unknown, { testTimeoutMs }: { testTimeoutMs: number }) => {
      asked.push(testTimeoutMs);
      const outcomes = [old, asked.length === 1 ? outcome("added", "timed-out") : added];
      return { report: { outcomes, invalid: undefined }, end: "exited" as const };
    },
  };
  const suite = { outcomes: [old], durationMs: 1, command: { framework: "pytest" } };
  const limits = { remainingMs: () => Number.POSITIVE_INFINITY };
  const workspace = { base: "base" };
  const running = partOf<Parameters<typeof runOn>[0]>({
    suite,
    limits,
    recorder,
    executor,
    frameworks: [],
    workspace,
  });
  expect((await runOn(running, "t", { kind: "all" })).outcomes).toEqual([old, added]);
  expect(asked[1]).toBeGreaterThan(asked[0] ?? 0);
});

test("a test that only the written tests break is not broken by the patch, which is handed over without them", async () => {
  const recorder = await openTestRecorder();
  const failsOn = new Map([
    ["lists_files", ["with-tests"]],
    ["breaks", ["with-tests", candidate.tree]],
  ]);
  const names = [...failsOn.keys()];
  const executor = {
    run: async (_: unknown, { tree }: { tree: string }) => {
      const outcomes = names.map((name) =>
        outcome(name, failsOn.get(name)?.includes(tree) === true ? "failed" : "passed"),
      );
      return { report: { outcomes, invalid: undefined }, end: "exited" as const };
    },
    close: async () => {},
  };
  const suite = {
    outcomes: names.map((name) => outcome(name)),
    durationMs: 1,
    command: { framework: "pytest" },
  };
  const limits = { remainingMs: () => Number.POSITIVE_INFINITY };
  const trees = { compose: async () => succeed("with-tests") };
  const workspace = { base: "with-tests", trees };
  const running = partOf<Parameters<typeof measureCandidate>[0]>({
    suite,
    limits,
    recorder,
    executor,
    frameworks: [],
    workspace,
  });
  const written = { ...candidate, id: "r1", kind: "reproduction" as const };
  const state = { ...emptyState, candidates: [written, candidate] };
  const measured = await measureCandidate(running, state, candidate, "all");
  expect(measured).toMatchObject({ ok: true, value: { broken: ["tests/test_a.py::breaks"] } });
  const alone = await measureCandidate(running, { ...state, candidates: [candidate] }, candidate, "all");
  expect(alone).toMatchObject({ value: { broken: names.map((name) => `tests/test_a.py::${name}`) } });
  const said = recorder.events.flatMap((event) => (event.event === "remark-made" ? [event.text] : []));
  expect(said).toEqual([
    expect.stringContaining("lists_files fails only together with the tests that this run wrote"),
  ]);
});

test.each([
  ["a build that a limit cuts off gets the time of a whole build, and continues", true],
  ["a run that stalls before its first test runs again", false],
])("%s if the tests are asked again", async (_, builds) => {
  const recorder = await openTestRecorder();
  const given: number[] = [];
  const executor = {
    run: async (_: unknown, { timeoutMs }: { timeoutMs: number }) => {
      given.push(timeoutMs);
      const isBuilt = given.length > 1;
      return isBuilt
        ? { report: { outcomes: [shows], invalid: undefined }, end: "exited" as const }
        : { report: { outcomes: [], invalid: "it was killed" }, end: "timed-out" as const };
    },
  };
  const part = { files: [], of: 0, why: "first" as const, isCut: true };
  const suite = { outcomes: [], durationMs: 40_000, command: { framework: "cargo-test" }, part };
  const frameworks = [{ name: "cargo-test", builds }];
  const limits = { remainingMs: () => Number.POSITIVE_INFINITY };
  const workspace = { base: "base" };
  const context = { suite, frameworks, limits, recorder, executor, workspace };
  const running = partOf<Parameters<typeof runOn>[0]>(context);
  const files = { kind: "files", files: ["tests/new.rs"] } as const;
  const cut = (await runOn(running, "base", files)).invalid;
  expect(cut).toMatch(/^a time limit ended the run .* a build then continues\. it was killed$/);
  expect((await runOn(running, "base", files)).outcomes).toEqual([shows]);
  await runOn(running, "base", files);
  expect(given).toEqual([20 * 60_000, 20 * 60_000]);
});

test("a candidate of a task without a test of the fault is measured with all tests, not with none", async () => {
  const recorder = await openTestRecorder();
  const asked: unknown[] = [];
  const executor = {
    run: async (_: unknown, { selection }: { selection: unknown }) => {
      asked.push(selection);
      return { report: { outcomes: [old], invalid: undefined }, end: "exited" as const };
    },
  };
  const suite = { outcomes: [old], durationMs: 1, command: { framework: "pytest" } };
  const limits = { remainingMs: () => Number.POSITIVE_INFINITY };
  const workspace = { base: "base", trees: { compose: async () => succeed("t") } };
  const running = partOf<Parameters<typeof measureCandidate>[0]>({
    ...{ suite, limits, recorder, executor, frameworks: [], workspace },
  });
  const measured = await measureCandidate(running, emptyState, candidate, "targets");
  expect(asked).toEqual([{ kind: "all" }]);
  expect(measured).toMatchObject({ ok: true, value: { broken: [] } });
});

test("what ran without a test command runs again once a command is found", async () => {
  const recorder = await openTestRecorder();
  const executor = {
    run: async () => ({ report: { outcomes: [old], invalid: undefined }, end: "exited" as const }),
  };
  const suite = { outcomes: [old], durationMs: 1, command: { framework: "none", foundBy: "nobody" } };
  const limits = { remainingMs: () => Number.POSITIVE_INFINITY };
  const running = partOf<Parameters<typeof runOn>[0]>({
    ...{ suite, limits, recorder, executor, frameworks: [], workspace: { base: "t" } },
  });
  expect((await runOn(running, "t", { kind: "all" })).invalid).toMatch(/no test can run here: nobody/);
  Object.assign(suite, { command: { framework: "pytest" } });
  expect(await runOn(running, "t", { kind: "all" })).toMatchObject({ outcomes: [old] });
});
