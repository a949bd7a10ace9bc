/** Compares the behaviour of the plausible patches with the base's, on inputs beyond those of the tests. */

import { z } from "zod";
import type { Baseline } from "../../agent/measure/baseline.ts";
import { compareVersions } from "../../agent/measure/compare-behaviour.ts";
import { testTimeoutOf } from "../../agent/measure/measure-suite.ts";
import type { StrategyContext } from "../../agent/strategy.ts";
import type { TestExecutor } from "../../agent/suite.ts";
import { countOf } from "../../base/count.ts";
import { hashText } from "../../base/hash.ts";
import {
  type CoveredLines,
  formatTestKey,
  type TestKey,
  type TestOutcome,
} from "../../domain/test-outcome.ts";
import type { TestRegions } from "../../judging/test-regions.ts";
import { findFramework } from "../../languages/find-framework.ts";
import { type Agreement, weighAgreement } from "../../repair/agreement.ts";
import { changedText } from "./proposals.ts";
import type { Judged } from "./search.ts";

/**
 * Limits for tests whose calls Millwright records: their number, for a variety of arguments, and their milliseconds on
 * the base.
 */
const mostTests = 300;
const testBudgetMs = 5_000;
/** Maximum number of failing tests, and of the passing tests before them in the list. */
const mostFailing = 20;
const mostBefore = 40;
/** Milliseconds for the whole comparison, and its share of the remaining time. The final verdict needs time too. */
const usualMs = 60_000;
const shareOfRest = 0.4;
/** Maximum number of patches to compare, the likeliest first. */
const mostPatches = 12;

const agreementSchema = z.object({
  id: z.int(),
  inputs: z.int(),
  distinct: z.int().optional(),
  others: z.int(),
  alike: z.array(z.int()).readonly(),
  share: z.number(),
  trusted: z.int(),
  kept: z.int(),
  // Absent in older records.
  passing: z.int().default(0),
  passingKept: z.int().default(0),
  shifted: z.int().default(0),
  near: z.int(),
  nearKept: z.int(),
  broken: z.int(),
});
const resultSchema = z.object({ agreements: z.array(agreementSchema), invalid: z.string().optional() });

export interface ComparisonInput {
  readonly executor: TestExecutor;
  readonly baseline: Baseline;
  /** Each test's covered lines on the base. */
  readonly coverage: ReadonlyMap<string, CoveredLines>;
  readonly regions: TestRegions;
  readonly plausible: readonly Judged[];
}

export type Agreements = ReadonlyMap<Judged, Agreement>;

/**
 * Compares the behaviour of the twelve likeliest plausible patches on further inputs. Returns an empty result if no
 * time is left, or if there is nothing to compare.
 */
export async function compareBehaviour(
  context: StrategyContext,
  input: ComparisonInput,
): Promise<Agreements> {
  const { executor, baseline, regions } = input;
  const plausible = input.plausible.slice(0, mostPatches);
  const timeMs = Math.min(usualMs, shareOfRest * context.limits.remainingMs());
  if (plausible.length === 0 || timeMs <= 0) return new Map();
  const options = {
    key: `compare:${hashText(plausible.map(({ candidate }) => candidate.tree).join(" "))}`,
    title: `compare ${countOf(plausible.length, "plausible patch", "plausible patches")} with the base on further inputs`,
    schema: resultSchema,
    large: true,
  };
  const { agreements } = await context.recorder.step(options, async () => {
    const found = await compareVersions({
      ...{ workspace: context.workspace, executor, regions, timeMs },
      framework: findFramework(context.frameworks, baseline.command),
      command: baseline.command,
      tree: context.workspace.base,
      ...chooseTests(input),
      failing: baseline.targets.map(({ key }) => key),
      versions: plausible.map(({ proposal, rank }) => ({
        id: rank + 1,
        files: [{ path: proposal.file, content: changedText(proposal) }],
        edit: proposal,
      })),
      testTimeoutMs: testTimeoutOf(baseline),
    });
    const weighed = [...weighAgreement(found)].map(([id, agreement]) => ({ id, ...agreement }));
    return { agreements: weighed, ...(found.invalid === undefined ? {} : { invalid: found.invalid }) };
  });
  const byId = new Map(agreements.map(({ id, ...agreement }) => [id, agreement]));
  return new Map(
    plausible.flatMap((each) => {
      const agreement = byId.get(each.rank + 1);
      return agreement === undefined ? [] : [[each, agreement] as const];
    }),
  );
}

/**
 * Chooses the nearest passing tests, then failing tests, then further passing tests. A short list thus contains both
 * kinds. `reaching`: the failing tests, and passing tests that run a changed statement. Absent if no test runs one.
 */
export function chooseTests({
  baseline,
  coverage,
  plausible,
}: Pick<ComparisonInput, "coverage"> & {
  readonly baseline: Pick<Baseline, "targets" | "outcomes">;
  readonly plausible: readonly { readonly proposal: Pick<Judged["proposal"], "file" | "statementLine"> }[];
}): { readonly tests: readonly TestKey[]; readonly reaching?: readonly TestKey[] } {
  const targets = baseline.targets.map(({ key }) => key);
  const near = new Set(targets.map((key) => key.target));
  const stems = plausible.map(({ proposal }) => proposal.file.replace(/^.*\//, "").replace(/\.\w+$/, ""));
  const reaches = (key: TestKey): boolean => {
    const lines = coverage.get(formatTestKey(key)) ?? {};
    return plausible.some(({ proposal }) => lines[proposal.file]?.includes(proposal.statementLine));
  };
  const distance = ({ key }: TestOutcome): number =>
    reaches(key) ? 0 : near.has(key.target) ? 1 : stems.some((stem) => key.target.includes(stem)) ? 2 : 3;
  const taken = new Set(targets.map(formatTestKey));
  let left = testBudgetMs;
  const passing = baseline.outcomes
    .filter(({ key, status }) => status === "passed" && !taken.has(formatTestKey(key)))
    .map((outcome) => ({ outcome, far: distance(outcome) }))
    .sort((a, b) => a.far - b.far)
    .map(({ outcome }) => outcome)
    .filter(({ durationMs }) => {
      left -= durationMs;
      return left > 0;
    })
    .slice(0, mostTests)
    .map(({ key }) => key);
  const first = targets.slice(0, mostFailing);
  const tests = [...passing.slice(0, mostBefore), ...first, ...passing.slice(mostBefore)];
  // A failing test that hangs has no coverage.
  const reaching = tests.filter((key) => reaches(key) || taken.has(formatTestKey(key)));
  return { tests, ...(tests.some(reaches) && { reaching }) };
}
