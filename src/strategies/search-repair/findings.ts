/** The findings of the search, as data for the report. */

import type { Baseline } from "../../agent/measure/baseline.ts";
import { describeFailure } from "../../agent/measure/localize-report.ts";
import type { StrategyContext } from "../../agent/strategy.ts";
import { nameFirst } from "../../base/count.ts";
import type { Findings } from "../../domain/finding.ts";
import { formatTestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import { describeStatement } from "../../localize/describe-evidence.ts";
import type { RankedStatement } from "../../localize/rank-statements.ts";
import type { Part } from "./rounds.ts";
import type { Judged, Tried } from "./search.ts";

/** Number of suspects and alternatives kept for the report. */
const kept = 10;

export interface Learnt {
  readonly baseline: Baseline;
  readonly ranked: readonly RankedStatement[];
  readonly tried: readonly Tried[];
  /** The chosen candidate, or the best candidate that repairs only some of the failing tests. */
  readonly best: Judged | undefined;
  /**
   * The candidate's changes, one for each fault, if it repairs several. Otherwise the change that repairs only some of
   * the failing tests.
   */
  readonly parts: readonly Part[];
  /** The other plausible candidates, best first. */
  readonly others: readonly Judged[];
  /** The chosen candidate's final run of all tests. */
  readonly final: { readonly outcomes: readonly TestOutcome[]; readonly durationMs: number } | undefined;
  /** Evidence against the chosen candidate although it passes every test. */
  readonly doubts: readonly string[];
  readonly remarks: readonly string[];
}

export async function describeFindings(context: StrategyContext, learnt: Learnt): Promise<Findings> {
  const { baseline, ranked, tried, best, parts, final } = learnt;
  const changes = parts.length > 0 ? parts : best === undefined ? [] : [best];
  const { trees, base } = context.workspace;
  const alternatives = await Promise.all(
    learnt.others.slice(0, kept).map(async ({ proposal, candidate }) => ({
      change: describeChange(proposal),
      patch: await trees.diff(base, candidate.tree),
    })),
  );
  return {
    faults: distinctLines(ranked, changes).map((statement) => ({
      location: {
        file: statement.file,
        startLine: statement.startLine,
        endLine: statement.endLine,
        ...(statement.function === undefined ? {} : { symbol: statement.function }),
      },
      score: statement.score,
      evidence:
        describeStatement(statement.evidence).join(", ") +
        (isChangedBy(changes, statement) ? ", changed by the patch" : ""),
    })),
    failingTests: baseline.targets.map(describeFailure),
    testRuns: [
      summarize("all tests on the base", baseline.outcomes, baseline.durationMs),
      ...(final === undefined
        ? []
        : [summarize("all tests with the patch", final.outcomes, final.durationMs)]),
    ],
    change: changes.map(({ proposal }) => describeChange(proposal)).join("; "),
    attempts: countVerdicts(tried),
    alternatives,
    actions: [],
    remarks: [
      ...describeParts(parts, baseline),
      ...learnt.remarks,
      ...describeDoubts(learnt),
      ...describeBaseline(baseline),
    ],
  };
}

/**
 * Returns the likeliest statements, one per line of code, because readers look at lines. Changed statements come first.
 */
function distinctLines(
  ranked: readonly RankedStatement[],
  changes: readonly Pick<Judged, "proposal">[],
): RankedStatement[] {
  const isChanged = (statement: RankedStatement): boolean => isChangedBy(changes, statement);
  const seen = new Set<string>();
  return [...ranked.filter(isChanged), ...ranked.filter((statement) => !isChanged(statement))]
    .filter(({ file, startLine }) => !seen.has(`${file}:${startLine}`) && seen.add(`${file}:${startLine}`))
    .slice(0, kept);
}

function isChangedBy(
  changes: readonly Pick<Judged, "proposal">[],
  { file, startLine }: Pick<RankedStatement, "file" | "startLine">,
): boolean {
  return changes.some(({ proposal }) => file === proposal.file && startLine === proposal.statementLine);
}

/** Describes each fault separately: its repair, and the tests that pass with it. */
function describeParts(parts: readonly Part[], { targets }: Baseline): string[] {
  const turned = new Set(parts.flatMap((part) => part.turned));
  const left = targets.map(({ key }) => formatTestKey(key)).filter((id) => !turned.has(id));
  if (parts.length < 2 && (left.length === 0 || parts.length === 0)) return [];
  const repaired = parts.map(
    ({ proposal, turned: tests }, at) =>
      `Fault ${at + 1}: ${describeChange(proposal)} makes ${listIds(tests)} pass.`,
  );
  return left.length === 0 ? repaired : [...repaired, `Not repaired: ${listIds(left)}.`];
}

function describeChange(proposal: Judged["proposal"]): string {
  return `${proposal.description} (\`${proposal.file}:${proposal.line}\`, template ${proposal.template})`;
}

function summarize(
  purpose: string,
  outcomes: readonly TestOutcome[],
  durationMs: number,
): Findings["testRuns"][number] {
  const count = (...statuses: TestOutcome["status"][]): number =>
    outcomes.filter((outcome) => statuses.includes(outcome.status)).length;
  return {
    purpose,
    passed: count("passed", "expected-failure"),
    failed: count("failed", "errored", "timed-out"),
    skipped: count("skipped", "not-run"),
    seconds: durationMs / 1000,
  };
}

function countVerdicts(tried: readonly Tried[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { verdict } of tried) counts[verdict.verdict] = (counts[verdict.verdict] ?? 0) + 1;
  return counts;
}

function describeDoubts({ doubts, others }: Learnt): string[] {
  if (doubts.length === 0) return [];
  const alternatives = others.length === 0 ? "" : "; also look at the alternatives";
  return [`Review the patch carefully: it ${doubts.join(", and ")}${alternatives}.`];
}

function describeBaseline({ flaky, others, othersBecause }: Baseline): string[] {
  const remarks: string[] = [];
  if (flaky.length > 0)
    remarks.push(
      `Ignored tests, which passed on a second run or exceeded Millwright's time limit for one test: ${listIds(flaky)}.`,
    );
  if (others.length > 0) {
    remarks.push(
      `Tests that need not pass, because they failed before and ${othersBecause}: ${listIds(others)}.`,
    );
  }
  return remarks;
}

function listIds(ids: readonly string[]): string {
  return nameFirst(
    ids.map((id) => `\`${id}\``),
    5,
  );
}
