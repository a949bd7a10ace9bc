/** Gives the final verdict on the chosen patch. Uses a checkout in which no other patch has run. */

import { readChange } from "../../agent/code/change.ts";
import { judgeShared } from "../../agent/kinds/every-gate.ts";
import { judgeRepair } from "../../agent/kinds/repair-gate.ts";
import type { Baseline } from "../../agent/measure/baseline.ts";
import { formOfPatch } from "../../agent/review/texts/patch-form.ts";
import type { StrategyContext } from "../../agent/strategy.ts";
import type { TestExecutor } from "../../agent/suite.ts";
import { confirm } from "../../agent/verdict/confirm.ts";
import { withExamples } from "../../agent/verdict/judge-examples.ts";
import { runExamples } from "../../agent/verdict/run-examples.ts";
import { judgeObjections } from "../../agent/verdict/standing-objection.ts";
import { type Weighed, weighEvidence } from "../../agent/verdict/strength.ts";
import { tellTwins } from "../../agent/verdict/twins.ts";
import type { Predicate } from "../../domain/gate.ts";
import type { Strength } from "../../domain/solve-report.ts";
import { type CoveredLines, formatTestKey } from "../../domain/test-outcome.ts";
import type { TestRegions } from "../../judging/test-regions.ts";
import type { Choice } from "./choose.ts";
import { runSuite, type SuiteRun, suiteRunSchema } from "./funnel.ts";
import type { Judged } from "./search.ts";

export interface LastVerdict {
  readonly gate: readonly Predicate[];
  readonly strength?: Strength;
  /** The results of all tests with the patch. */
  readonly final: SuiteRun | undefined;
}

interface Chosen {
  readonly baseline: Baseline;
  readonly choice: Choice;
  /** Each test's covered lines on the base. */
  readonly coverage: ReadonlyMap<string, CoveredLines>;
  readonly regions: TestRegions;
  /**
   * The delivered patch: the first choice, or a patch that repairs only some of the failing tests. In the second case,
   * only these tests need confirmation.
   */
  readonly best: Judged | undefined;
}

export async function judgeChosen(
  context: StrategyContext,
  open: () => Promise<TestExecutor>,
  found: Chosen,
): Promise<LastVerdict> {
  const { baseline, choice, best } = found;
  const chosen = choice.plausible[0] ?? best;
  const shared = best === undefined ? [] : await judgeBest(context, found, best);
  if (chosen === undefined) {
    const unjudged = judge(baseline, undefined, "no candidate passed the failing tests and all others");
    return { gate: [...unjudged, ...shared], final: undefined };
  }
  if (context.limits.remainingMs() === 0) {
    const unjudged = judge(baseline, undefined, noTime);
    return { gate: [...unjudged, ...shared], final: undefined };
  }
  let fresh: Promise<TestExecutor> | undefined;
  const openOnce = (): Promise<TestExecutor> => {
    fresh ??= open();
    return fresh;
  };
  const { turned } = chosen.verdict;
  const tests = baseline.targets
    .map(({ key }) => key)
    .filter((key) => choice.plausible.length > 0 || turned.includes(formatTestKey(key)));
  const judging = { ...context, regions: found.regions, suite: baseline };
  const objections = await judgeObjections(judging, chosen.candidate, tests);
  const examples =
    baseline.reason.holds && objections.holds && context.confirms !== false
      ? await runExamples(judging, chosen.candidate, tests, openOnce)
      : undefined;
  const objection = examples === undefined ? objections : withExamples(objections, examples);
  const { tree } = chosen.candidate;
  const claim = { tests, without: context.workspace.base, patched: tree, failing: "all" } as const;
  // Before all tests run there with the patch.
  const confirmed =
    baseline.reason.holds && objection.holds && context.confirms !== false
      ? await confirm({ ...context, suite: baseline }, claim, openOnce)
      : undefined;
  const isOver = context.limits.remainingMs() === 0;
  const final = isOver ? undefined : await runFinal(context, openOnce, baseline, chosen);
  const isCut = final?.invalid !== undefined && context.limits.remainingMs() === 0;
  const gate = [...judge(baseline, final, isOver || isCut ? noTime : final?.invalid), ...shared, objection];
  if (confirmed === undefined) return { gate, final };
  const { predicate, hasCanaries, exitCodeDecides, doubts } = confirmed;
  const weighed = await weigh(context, found, chosen, {
    examples: [...(examples?.doubts ?? []), ...doubts],
    isConfirmed: predicate.holds,
    hasCanaries,
    exitCodeDecides,
  });
  const last = predicate.holds ? [predicate, weighed.predicate] : [predicate];
  return { gate: [...gate, ...last], strength: weighed.strength, final };
}

const noTime = "no time was left to run all tests with the patch";

function judgeBest({ workspace }: StrategyContext, { regions }: Chosen, { candidate }: Judged) {
  const { trees, base } = workspace;
  return judgeShared({ trees, regions, base, tree: candidate.tree, adds: false });
}

function judge(baseline: Baseline, final: SuiteRun | undefined, invalid: string | undefined): Predicate[] {
  return judgeRepair({
    baseRuns: baseline.runs,
    ...(baseline.isCut === true && { isCut: true }),
    targets: baseline.targets.map((outcome) => outcome.key),
    reason: baseline.reason,
    base: baseline.outcomes,
    candidate: final?.outcomes ?? [],
    invalid,
  });
}

/** Runs the chosen patch once more, as plain source, on all tests, for the gate. */
function runFinal(
  context: StrategyContext,
  open: () => Promise<TestExecutor>,
  baseline: Baseline,
  chosen: Judged,
): Promise<SuiteRun> {
  const { tree, origin } = chosen.candidate;
  const options = {
    key: `final:${tree}`,
    title: `all tests on ${origin}`,
    schema: suiteRunSchema,
    large: true,
  };
  return context.recorder.step(options, async () => runSuite(context, await open(), baseline, tree));
}

async function weigh(
  context: StrategyContext,
  { baseline, choice, coverage, regions }: Chosen,
  { candidate, proposal }: Judged,
  {
    examples,
    ...confirmed
  }: {
    readonly examples: readonly string[];
    readonly isConfirmed: boolean;
    readonly hasCanaries: boolean;
    readonly exitCodeDecides: boolean;
  },
): Promise<Weighed> {
  const { trees, base } = context.workspace;
  const { files } = await readChange(trees, regions, base, candidate.tree);
  const open = await tellTwins({ ...context, regions }, candidate);
  const isExecuted = baseline.targets.some(({ key }) =>
    coverage.get(formatTestKey(key))?.[proposal.file]?.includes(proposal.statementLine),
  );
  return weighEvidence({
    ...confirmed,
    // The statement guides the search, but nobody reads it.
    isAsked: false,
    isPartOfTests: baseline.isPart === true,
    form: formOfPatch(files),
    // Uncovered code may run while its file is loaded.
    ...(isExecuted ? { isExecuted } : {}),
    ...(choice.reservations === undefined ? {} : { reservations: choice.reservations }),
    ...(choice.apartFrom === undefined ? {} : { apartFrom: choice.apartFrom }),
    twins: open,
    doubts: [...choice.doubts, ...examples],
    strongDoubts: choice.strongDoubts,
  });
}
