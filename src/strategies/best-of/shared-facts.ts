/**
 * Selects facts that earlier arms measured, for later arms that accept them. Never shares another arm's patch. Pure.
 */
import { byUser, type Fact, type TaskState, withoutHeldBack } from "../../agent/state/task-state.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { TaskKind } from "../../domain/task.ts";
import { formatTestKey } from "../../domain/test-outcome.ts";

/** Maximum number of facts of each arm, and of named tests. */
const most = { facts: 6, tests: 3 };

/** The results of a finished arm. */
interface Measured {
  readonly arm: { readonly id: string };
  readonly state: TaskState;
  readonly candidates: readonly Candidate[];
}

/**
 * Returns the facts from these arms that the next arm gets. `known`: the facts that each arm has at its start. For a
 * partial fix, omits refuted ideas. They may refer to the given attempt, and only one arm knows that attempt.
 */
export function factsFor(runs: readonly Measured[], kind: TaskKind, known: readonly Fact[]): Fact[] {
  const told = new Set(known.map(({ text }) => text));
  return runs.flatMap(({ arm, state, candidates }) => {
    const vain = kind === "partial-fix" ? [] : state.refuted;
    const refuted = vain.map(({ note }): Fact => ({ kind: "vain", text: `Tried without success: ${note}` }));
    const answers = state.assumptions.filter(isAnswer).map((text) => `The run asked the user: ${text}`);
    const said = [...answers, ...shownBy(state, candidates)].map((text): Fact => ({ kind: "project", text }));
    const found = [...said, ...refuted, ...state.facts.filter(isShared).slice(-most.facts)];
    return found
      .filter(({ text }) => !known.some((each) => each.text === text))
      .map((fact) =>
        fact.arm === undefined ? { ...fact, arm: arm.id, text: `${fact.text} (from arm ${arm.id})` } : fact,
      )
      .filter(({ text }) => {
        const isNew = !told.has(text);
        told.add(text);
        return isNew;
      });
  });
}

/** True if other arms may get the fact. Of the traces, only those of the base concern every arm. */
function isShared({ kind, of }: Fact): boolean {
  return kind !== "trace" || of === "base";
}

/** Returns a sentence that names tests which the arm wrote and which show the fault; empty if there are none. */
function shownBy({ fault }: TaskState, candidates: readonly Candidate[]): string[] {
  if (fault === undefined || !fault.reason.holds) return [];
  if (!candidates.some(({ kind }) => kind === "reproduction")) return [];
  const held = new Set(withoutHeldBack(fault, fault.baseRuns[0] ?? []).map(({ key }) => formatTestKey(key)));
  const names = fault.targets.map(formatTestKey).filter((name) => held.has(name));
  if (names.length === 0) return [];
  return [
    `Tests that an arm wrote showed the fault on the base in two runs (${fault.reason.evidence}): ${names.slice(0, most.tests).join(", ")}. This tree does not contain them.`,
  ];
}

/** Returns true if the user has answered a question of one of these arms. A run asks the user at most once. */
export function hasUserAnswered(runs: readonly Measured[]): boolean {
  return runs.some(({ state }) => state.assumptions.some(isAnswer));
}

function isAnswer(assumption: string): boolean {
  return assumption.endsWith(byUser);
}
