/**
 * Measures new code with its own tests (USEbench's feature development). Hidden tests must pass with the code, and the
 * patch's own tests must execute each new line of the code. Our rule also requires that the patch's own tests pass.
 */

import { newUnits, unmeasured } from "../../agent/kinds/feature.ts";
import { linesRun } from "../../agent/measure/covered-lines.ts";
import { countLines, type Unit } from "../../agent/measure/executable-lines.ts";
import { countOf, wordFor } from "../../base/count.ts";
import { formatTestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import { openJudge } from "../../judging/judged-tree.ts";
import type { Verdict } from "../graders/contract.ts";
import passAndFail from "../graders/pass-and-fail.ts";
import type { Coverage, Measurement } from "../measurement.ts";
import { type OpenTask, withCheckout } from "../open-task.ts";
import { type RunLog, readRunLog } from "../run-log.ts";
import type { TestPlan } from "../task-tests.ts";
import type { Measured, Protocol, Subject } from "./contract.ts";
import { judgeBy, measureHidden, readHidden, shareOf } from "./hidden-tests.ts";
import { coverFiles, withTestExecutor } from "./measuring-executor.ts";
import { listUnreachable, ofReachable } from "./reachable-coverage.ts";
import {
  copyChanged,
  findTestsOfPatch,
  findUnloaded,
  freshTests,
  keysOf,
  objectToReport,
  presentIn,
  runFiles,
} from "./tests-of-patch.ts";
import { judgeRejected, judgeUnmeasured } from "./without-runs.ts";

const own = "own-tests";
const ownBefore = "own-tests-before";

export const feature: Protocol = {
  needsLists: true,
  controls: [ownBefore],
  gold: ({ goldPatch, testPatch }) => [goldPatch, testPatch].filter((each) => each !== "").join("\n"),
  measure: measureFeature,
  async judge(measurement, task, frameworks) {
    const { rejected, runs, coverage } = measurement;
    if (rejected !== undefined) return judgeRejected(rejected);
    const run = await readHidden(measurement, frameworks);
    if (run === undefined) throw new Error("This measurement has no hidden tests");
    const hidden = judgeBy(passAndFail.judge, run, task);
    const read = async (name: string) => {
      const log = runs[name];
      return log === undefined ? undefined : readRunLog(log, frameworks);
    };
    const [now, before] = [await read(own), (await read(ownBefore))?.outcomes ?? []];
    const fresh = freshTests(now?.outcomes ?? [], before);
    const objection =
      objectToReport(now) ?? objectToTests(fresh) ?? findUnloaded(now?.outcomes ?? [], before);
    if (hidden.outcome === "resolved" && fresh.length > 0 && coverage?.because !== undefined) {
      const unmeasured = judgeUnmeasured(coverage.because);
      return objection === undefined ? unmeasured : { ...unmeasured, verdict: objectTo(hidden, objection) };
    }
    const covered = objectTo(hidden, objectToCoverage(fresh, coverage && ofReachable(coverage)));
    const verdict = objectTo(covered, objection);
    const note = verdict.outcome === "resolved" ? listUnreachable(coverage) : "";
    return {
      official: objectTo(hidden, objectToCoverage(fresh, coverage)),
      verdict: { ...verdict, reason: `${verdict.reason}${note}` },
      others: [],
      measures: {
        hiddenTests: shareOf(hidden),
        ...(coverage === undefined || coverage.lines === 0
          ? {}
          : { newCodeCoverage: coverage.executed / coverage.lines }),
      },
    };
  },
};

function objectTo(verdict: Verdict, objection: string | undefined): Verdict {
  return verdict.outcome !== "resolved" || objection === undefined
    ? verdict
    : { ...verdict, outcome: "unresolved", reason: objection };
}

function objectToCoverage(fresh: readonly TestOutcome[], coverage: Coverage | undefined): string | undefined {
  if (fresh.length === 0)
    return "the run reported no new test: the patch adds none, or its tests did not run";
  if (coverage === undefined) return "coverage was not measured";
  const { lines, executed, left } = coverage;
  return left.length === 0
    ? undefined
    : `the patch's own tests execute ${executed} of ${countOf(lines, "line")} of new code; they miss ${left.slice(0, 10).join(", ")}`;
}

function objectToTests(fresh: readonly TestOutcome[]): string | undefined {
  const failing = fresh.filter(({ status }) => status !== "passed");
  const [first] = failing;
  return first === undefined
    ? undefined
    : `${failing.length} of ${countOf(fresh.length, "test")} of the patch ${wordFor(failing.length, "does", "do")} not pass: ${formatTestKey(first.key)}`;
}

async function measureFeature(subject: Subject): Promise<Measured> {
  const { open, patch } = subject;
  const { workspace, trees } = open;
  const hidden = await measureHidden(subject);
  const laid = await workspace.trees.apply(trees.base, patch);
  if (hidden.measurement.rejected !== undefined || !laid.ok) return hidden;
  const plan = await withCheckout(open, (checkout) => open.plan(checkout));
  const { changed, files } = await findTestsOfPatch(open, plan, laid.value);
  const { command, framework } = plan;
  const sources = { trees: workspace.trees, base: trees.base, rules: framework.judging, command };
  const { tree } = await openJudge(sources).judgedTree(laid.value);
  const runs: Record<string, RunLog> = { ...hidden.measurement.runs };
  const known = await presentIn(open, trees.base, files);
  if (known.length > 0) runs[ownBefore] = await runFiles(open, plan, trees.base, known);
  if (files.length > 0) runs[own] = await runFiles(open, plan, tree, files);
  const read = async (log: RunLog | undefined) =>
    log === undefined ? [] : (await readRunLog(log, open.options.frameworks)).outcomes;
  const fresh = freshTests(await read(runs[own]), await read(runs[ownBefore]));
  const coverage =
    fresh.length === 0 ? undefined : await coverNew(open, plan, tree, { fresh, code: changed.code });
  const measurement: Measurement = {
    ...hidden.measurement,
    ...{ runs, changed: copyChanged(changed) },
    ...(coverage === undefined ? {} : { coverage }),
  };
  return { ...hidden, measurement };
}

async function coverNew(
  open: OpenTask,
  plan: TestPlan,
  tree: string,
  { fresh, code }: { readonly fresh: readonly TestOutcome[]; readonly code: readonly string[] },
): Promise<Coverage> {
  const { workspace } = open;
  const none = { lines: 0, executed: 0, left: [] };
  const unknown = await unmeasured({ workspace }, { tree }, code);
  if (unknown.length > 0)
    return { ...none, because: `the executable lines of ${unknown.join(", ")} are unknown` };
  const units = [...(await newUnits({ workspace }, { tree }, code)).values()];
  if (units.length === 0) return none;
  const tests = keysOf(fresh);
  const selection = { kind: "tests", tests } as const;
  const files = units.map(({ file }) => file);
  const covered = await withTestExecutor(open, (executor) =>
    coverFiles(executor, open, plan, { tree, selection, files }),
  );
  if (covered.because !== undefined) return { ...none, because: covered.because };
  const ids = new Set(tests.map(formatTestKey));
  const counted = units.map((each) => ({
    file: each.file,
    ...countLines(
      each.units,
      linesRun(covered, each.file, (id) => ids.has(id)),
    ),
  }));
  const places = (wanted: (unit: Unit) => boolean): string[] =>
    counted.flatMap(({ file, left }) => left.filter(wanted).map(({ line }) => `${file}:${line}`));
  const unreachable = places(({ isUnreachable }) => isUnreachable === true);
  return {
    lines: counted.reduce((sum, { all }) => sum + all, 0),
    executed: counted.reduce((sum, { executed }) => sum + executed, 0),
    left: places(() => true),
    ...(unreachable.length === 0 ? {} : { unreachable }),
  };
}
