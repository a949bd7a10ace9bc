/**
 * Checks that new tests notice wrong behaviour: at least half of the small faults in the executed code. Tests that run
 * every line but assert nothing notice almost none.
 */
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import type { TestKey, TestOutcome } from "../../domain/test-outcome.ts";
import type { RunContext } from "../action.ts";
import type { ExecutedCode } from "../measure/executable-lines.ts";
import { listMutants } from "../mutants/list-mutants.ts";
import { calledPlaces, mostMutants } from "../mutants/mutated-places.ts";
import { runMutants } from "../mutants/run-mutants.ts";
import type { TaskState } from "../state/task-state.ts";
import { judgeAdded } from "./added-tests.ts";
import type { TriedMutants } from "./contract.ts";
import { judgesBehaviour } from "./judges-behaviour.ts";
import { decideShare, type Strength, weighMutants } from "./target-strength.ts";

export interface Noticed {
  /**
   * The predicate on noticed faults. If the tests notice enough, also the predicates on judging behaviour and on added
   * tests.
   */
  readonly gate: readonly Predicate[];
  /** For the next author: faults that no test notices. Empty if the tests notice enough. */
  readonly missing: readonly string[];
  readonly mutants: TriedMutants;
}

/**
 * Minimum share of faults that tests must notice. Some faults are equivalent to the program, so no test can notice
 * them.
 */
const leastNoticed = 0.5;
const predicate = "new-tests-notice-faults";

/** Judges the tests by mutants of the executed lines. If they suffice, also judges the tests that a review added. */
export async function judgeStrength(
  context: RunContext,
  state: TaskState,
  candidate: Candidate,
  { code, fresh }: { readonly code: readonly ExecutedCode[]; readonly fresh: readonly TestOutcome[] },
): Promise<Noticed> {
  const tests = fresh.map(({ key }) => key);
  const noticed = await noticesFaults(context, candidate.tree, code, tests);
  if (!noticed.gate.every(({ holds }) => holds)) return noticed;
  const added = await judgeAdded(context, state, candidate);
  return { ...noticed, gate: [...noticed.gate, ...added] };
}

/**
 * Makes the predicate. It is undecided if tests could still notice enough of the faults that did not run. The evidence
 * then does not advise more assertions.
 */
export function judgeNoticed({ noticed, tried, unknown, told }: Omit<Strength, "missing">): Predicate {
  const decided = decideShare({ noticed, tried, unknown }, leastNoticed);
  const evidence =
    tried === 0
      ? "no small fault could be inserted into the lines that the new tests execute"
      : decided.isCut
        ? `undecided: only ${tried - unknown} of ${tried} small faults in the executed lines ran in time, and the new tests detect ${noticed} of these`
        : `the new tests detect ${told} in the lines that they execute${decided.holds ? "" : "; assert more results"}`;
  return { predicate, evidence, ...decided };
}

async function noticesFaults(
  context: RunContext,
  tree: string,
  code: readonly ExecutedCode[],
  tests: readonly TestKey[],
): Promise<Noticed> {
  const mutants = await listMutants(calledPlaces(code), mostMutants);
  const verdicts = await runMutants(context, { tree, tests, mutants, leastShare: leastNoticed });
  const { noticed, tried, unknown, told, missing } = weighMutants(mutants, verdicts);
  const ofFaults = judgeNoticed({ noticed, tried, unknown, told });
  const { holds } = ofFaults;
  if (!holds) return { gate: [ofFaults], missing, mutants: { tried, noticed } };
  const seen = mutants.filter((_, at) => verdicts[at] === "noticed");
  return {
    gate: [ofFaults, await judgesBehaviour(context, { tree, code, tests, noticed: seen })],
    missing: [],
    mutants: { tried, noticed },
  };
}
