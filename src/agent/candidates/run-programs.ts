/** Runs the run's standalone programs with a candidate, and tells models the results. */
import type { Candidate } from "../../domain/candidate.ts";
import { type ProgramContext, runProgram } from "../measure/run-program.ts";
import { remarkOnce } from "../record/once.ts";
import {
  countedPrograms,
  hasNoResult,
  type ProgramRun,
  type StandaloneProgram,
  showsFault,
  tellProgramOutput,
  tellProgramRun,
} from "../state/standalone-program.ts";
import type { MatrixRow, TaskState } from "../state/task-state.ts";

export interface RanProgram {
  readonly program: StandaloneProgram;
  /** The result with the candidate. */
  readonly run: ProgramRun;
}

/** Runs each program that counts. Runs a failing one twice, because a flaky program is no evidence. */
export async function runPrograms(
  context: ProgramContext,
  state: Pick<TaskState, "programs">,
  { tree }: Pick<Candidate, "tree">,
): Promise<readonly RanProgram[]> {
  const ran: RanProgram[] = [];
  for (const program of countedPrograms(state)) {
    const first = await runProgram(context, program, tree);
    const run = showsFault(first) ? await runProgram(context, program, tree, 2) : first;
    if (hasNoResult(run)) tellHang(context, program, run);
    ran.push({ program, run });
  }
  return ran;
}

/** Reports a program that does not end by itself with the patch, although it does without the patch. */
function tellHang({ recorder }: ProgramContext, { file }: StandaloneProgram, run: ProgramRun): void {
  const text = `With a patch, the standalone program ${file} ${tellProgramRun(run)}. Without the patch, it ends by itself. The patched code may hang, be slow or use too much memory`;
  remarkOnce(recorder, text);
}

/** Characters of a program's output in one message. */
const mostShown = 4_000;

/**
 * Runs the programs with a patch. Returns the state with their results as rows that judge no candidate, and a text for
 * models. The text is "" without programs, or if the candidate is not a patch.
 */
export async function tellPrograms(
  context: ProgramContext,
  state: TaskState,
  candidate: Candidate,
): Promise<{ readonly state: TaskState; readonly text: string }> {
  const ran = candidate.kind === "code" ? await runPrograms(context, state, candidate) : [];
  const rows = ran.map((each) => rowOfProgram(candidate.id, each.program, each.run));
  const text = ran.map(({ program, run }) => tellOne(program, run)).join("\n\n");
  return { state: rows.length === 0 ? state : { ...state, rows: [...state.rows, ...rows] }, text };
}

function tellOne({ file }: StandaloneProgram, run: ProgramRun): string {
  return showsFault(run)
    ? `The standalone program ${file} still fails with this candidate: it ${tellProgramOutput(run, mostShown)}`
    : `The standalone program ${file} ${tellProgramRun(run)} with this candidate.`;
}

/** Counts the programs that failed in their last run with the candidate. Ignores programs that do not count. */
export function countFailing(state: Pick<TaskState, "programs" | "rows">, candidate: string): number {
  const failing = countedPrograms(state).filter((program) => {
    const ran = textOf(program);
    return state.rows.findLast((row) => row.candidate === candidate && row.ran === ran)?.isFailing === true;
  });
  return failing.length;
}

function textOf({ command }: Pick<StandaloneProgram, "command">): string {
  return `\`${command}\``;
}

/** Makes the matrix row of a program's run. `candidate`: a candidate's id, or `base`. */
export function rowOfProgram(candidate: string, program: StandaloneProgram, run: ProgramRun): MatrixRow {
  return {
    candidate,
    ran: textOf(program),
    ...(showsFault(run) ? { isFailing: true as const } : {}),
    outcomes: [],
    targets: [],
    broken: undefined,
    invalid: undefined,
    told: tellProgramRun(run),
    score: [],
  };
}
