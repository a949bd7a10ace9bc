/**
 * Repair without a model: spectrum-based fault localisation, repair templates on the syntax tree, validation by the
 * tests (generate-and-validate as in GenProg, Le Goues et al., TSE 2012; templates as in PAR, Kim et al., ICSE 2013).
 */

import { endWithout } from "../../agent/control/conclude.ts";
import { gateHolds } from "../../agent/kinds/repair-gate.ts";
import type { Baseline } from "../../agent/measure/baseline.ts";
import { measureBaselineInTime } from "../../agent/measure/baseline-in-time.ts";
import { collectCoverage } from "../../agent/measure/coverage.ts";
import { matchTextsIn } from "../../agent/measure/match-failing.ts";
import { openTestExecutor } from "../../agent/measure/test-executor.ts";
import { withinStep } from "../../agent/record/limits.ts";
import { warmJudge } from "../../agent/review/judges/judge-threads.ts";
import { defineStrategy, type StrategyContext, type StrategyEnd } from "../../agent/strategy.ts";
import type { TestExecutor } from "../../agent/suite.ts";
import { tellUnmet } from "../../agent/verdict/standing-objection.ts";
import { countOf } from "../../base/count.ts";
import type { Predicate } from "../../domain/gate.ts";
import type { Phase } from "../../domain/run-event.ts";
import type { CoveredLines } from "../../domain/test-outcome.ts";
import { findFramework } from "../../languages/find-framework.ts";
import { describeFindings } from "./findings.ts";
import { judgeChosen } from "./last-verdict.ts";
import { type RepairEnd, repairFaults } from "./rounds.ts";
import type { Judged } from "./search.ts";

export default defineStrategy({
  name: "search-repair",
  description: "repairs without a model: fault localisation, repair templates, validation by the tests",
  kinds: ["repair"],
  needsModel: false,
  run: searchRepair,
});

async function searchRepair(context: StrategyContext): Promise<StrategyEnd> {
  const executors: Promise<TestExecutor>[] = [];
  const open = (): Promise<TestExecutor> => {
    const executor = openTestExecutor(context.workspace, context.frameworks, context.signal);
    executors.push(executor);
    return executor;
  };
  try {
    return await searchIn(context, open);
  } finally {
    const opened = await Promise.allSettled(executors);
    await Promise.all(
      opened.map((executor) => (executor.status === "fulfilled" ? executor.value.close() : undefined)),
    );
  }
}

type OpenBench = () => Promise<TestExecutor>;

async function searchIn(context: StrategyContext, open: OpenBench): Promise<StrategyEnd> {
  const { frameworks } = context;
  enter(context, "test", "find and run the tests");
  const opened = [open()];
  const executorAt = (index: number): Promise<TestExecutor> => {
    const known = opened[index] ?? open();
    opened[index] = known;
    return known;
  };
  const executor = await executorAt(0);
  const measured = await measureBaselineInTime(context, executor, { matchTexts: matchTextsIn(context) });
  if (!measured.ok) return endWithout(measured.message);
  const baseline = measured.value;
  for (const text of baseline.remarks) context.recorder.append({ event: "remark-made", level: "note", text });

  warmJudge();
  enter(context, "localize", "locate the fault");
  const framework = findFramework(frameworks, baseline.command);
  const coverage = await collectCoverage(context, executor, baseline, framework);
  const repaired = await repairFaults(context, {
    executorAt,
    framework,
    baseline,
    coverage,
    enter: (phase, title) => enter(context, phase, title),
  });
  return conclude(context, open, { ...repaired, baseline, coverage: coverage.tests });
}

function enter(context: StrategyContext, phase: Phase, title: string): void {
  context.recorder.append({ event: "phase-started", phase, title });
}

interface Conclusion extends RepairEnd {
  readonly baseline: Baseline;
  readonly coverage: ReadonlyMap<string, CoveredLines>;
}

async function conclude(context: StrategyContext, open: OpenBench, found: Conclusion): Promise<StrategyEnd> {
  const { baseline, ranked, tried, choice, combined, remarks } = found;
  const [chosen, ...others] = choice.plausible;
  const best = chosen ?? combined;
  const parts = combined?.parts ?? [];
  const { gate, strength, final } = await judgeChosen(context, open, { ...found, best });
  // The time may also run out during the last verdict.
  const limit = found.limit ?? withinStep(context.limits).exhausted();
  const findings = await describeFindings(context, {
    baseline,
    ranked,
    tried,
    best,
    parts,
    others,
    final,
    doubts: choice.doubts,
    remarks: [...choice.remarks, ...remarks],
  });
  const verified = chosen !== undefined && gateHolds(gate) && context.confirms !== false;
  return {
    outcome: verified ? "verified" : best === undefined ? "none" : "unverified",
    reason: reasonOf({ ...found, limit }, best, gate),
    limited: limit !== undefined,
    ...(best === undefined ? {} : { candidate: best.candidate }),
    testCommand: baseline.command,
    gate,
    ...(strength === undefined ? {} : { strength }),
    repairsSome: chosen === undefined && best !== undefined && isOpenForSomeTestsAlone(gate),
    candidates: tried.length,
    findings,
  };
}

/** True if the only unmet condition is that all failing tests pass. */
function isOpenForSomeTestsAlone(gate: readonly Predicate[]): boolean {
  return gate.every(({ predicate, holds }) => holds || predicate === "failing-tests-pass");
}

function reasonOf(found: Conclusion, best: Judged | undefined, gate: readonly Predicate[]): string {
  const { baseline, tried, choice, combined, ranked } = found;
  const [chosen] = choice.plausible;
  const count = countOf(tried.length, "candidate");
  const limit = found.limit === undefined ? "" : `; ${found.limit}`;
  const targets = countOf(baseline.targets.length, "failing test");
  const pass = baseline.targets.length === 1 ? "The failing test passes" : `The ${targets} pass`;
  const unmet = gate.filter(({ holds }) => !holds);
  if (chosen !== undefined && unmet.length === 0) {
    const faults = combined?.parts.length ?? 1;
    const patch = faults === 1 ? "the patch" : `the patch, which repairs ${faults} independent faults`;
    return `${pass} with ${patch}, and no other test breaks.`;
  }
  if (chosen !== undefined)
    return `The tests pass with the patch, but these conditions of the gate do not hold: ${tellUnmet(
      gate,
      unmet.map(({ predicate }) => predicate),
    )}${limit}.`;
  if (best !== undefined) {
    return `None of ${count} passed all tests; the best repairs ${best.verdict.fixed} of ${targets} and breaks no other test${limit}.`;
  }
  if (ranked.length === 0) return `Millwright found no statement that could cause the ${targets}${limit}.`;
  return `None of ${count} made the ${targets} pass${limit}.`;
}
