/**
 * Measures tests that must show an issue. Runs them without and with the fix, and the base's tests of the same files
 * for comparison. Judges by SWT-bench's rule (`src/grading.py`). Also measures SWT-bench's coverage, and judges by
 * USEbench's rule on coverage.
 */

import { countOf, nameFirst, wordFor } from "../../base/count.ts";
import type { TestKey } from "../../domain/test-outcome.ts";
import { openJudge } from "../../judging/judged-tree.ts";
import { isSourceFile } from "../../languages/source-files.ts";
import type { GradedRun, Verdict } from "../graders/contract.ts";
import { type Measurement, nothingMeasured } from "../measurement.ts";
import { type OpenTask, withCheckout } from "../open-task.ts";
import { limitOf, type RunLog, readRunLog } from "../run-log.ts";
import type { TestPlan } from "../task-tests.ts";
import type { Measured, OtherRule, Protocol, Subject } from "./contract.ts";
import { idleTree } from "./idle-code.ts";
import { measurePatchCoverage } from "./patch-coverage.ts";
import {
  copyChanged,
  findBaseTests,
  findTestsOfPatch,
  findUnloaded,
  isSame,
  objectToReport,
  presentIn,
  readKeys,
  runFiles,
} from "./tests-of-patch.ts";
import { compareSides, type Transitions } from "./transitions.ts";
import { judgeRejected, rejection } from "./without-runs.ts";

/** The patch's tests without and with the fix, and the base's own tests in the same files. */
const names = ["before", "after", "base-before", "base-after"] as const;

export const writtenTests: Protocol = {
  needsLists: false,
  controls: ["base-before", "base-after"],
  gold: ({ testPatch }) => testPatch,
  measure: measureWritten,
  async measureEmpty(open) {
    const { trees } = open;
    const plan = await withCheckout(open, (checkout) => open.plan(checkout));
    const files = await findBaseTests(open, plan);
    if (files.length === 0) return nothingMeasured;
    const before = await runFiles(open, plan, trees.base, files);
    const after = await runFiles(open, plan, trees.gold, files);
    return { ...nothingMeasured, runs: { before, after } };
  },
  async judge(measurement, _task, frameworks) {
    const { rejected, runs, coverage, changed } = measurement;
    if (rejected !== undefined) return judgeRejected(rejected);
    const sides: Partial<Record<(typeof names)[number], GradedRun>> = {};
    for (const name of names) {
      const log = runs[name];
      if (log !== undefined) sides[name] = await readRunLog(log, frameworks);
    }
    const own = compareSides(sides.before, sides.after);
    const base = compareSides(sides["base-before"], sides["base-after"]);
    const official = judgeTransitions(own, base, sides);
    const code = changed?.code ?? [];
    const reason =
      code.length > 0
        ? `the patch changes files that are not tests: ${nameFirst(code, 5)}`
        : findUnloaded(sides.after?.outcomes ?? [], sides["base-after"]?.outcomes ?? []);
    const isOurs = official.outcome !== "resolved" || reason === undefined;
    return {
      official,
      verdict: isOurs ? official : { ...official, outcome: "unresolved", reason },
      others: coverage === undefined ? [] : [judgeCoverage(coverage)],
      measures: measuresOf(coverage),
    };
  },
};

export function measuresOf(coverage: Measurement["coverage"]): Record<string, number> {
  if (coverage === undefined || coverage.lines === 0) return {};
  const { because, executed, gained, lines } = coverage;
  if (because !== undefined) return {};
  return {
    patchCoverage: executed / lines,
    ...(gained === undefined ? {} : { coverageDelta: gained / lines }),
  };
}

/** Judges by USEbench's rule: the tests must execute each executable line that the fix changes. */
export function judgeCoverage({
  because,
  lines,
  executed,
  left,
}: NonNullable<Measurement["coverage"]>): OtherRule {
  const rule = "usebench-patch-coverage";
  if (because !== undefined) return { rule, outcome: "infrastructure-error", reason: because };
  const isWhole = lines > 0 && executed === lines;
  const rest = left.length === 0 ? "" : `; they miss ${left.slice(0, 10).join(", ")}`;
  return {
    rule,
    outcome: isWhole ? "resolved" : "unresolved",
    reason: `the tests execute ${executed} of ${countOf(lines, "line")} that the fix changes${rest}`,
  };
}

