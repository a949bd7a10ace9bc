/** Runs each arm's tests on every arm's patches. The results are one execution matrix. */
import type { ActionContext, JudgeContext } from "../../agent/action.ts";
import { rulesOf } from "../../agent/kinds/rules-of.ts";
import { compareScores, type MatrixRow, rowOf, type TaskState } from "../../agent/state/task-state.ts";
import type { Candidate } from "../../domain/candidate.ts";
import { formatTestKey } from "../../domain/test-outcome.ts";
import type { ArmRun } from "./run-arms.ts";

/** A candidate, with the results of all arms' tests on it. */
export interface Judged {
  readonly candidate: Candidate;
  readonly of: ArmRun;
  /** The candidate's row. Its score: the number of passing tests from all arms, then the kind's other measurements. */
  readonly row: MatrixRow;
  /** The tests from all arms that show the fault: the number of passing tests, and the total. */
  readonly passing: number;
  readonly tests: number;
}

/** Maximum candidates of each arm, the best by its own matrix. Each candidate costs a run of tests for each arm. */
const mostOfArm = 3;

export async function crossValidate(context: JudgeContext, runs: readonly ArmRun[]): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const of of runs)
    for (const candidate of poolOf(context, of)) judged.push(await judge(context, runs, of, candidate));
  return judged;
}

function poolOf({ task }: Pick<ActionContext, "task">, { candidates, state, chosen }: ArmRun): Candidate[] {
  const { delivers } = rulesOf(task.kind);
  const rank = ({ id }: Candidate): readonly number[] => [
    id === chosen ? 1 : 0,
    ...(rowOf(state, id)?.score ?? []),
  ];
  return candidates
    .filter(({ kind }) => kind === delivers)
    .toSorted((one, other) => compareScores(rank(other), rank(one)))
    .slice(0, mostOfArm);
}

/** Judges a candidate. If Millwright cannot combine it with its own arm's tests, it ranks lowest. */
async function judge(
  context: JudgeContext,
  runs: readonly ArmRun[],
  of: ArmRun,
  candidate: Candidate,
): Promise<Judged> {
  const { measure, delivers } = rulesOf(context.task.kind);
  const own = await measure(context, stateBeside(context, runs, of, candidate), candidate, "all");
  if (!own.ok) return { candidate, of, row: rowWithout(candidate, own.message), passing: 0, tests: 0 };
  const passed = new Map<string, boolean>();
  const note = ({ targets, invalid }: MatrixRow): void => {
    for (const { key, status } of targets)
      passed.set(formatTestKey(key), status === "passed" && invalid === undefined);
  };
  if (delivers === "code" && of.state.fault !== undefined) note(own.value);
  for (const other of runs) {
    if (delivers !== "code" || other === of || other.state.fault === undefined) continue;
    const row = await measure(context, stateBeside(context, runs, other, candidate), candidate, "targets");
    if (row.ok) note(row.value);
    else for (const key of other.state.fault.targets) passed.set(formatTestKey(key), false);
  }
  const passing = [...passed.values()].filter((each) => each).length;
  const score = [passing, ...besideTargets(context, own.value)];
  return { candidate, of, row: { ...own.value, score }, passing, tests: passed.size };
}

function rowWithout({ id }: Candidate, invalid: string): MatrixRow {
  return { candidate: id, outcomes: [], targets: [], broken: undefined, invalid, score: [] };
}

/**
 * Returns the row's score for comparisons between arms. For a repair, it counts only the broken tests, because arms
 * have different numbers of tests that show the fault.
 */
function besideTargets(
  { task }: Pick<ActionContext, "task">,
  { score, broken }: MatrixRow,
): readonly number[] {
  const isRepair = task.kind === "repair" || task.kind === "partial-fix";
  return isRepair ? [-(broken?.length ?? Number.MAX_SAFE_INTEGER)] : score;
}

/**
 * Returns an arm's state with only these candidates: the arm's own reproductions, and `candidate`. If the task delivers
 * tests, also keeps the code candidates of all arms, the arm's own last: the gate tries the last ones.
 */
export function stateBeside(
  { task }: Pick<ActionContext, "task">,
  runs: readonly ArmRun[],
  own: ArmRun,
  candidate: Candidate,
): TaskState {
  const { state, candidates } = own;
  const { delivers } = rulesOf(task.kind);
  const beside = [
    ...candidates.filter(({ kind }) => kind === "reproduction"),
    ...(delivers === "test"
      ? [...runs.filter((run) => run !== own), own].flatMap((run) =>
          run.candidates.filter(({ kind }) => kind === "code"),
        )
      : []),
  ];
  return { ...state, candidates: [...beside, candidate] };
}
