/**
 * Measures new tests for one function, whose own tests are missing from the base. USEbench's REPOTEST only requires
 * that the new tests pass and execute the whole function. By our rule, the patch must also change only tests. The tests
 * must pass every time, and detect small faults in the function.
 */

import { findTarget, type Target } from "../../agent/kinds/target.ts";
import { decideShare } from "../../agent/kinds/target-strength.ts";
import { linesRun } from "../../agent/measure/covered-lines.ts";
import {
  countLines,
  executableUnits,
  reachableUnits,
  type Unit,
} from "../../agent/measure/executable-lines.ts";
import { countOf, nameFirst, wordFor } from "../../base/count.ts";
import { formatTestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import { openJudge } from "../../judging/judged-tree.ts";
import type { GradedTask } from "../graded-task.ts";
import { type Verdict, verdictWithoutRun } from "../graders/contract.ts";
import { type Measurement, nothingMeasured } from "../measurement.ts";
import { type OpenTask, withCheckout } from "../open-task.ts";
import { type RunLog, readRunLog } from "../run-log.ts";
import type { TestPlan } from "../task-tests.ts";
import type { Measured, Protocol, Subject } from "./contract.ts";
import { idleTree } from "./idle-code.ts";
import { leastNoticed, measureMutants } from "./measure-mutants.ts";
import { coverFiles, withTestExecutor } from "./measuring-executor.ts";
import { listUnreachable, ofReachable } from "./reachable-coverage.ts";
import {
  copyChanged,
  findBaseTests,
  findTestsOfPatch,
  findUnloaded,
  freshTests,
  isSame,
  keysOf,
  objectToReport,
  presentIn,
  readKeys,
  runFiles,
} from "./tests-of-patch.ts";
import { judgeRejected, judgeUnmeasured, rejection } from "./without-runs.ts";

/** The runs of the tests; the official rule only uses the first. */
const passes = ["first", "second", "third"] as const;
const before = "before";

export const targetTests: Protocol = {
  needsLists: false,
  controls: [before],
  gold: ({ testPatch }) => testPatch,
  measure: measureTarget,
  async measureEmpty(open, task) {
    const plan = await withCheckout(open, (checkout) => open.plan(checkout));
    const files = await findBaseTests(open, plan);
    if (files.length === 0) return nothingMeasured;
    return { ...nothingMeasured, ...(await runTests(open, task, plan, { tree: open.trees.base, files })) };
  },
  async judge(measurement, _task, frameworks) {
    const { rejected, runs, coverage, mutants, changed } = measurement;
    if (rejected !== undefined) return judgeRejected(rejected);
    const read = async (name: string) => {
      const log = runs[name];
      return log === undefined ? undefined : readRunLog(log, frameworks);
    };
    const base = (await read(before))?.outcomes ?? [];
    const [first, ...again] = await Promise.all(passes.map(read));
    const fresh = first === undefined ? [] : freshTests(first.outcomes, base);
    const ran = (mutants?.tried ?? 0) - (mutants?.unknown ?? 0);
    const shares = {
      ...(coverage === undefined || coverage.lines === 0
        ? {}
        : { targetCoverage: coverage.executed / coverage.lines }),
      ...(mutants === undefined || ran === 0 ? {} : { mutantsNoticed: mutants.noticed / ran }),
    };
    const byTests = [
      objectToReport(first),
      ...objectToTests(fresh),
      findUnloaded(first?.outcomes ?? [], base),
    ].filter((objection) => objection !== undefined);
    if (coverage?.because !== undefined && byTests.length === 0) return judgeUnmeasured(coverage.because);
    const official = tell(fresh, [...byTests, ...objectToCoverage(coverage)]);
    const failed = again.flatMap((run) => notPassing(fresh, run?.outcomes ?? []));
    const verdict = tell(
      fresh,
      [
        ...byTests,
        ...objectToCoverage(coverage && ofReachable(coverage)),
        ...((changed?.code.length ?? 0) === 0
          ? []
          : [`the patch changes files that are not tests: ${nameFirst(changed?.code ?? [], 5)}`]),
        ...(failed.length === 0 ? [] : [`${failed[0]} does not pass when it runs again`]),
        ...objectToStrength(mutants),
      ],
      listUnreachable(coverage),
    );
    const isUndecided = mutants !== undefined && decideStrength(mutants).isCut === true;
    const rest = { official, others: [], measures: shares };
    if (verdict.outcome !== "resolved" || !isUndecided) return { ...rest, verdict };
    const late = `${countOf(mutants.unknown ?? 0, "mutant")} of ${mutants.tried} did not run for lack of time, so the tests' strength is undecided`;
    return { ...rest, verdict: verdictWithoutRun("infrastructure-error", late) };
  },
};

/** `note`: the end of the reason for a patch without objections. */
function tell(fresh: readonly TestOutcome[], objections: readonly string[], note = ""): Verdict {
  const ids = (wanted: boolean): string[] =>
    fresh.filter(({ status }) => (status === "passed") === wanted).map(({ key }) => formatTestKey(key));
  const [objection] = objections;
  return {
    outcome: objection === undefined ? "resolved" : "unresolved",
    reason:
      objection ??
      `${countOf(fresh.length, "new test passes and executes", "new tests pass and execute")} all of the target${note}`,
    failToPass: { success: ids(true), failure: ids(false) },
    passToPass: { success: [], failure: [] },
    unmatched: [],
    ambiguous: [],
  };
}

function objectToTests(fresh: readonly TestOutcome[]): string[] {
  if (fresh.length === 0)
    return ["the run reported no new test: the patch adds none, or its tests did not run"];
  const failing = fresh.filter(({ status }) => status !== "passed");
  const [one] = failing;
  return one === undefined
    ? []
    : [
        `${failing.length} of ${countOf(fresh.length, "new test")} ${wordFor(failing.length, "does", "do")} not pass: ${formatTestKey(one.key)}`,
      ];
}

function objectToCoverage(coverage: Measurement["coverage"]): string[] {
  if (coverage === undefined) return ["coverage was not measured"];
  const { lines, executed, left } = coverage;
  if (left.length === 0) return [];
  return [
    `the tests execute ${executed} of ${countOf(lines, "line")} of the target; they miss ${left.slice(0, 10).join(", ")}`,
  ];
}

function decideStrength(mutants: NonNullable<Measurement["mutants"]>): ReturnType<typeof decideShare> {
  return decideShare({ ...mutants, unknown: mutants.unknown ?? 0 }, leastNoticed);
}

function objectToStrength(mutants: Measurement["mutants"]): string[] {
  if (mutants === undefined) return [];
  const { holds, isCut = false } = decideStrength(mutants);
  if (holds || isCut) return [];
  const { noticed, tried, unknown = 0, survivors } = mutants;
  return [
    `the new tests detect ${noticed} of ${countOf(tried - unknown, "mutant")} of the target; they miss, for example, ${survivors[0] ?? ""}`,
  ];
}

function notPassing(fresh: readonly TestOutcome[], run: readonly TestOutcome[]): string[] {
  const passed = new Set(
    run.filter(({ status }) => status === "passed").map(({ key }) => formatTestKey(key)),
  );
  return fresh.map(({ key }) => formatTestKey(key)).filter((id) => !passed.has(id));
}

async function measureTarget({ open, task, patch }: Subject): Promise<Measured> {
  const { workspace, trees } = open;
  const store = workspace.trees;
  const laid = await store.apply(trees.base, patch);
  if (!laid.ok) return { measurement: rejection(laid.message) };
  const plan = await withCheckout(open, (checkout) => open.plan(checkout));
  const { changed, files } = await findTestsOfPatch(open, plan, laid.value);
  const { command, framework } = plan;
  const judge = openJudge({ trees: store, base: trees.base, rules: framework.judging, command });
  const { tree, laid: kept } = await judge.judgedTree(laid.value);
  const measurement: Measurement = { restored: [...kept], changed: copyChanged(changed), runs: {} };
  if (files.length === 0) return { measurement };
  const known = await presentIn(open, trees.base, files);
  const found = await runTests(open, task, plan, { tree, files, known });
  return {
    measurement: { ...measurement, ...found },
    async findDoubt({ failToPass: { success } }) {
      const tests = await readKeys(open, found.runs["first"], success);
      const file = task.task.target?.split(":")[0] ?? "";
      const idle = await idleTree(store, tree, [file]);
      if (idle === undefined || (await isSame(open, plan, { tree: idle, tests, wanted: "passes" })))
        return undefined;
      return "the new tests fail when Millwright adds statements without effect to the target's file";
    },
  };
}

interface TestsOfTree {
  readonly tree: string;
  readonly files: readonly string[];
  /** Test files of the base, whose own tests do not count. */
  readonly known?: readonly string[];
}

async function runTests(
  open: OpenTask,
  { task }: GradedTask,
  plan: TestPlan,
  { tree, files, known = [] }: TestsOfTree,
): Promise<Pick<Measurement, "runs" | "coverage" | "mutants">> {
  const { base } = open.trees;
  const runs: Record<string, RunLog> = {};
  if (known.length > 0) runs[before] = await runFiles(open, plan, base, known);
  for (const name of passes) runs[name] = await runFiles(open, plan, tree, files);
  const read = async (log: RunLog | undefined) =>
    log === undefined ? [] : (await readRunLog(log, open.options.frameworks)).outcomes;
  const fresh = freshTests(await read(runs["first"]), await read(runs[before]));
  const target = await findTarget(task.target, async (path) =>
    (await open.workspace.trees.read(base, path))?.toString("utf8"),
  );
  if (!target.ok) {
    const coverage = { because: target.message, lines: 0, executed: 0, left: [] };
    return { runs, coverage };
  }
  if (fresh.length === 0) return { runs };
  return { runs, ...(await coverTarget(open, plan, { tree, target: target.value, fresh })) };
}

interface Asked {
  readonly tree: string;
  readonly target: Target;
  readonly fresh: readonly TestOutcome[];
}

async function coverTarget(
  open: OpenTask,
  plan: TestPlan,
  { tree, target, fresh }: Asked,
): Promise<Pick<Measurement, "coverage" | "mutants">> {
  const { file, text, spans } = target;
  const units = (await executableUnits({ file, text, spans, pragmas: true })) ?? [];
  const none = { lines: 0, executed: 0, left: [] };
  if (units.length === 0)
    return { coverage: { ...none, because: `no executable line of ${target.symbol} is known` } };
  const tests = keysOf(fresh);
  const placeOf = ({ line }: Unit): string => `${file}:${line}`;
  return withTestExecutor(open, async (executor) => {
    const selection = { kind: "tests", tests } as const;
    const covered = await coverFiles(executor, open, plan, { tree, selection, files: [file] });
    if (covered.because !== undefined) return { coverage: { ...none, because: covered.because } };
    const ids = new Set(tests.map(formatTestKey));
    const counted = countLines(
      units,
      linesRun(covered, file, (id) => ids.has(id)),
    );
    const unreachable = counted.left.filter(({ isUnreachable }) => isUnreachable === true);
    const coverage = {
      lines: counted.all,
      executed: counted.executed,
      left: counted.left.map(placeOf),
      ...(unreachable.length === 0 ? {} : { unreachable: unreachable.map(placeOf) }),
    };
    const isWhole =
      ofReachable(coverage).left.length === 0 && fresh.every(({ status }) => status === "passed");
    if (!isWhole) return { coverage };
    return {
      coverage,
      mutants: await measureMutants(open, plan, executor, {
        tree,
        tests,
        file,
        text,
        units: reachableUnits(units),
        fresh,
      }),
    };
  });
}
