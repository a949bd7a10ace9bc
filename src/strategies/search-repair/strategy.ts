/**
 * Repair without a model: spectrum-based fault localisation, repair templates on the syntax tree, validation by the tests
 * (generate-and-validate as in GenProg, Le Goues et al., TSE 2012; templates as in PAR, Kim et al., ICSE 2013).
 */

import { endWithout } from "../../agent/control/conclude.ts";
import { gateHolds } from "../../agent/kinds/repair-gate.ts";
import { type Baseline, measureBaseline } from "../../agent/measure/baseline.ts";
import { collectCoverage } from "../../agent/measure/coverage.ts";
import { localizeFault } from "../../agent/measure/localize-fault.ts";
import { openTestBench, type TestBench } from "../../agent/measure/test-bench.ts";
import { defineStrategy, type StrategyContext, type StrategyEnd } from "../../agent/strategy.ts";
import { tellUnmet } from "../../agent/verdict/standing-objection.ts";
import { countOf } from "../../base/count.ts";
import type { Predicate } from "../../domain/gate.ts";
import type { Phase } from "../../domain/run-event.ts";
import type { CoveredLines } from "../../domain/test-outcome.ts";
import type { TestRegions } from "../../judging/test-regions.ts";
import { findFramework } from "../../languages/find-framework.ts";
import type { RankedStatement } from "../../localize/rank-statements.ts";
import { compareBehaviour } from "./agreement.ts";
import { type Choice, choosePlausible } from "./choose.ts";
import { describeFindings } from "./findings.ts";
import { judgeChosen } from "./last-verdict.ts";
import { listProposals } from "./proposals.ts";
import { findPartialRepair, type Judged, type SearchEnd, searchRepairs } from "./search.ts";

export default defineStrategy({
  name: "search-repair",
  description: "repair without a model: fault localisation, repair templates, validation by the tests",
  kinds: ["repair"],
  needsModel: false,
  run: searchRepair,
});

async function searchRepair(context: StrategyContext): Promise<StrategyEnd> {
  const benches: TestBench[] = [];
  const open = async (): Promise<TestBench> => {
    const bench = await openTestBench(context.workspace, context.frameworks, context.signal);
    benches.push(bench);
    return bench;
  };
  try {
    return await searchIn(context, open);
  } finally {
    await Promise.all(benches.map((bench) => bench.close()));
  }
}

type OpenBench = () => Promise<TestBench>;

async function searchIn(context: StrategyContext, open: OpenBench): Promise<StrategyEnd> {
  const { frameworks } = context;
  enter(context, "test", "find and run the tests");
  const bench = await open();
  const measured = await measureBaseline(context, bench);
  if (!measured.ok) return endWithout(measured.message);
  const baseline = measured.value;
  for (const text of baseline.remarks) context.recorder.append({ event: "remark-made", level: "note", text });

  enter(context, "localize", "locate the fault");
  const framework = findFramework(frameworks, baseline.command);
  const coverage = await collectCoverage(context, bench, baseline, framework);
  const { ranked, remarks, regions } = await localizeFault(context, baseline, coverage);
  const failures = baseline.targets.flatMap((outcome) => outcome.failure ?? []);
  const proposals = await listProposals(context, ranked, failures, regions);

  enter(context, "repair", `try up to ${countOf(proposals.length, "repair")}`);
  const benches = [bench, ...(await openMore(context, open, proposals.length))];
  const { batch } = framework;
  const input = { benches, baseline, batch, coverage: coverage.tests, proposals };
  const search = await searchRepairs(context, input);

  if (search.plausible.length > 0) enter(context, "verify", "verify the best patch");
  const { plausible } = search;
  const compared = { bench, baseline, regions, coverage: coverage.tests, plausible };
  const agreements = await compareBehaviour(context, compared);
  const choice = choosePlausible(plausible, agreements);
  const found = { baseline, ranked, regions, search, choice, remarks, coverage: coverage.tests };
  return conclude(context, bench, open, found);
}

function enter(context: StrategyContext, phase: Phase, title: string): void {
  context.recorder.append({ event: "phase-started", phase, title });
}

/** One more checkout for each further core; none where there is little to try. */
function openMore(context: StrategyContext, open: OpenBench, proposals: number): Promise<TestBench[]> {
  const more = Math.max(0, Math.min(context.parallel, proposals) - 1);
  return Promise.all(Array.from({ length: more }, open));
}

interface Conclusion {
  readonly baseline: Baseline;
  readonly ranked: readonly RankedStatement[];
  readonly regions: TestRegions;
  readonly search: SearchEnd;
  readonly choice: Choice;
  readonly coverage: ReadonlyMap<string, CoveredLines>;
  readonly remarks: readonly string[];
}

async function conclude(
  context: StrategyContext,
  bench: TestBench,
  open: OpenBench,
  found: Conclusion,
): Promise<StrategyEnd> {
  const { baseline, ranked, search, choice, remarks } = found;
  const { tried, limit } = search;
  const [chosen, ...others] = choice.plausible;
  const best = chosen ?? (await findPartialRepair(context, bench, baseline, tried));
  const { gate, strength, final } = await judgeChosen(context, open, { ...found, best });
  const findings = await describeFindings(context, {
    baseline,
    ranked,
    tried,
    chosen,
    others,
    final,
    doubts: choice.doubts,
    remarks: [...choice.remarks, ...remarks, ...search.remarks],
  });
  const verified = chosen !== undefined && gateHolds(gate);
  return {
    outcome: verified ? "verified" : best === undefined ? "none" : "unverified",
    reason: reasonOf(found, chosen, best, gate),
    limited: limit !== undefined,
    ...(best === undefined ? {} : { candidate: best.candidate }),
    testCommand: baseline.command,
    gate,
    ...(strength === undefined ? {} : { strength }),
    candidates: tried.length,
    findings:
      best === undefined || chosen !== undefined ? findings : { ...findings, change: best.candidate.origin },
  };
}

function reasonOf(
  found: Conclusion,
  chosen: Judged | undefined,
  best: Judged | undefined,
  gate: readonly Predicate[],
): string {
  const { baseline, search, ranked } = found;
  const count = countOf(search.tried.length, "candidate");
  const limit = search.limit === undefined ? "" : `; ${search.limit}`;
  const targets = countOf(baseline.targets.length, "failing test");
  const pass = baseline.targets.length === 1 ? "The failing test passes" : `The ${targets} pass`;
  const unmet = gate.filter(({ holds }) => !holds);
  if (chosen !== undefined && unmet.length === 0) return `${pass} with the patch, and no other test breaks.`;
  if (chosen !== undefined)
    return `The tests passed with the patch, but not every condition of the gate holds: ${tellUnmet(
      gate,
      unmet.map(({ predicate }) => predicate),
    )}${limit}.`;
  if (best !== undefined) {
    return `None of ${count} passed all tests; the best repairs ${best.verdict.fixed} of ${targets} and breaks none${limit}.`;
  }
  if (ranked.length === 0)
    return `No statement of the repository could be blamed for the ${targets}${limit}.`;
  return `None of ${count} made the ${targets} pass${limit}.`;
}