export function judgeTransitions(
  own: Transitions,
  base: Transitions,
  { before, after }: Partial<Record<(typeof names)[number], GradedRun>>,
): Verdict {
  const more = (of: keyof Transitions): string[] => [...own[of]].filter((id) => !base[of].has(id));
  const shown = more("failToPass");
  const lost = [...base.failToPass].filter((id) => !own.failToPass.has(id));
  const broken = more("passToFail");
  const failing = more("failToFail");
  const say = (ids: readonly string[], [one, many]: readonly [string, string]): string =>
    `${countOf(ids.length, "test")} ${wordFor(ids.length, one, many)}: ${ids[0]}`;
  const isShown = [
    "fails without the fix and passes with it",
    "fail without the fix and pass with it",
  ] as const;
  const objections = [
    after === undefined ? "the patch changes no test file that Millwright could run" : undefined,
    objectToReport(after),
    // Tests that did not run for lack of time do not show the issue.
    limitOf(before) && `the tests reached the ${limitOf(before)} limit without the fix`,
    shown.length > 0 ? undefined : "no test fails without the fix and passes with it",
    broken.length === 0
      ? undefined
      : say(broken, ["passes without the fix and fails with it", "pass without the fix and fail with it"]),
    failing.length === 0 ? undefined : say(failing, ["fails with the fix too", "fail with the fix too"]),
    lost.length === 0
      ? undefined
      : `a test that shows the issue without the patch no longer shows it: ${lost[0]}`,
  ];
  const objection = objections.find((each) => each !== undefined);
  return {
    outcome: objection === undefined ? "resolved" : "unresolved",
    reason: objection ?? say(shown, isShown),
    failToPass: { success: shown, failure: failing },
    passToPass: { success: [...own.passToPass], failure: broken },
    unmatched: [],
    ambiguous: [],
  };
}

async function measureWritten({ open, patch }: Subject): Promise<Measured> {
  const { workspace, trees } = open;
  const store = workspace.trees;
  const laid = await store.apply(trees.base, patch);
  if (!laid.ok) return { measurement: rejection(laid.message) };
  const plan = await withCheckout(open, (checkout) => open.plan(checkout));
  const { changed, files, regions } = await findTestsOfPatch(open, plan, laid.value);
  const { command, framework } = plan;
  const judgedBy = (base: string) => openJudge({ trees: store, base, rules: framework.judging, command });
  const before = await judgedBy(trees.base).judgedTree(laid.value);
  const measurement: Measurement = { restored: [...before.laid], changed: copyChanged(changed), runs: {} };
  // The official harness applies the fix first and the tests afterwards.
  const beside = await store.apply(trees.gold, patch);
  if (!beside.ok) {
    const rejected = `the patch does not apply to the base with the fix: ${beside.message}`;
    return { measurement: { ...measurement, rejected } };
  }
  if (files.length === 0) return { measurement };
  const after = await judgedBy(trees.gold).judgedTree(beside.value);
  const runs: Record<string, RunLog> = {
    before: await runFiles(open, plan, before.tree, files),
    after: await runFiles(open, plan, after.tree, files),
  };
  const known = await presentIn(open, trees.base, files);
  // pytest runs nothing if it is given a file that does not exist, so the official runs without the patch are empty
  // then.
  if (known.length > 0 && (known.length === files.length || framework.name !== "pytest")) {
    runs["base-before"] = await runFiles(open, plan, trees.base, known);
    runs["base-after"] = await runFiles(open, plan, trees.gold, known);
  }
  const sides = { before: before.tree, after: after.tree, files, known };
  const coverage = await measurePatchCoverage(open, plan, regions, sides);
  return {
    measurement: { ...measurement, runs, coverage },
    async findDoubt({ failToPass }) {
      if (coverage.because === undefined && coverage.lines > 0 && coverage.executed === 0)
        return "the patch's tests execute no line that the fix changes";
      const tests = await readKeys(open, runs["after"], failToPass.success);
      return doubtTests(open, plan, { before: before.tree, after: after.tree, tests });
    },
  };
}

interface Shown {
  readonly before: string;
  readonly after: string;
  readonly tests: readonly TestKey[];
}

/** Returns the reason to doubt the tests; undefined if there is none. Tests that show the issue fail again without the fix, even if Millwright adds statements without effect, and pass again with the fix. */
async function doubtTests(
  open: OpenTask,
  plan: TestPlan,
  { before, after, tests }: Shown,
): Promise<string | undefined> {
  const { workspace, trees } = open;
  if (!(await isSame(open, plan, { tree: before, tests, wanted: "fails" })))
    return "none of the patch's tests fails when they run again without the fix";
  if (!(await isSame(open, plan, { tree: after, tests, wanted: "passes" })))
    return "the patch's tests do not pass when they run again with the fix";
  const fixed = (await workspace.trees.stat(trees.base, trees.gold)).map(({ path }) => path);
  const idle = await idleTree(workspace.trees, before, fixed.filter(isSourceFile));
  if (idle === undefined || (await isSame(open, plan, { tree: idle, tests, wanted: "fails" })))
    return undefined;
  return "none of the patch's tests fails without the fix when Millwright adds statements without effect, so they compare the code's text";
}
