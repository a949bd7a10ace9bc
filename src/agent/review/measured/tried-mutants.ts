/** Runs tests on a candidate's mutants, and runs the survivors again after tests were added. */

import type { Candidate } from "../../../domain/candidate.ts";
import type { TestKey } from "../../../domain/test-outcome.ts";
import { dialectOf } from "../../../syntax/dialects/index.ts";
import type { RunContext } from "../../action.ts";
import { composeTree } from "../../measure/run-candidate.ts";
import { listMutants, type Mutant } from "../../mutants/list-mutants.ts";
import { type MutantVerdicts, runMutants } from "../../mutants/run-mutants.ts";
import type { TaskState } from "../../state/task-state.ts";
import type { ReviewContext } from "../contract.ts";
import { planMutants } from "./plan-mutants.ts";

export interface TriedMutants {
  readonly mutants: readonly Mutant[];
  /** The result of each mutant, in order. */
  readonly verdicts: MutantVerdicts;
}

const most = 12;
/**
 * In milliseconds. Survivors only suggest tests and decide nothing. The most informative mutants run first, and the
 * rest may stay unknown.
 */
const budgetMs = 60_000;

/**
 * Runs tests on at most 12 mutants of the patch. If no mutant ran, returns the reason as a sentence, or undefined
 * without a reportable reason. Reuses earlier test results of a mutant.
 */
export async function tryMutants(
  context: ReviewContext,
  state: TaskState,
  candidate: Candidate,
): Promise<TriedMutants | string | undefined> {
  const plan = await planMutants(context, state, candidate);
  if (plan === undefined) return undefined;
  const { tree, tests, places } = plan;
  const mute = places.filter(({ language }) => dialectOf(language.name) === undefined);
  if (mute.length === places.length) return `Millwright cannot create mutants in ${mute[0]?.language.name}.`;
  if (tests.length === 0) return "No test passes near the change, so no mutants were tried.";
  const mutants = await listMutants(places, most);
  if (mutants.length === 0) return undefined;
  return { mutants, verdicts: await runMutants(context, { tree, tests, mutants, budgetMs }) };
}

/** Runs the surviving mutants again, but only against `tests`. These tests must pass with the candidate in `state`. */
export async function retryMutants(
  context: RunContext,
  state: TaskState,
  candidate: Candidate,
  { tried, tests }: { readonly tried: TriedMutants; readonly tests: readonly TestKey[] },
): Promise<TriedMutants> {
  const survivors = survivorsOf(tried);
  const composed = await composeTree(context, state, candidate);
  if (survivors.length === 0 || tests.length === 0 || !composed.ok) return tried;
  const again = await runMutants(context, {
    tree: composed.value,
    tests,
    mutants: survivors,
    budgetMs,
  });
  const verdicts = tried.mutants.map((mutant, index) => {
    const at = survivors.indexOf(mutant);
    return again[at] === "noticed" ? ("noticed" as const) : (tried.verdicts[index] ?? "unknown");
  });
  return { mutants: tried.mutants, verdicts };
}

export function survivorsOf({ mutants, verdicts }: TriedMutants): Mutant[] {
  return mutants.filter((_, index) => verdicts[index] === "survives");
}

export function nameMutant({ file, line, description }: Mutant): string {
  return `${file}:${line} (${description})`;
}
