/** What the plausible patches do on inputs beyond the tests': one start of the tests, some seconds. */
import { z } from "zod";
import { type Baseline, testTimeoutOf } from "../../agent/measure/baseline.ts";
import type { TestBench } from "../../agent/measure/test-bench.ts";
import type { StrategyContext } from "../../agent/strategy.ts";
import { hashText } from "../../base/hash.ts";
import { formatTestKey, type TestKey, type TestOutcome } from "../../domain/test-outcome.ts";
import type { Batch, Comparison } from "../../languages/contract.ts";
import { type Agreement, weighAgreement } from "../../repair/agreement.ts";
import type { Judged } from "./search.ts";

/** Tests whose calls are recorded: enough for a variety of arguments, and milliseconds that they took on the base. */
const mostTests = 300;
const testBudgetMs = 5_000;
/** Milliseconds for the whole comparison. */
const timeoutMs = 90_000;

const agreementSchema = z.object({
  id: z.int(),
  inputs: z.int(),
  others: z.int(),
  alike: z.int(),
  share: z.number(),
  trusted: z.int(),
  kept: z.int(),
  broken: z.int(),
});
const resultSchema = z.object({ agreements: z.array(agreementSchema), invalid: z.string().optional() });

export interface ComparisonInput {
  readonly bench: TestBench;
  readonly baseline: Baseline;
  /** Undefined where the framework cannot compare. */
  readonly comparison: Batch<Comparison> | undefined;
  readonly plausible: readonly Judged[];
}

export type Agreements = ReadonlyMap<Judged, Agreement>;

/** None where there are fewer than two patches, or they cannot be compared. */
export async function compareBehaviour(
  context: StrategyContext,
  { bench, baseline, comparison, plausible }: ComparisonInput,
): Promise<Agreements> {
  if (comparison === undefined || plausible.length < 2 || context.limits.remainingMs() === 0)
    return new Map();
  const options = {
    key: `compare:${hashText(plausible.map(({ candidate }) => candidate.tree).join(" "))}`,
    title: `what ${plausible.length} plausible patches do on further inputs`,
    schema: resultSchema,
    large: true,
  };
  const { agreements } = await context.recorder.step(options, async () => {
    const found = await bench.runBatch(baseline.command, comparison, {
      tree: context.workspace.base,
      tests: chooseTests(baseline, plausible),
      candidates: plausible.map(({ proposal, rank }) => ({
        id: rank + 1,
        files: [{ path: proposal.file, content: proposal.text }],
      })),
      testTimeoutMs: testTimeoutOf(baseline),
      timeoutMs: Math.min(timeoutMs, context.limits.remainingMs()),
      stopAtFirstFailure: false,
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

/** Passing tests, nearest first: of the failing tests' files, then of files that name a changed one; the failing tests last. */
function chooseTests(baseline: Baseline, plausible: readonly Judged[]): TestKey[] {
  const targets = baseline.targets.map((outcome) => outcome.key);
  const near = new Set(targets.map((key) => key.target));
  const stems = plausible.map(({ proposal }) => proposal.file.replace(/^.*\//, "").replace(/\.\w+$/, ""));
  const distance = ({ key }: TestOutcome): number =>
    near.has(key.target) ? 0 : stems.some((stem) => key.target.includes(stem)) ? 1 : 2;
  const taken = new Set(targets.map(formatTestKey));
  let left = testBudgetMs;
  const passing = baseline.outcomes
    .filter(({ key, status }) => status === "passed" && !taken.has(formatTestKey(key)))
    .sort((a, b) => distance(a) - distance(b))
    .filter(({ durationMs }) => {
      left -= durationMs;
      return left > 0;
    });
  return [...passing.slice(0, mostTests).map(({ key }) => key), ...targets.slice(0, mostTests)];
}
