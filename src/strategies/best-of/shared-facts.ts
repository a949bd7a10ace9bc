/** What earlier arms measured, for those that take it: facts of the state, never another arm's patch. Pure. */
import {
  byArm,
  byUser,
  ofTrace,
  type TaskState,
  triedInVain,
  withoutHeldBack,
} from "../../agent/state/task-state.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { TaskKind } from "../../domain/task.ts";
import { formatTestKey } from "../../domain/test-outcome.ts";

/** Of each arm, and names of its tests. */
const most = { facts: 6, tests: 3 };

/** Of an arm that is over. */
interface Measured {
  readonly arm: { readonly id: string };
  readonly state: TaskState;
  readonly candidates: readonly Candidate[];
}

/** `known`: what each arm begins with. Of a partial fix nothing refuted is told: it may speak of the attempt, which one arm alone knows. */
export function factsFor(runs: readonly Measured[], kind: TaskKind, known: readonly string[]): string[] {
  const told = new Set(known);
  return runs.flatMap(({ arm, state, candidates }) => {
    const refuted = kind === "partial-fix" ? [] : state.refuted.map(({ note }) => `${triedInVain}${note}`);
    const answers = state.assumptions.filter(isAnswer).map((text) => `The user was asked: ${text}`);
    const found = [
      ...answers,
      ...shownBy(state, candidates),
      ...refuted,
      ...state.facts.filter(isShared).slice(-most.facts),
    ];
    return found
      .map((fact) => (fact.includes(byArm) ? fact : `${fact} ${byArm} ${arm.id})`))
      .filter((fact) => {
        const isNew = !told.has(fact) && !known.some((each) => fact.startsWith(each));
        told.add(fact);
        return isNew;
      });
  });
}

/** Of what was traced, the base is everybody's. */
function isShared(fact: string): boolean {
  return !fact.startsWith(ofTrace) || fact.startsWith(`${ofTrace}base`);
}

/** Tests that the arm wrote, and that fail on the base for the stated reason. */
function shownBy({ fault }: TaskState, candidates: readonly Candidate[]): string[] {
  if (fault === undefined || !fault.reason.holds) return [];
  if (!candidates.some(({ kind }) => kind === "reproduction")) return [];
  const held = new Set(withoutHeldBack(fault, fault.baseRuns[0] ?? []).map(({ key }) => formatTestKey(key)));
  const names = fault.targets.map(formatTestKey).filter((name) => held.has(name));
  if (names.length === 0) return [];
  return [
    `Tests that were written showed the fault on the base in two runs (${fault.reason.evidence}): ${names.slice(0, most.tests).join(", ")}; they are no part of this tree.`,
  ];
}

/** One answer is enough for a run: whoever asks again would ask the same person. */
export function hasUserAnswered(runs: readonly Measured[]): boolean {
  return runs.some(({ state }) => state.assumptions.some(isAnswer));
}

function isAnswer(assumption: string): boolean {
  return assumption.endsWith(byUser);
}
