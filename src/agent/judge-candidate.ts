import type { Candidate } from "../domain/candidate.ts";
import type { Predicate } from "../domain/gate.ts";
import type { ActionContext } from "./action.ts";
import { judgeRepair } from "./repair-gate.ts";
import { measureCandidate } from "./run-candidate.ts";
import type { MatrixRow, TaskState } from "./task-state.ts";

export interface Judgement {
  readonly gate: readonly Predicate[];
  /** Undefined where the candidate cannot be laid beside the reproductions. */
  readonly row: MatrixRow | undefined;
}

/** The gate of `repair` and `partial-fix`, by all tests on the candidate. */
export async function judgeCandidate(
  context: ActionContext,
  state: TaskState,
  candidate: Candidate,
): Promise<Judgement> {
  const measured = await measureCandidate(context, state, candidate, "all");
  const row = measured.ok ? measured.value : undefined;
  const { fault } = state;
  const gate = judgeRepair({
    baseRuns: fault?.baseRuns ?? [],
    targets: fault?.targets ?? [],
    reason: fault?.reason ?? { holds: false, evidence: "no test shows the fault" },
    base: context.suite.outcomes,
    candidate: row?.outcomes ?? [],
    invalid: measured.ok ? measured.value.invalid : measured.message,
  });
  return { gate, row };
}
