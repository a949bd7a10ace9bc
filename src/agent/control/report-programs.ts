/** Describes the run's standalone programs for the report, without and with the delivered patch. */
import type { Candidate } from "../../domain/candidate.ts";
import type { Findings, ReportedProgram } from "../../domain/finding.ts";
import { runPrograms } from "../candidates/run-programs.ts";
import type { ProgramContext } from "../measure/run-program.ts";
import { type ProgramRun, tellProgramRun } from "../state/standalone-program.ts";
import type { TaskState } from "../state/task-state.ts";

/**
 * Reports the standalone programs' results; empty without programs. The final judgement has run the programs already,
 * so this function repeats no run.
 */
export async function reportPrograms(
  context: ProgramContext,
  state: Pick<TaskState, "programs">,
  candidate?: Candidate,
): Promise<Pick<Findings, "programs">> {
  const { programs = [] } = state;
  if (programs.length === 0) return {};
  const ran = candidate === undefined ? [] : await runPrograms(context, state, candidate);
  return {
    programs: programs.map(({ file, command, text, base, aside }): ReportedProgram => {
      const after = ran.find(({ program }) => program.command === command)?.run;
      return {
        ...{ file, command, text, before: endOf(base) },
        ...(after === undefined ? {} : { after: endOf(after) }),
        ...(aside === undefined ? {} : { aside }),
      };
    }),
  };
}

function endOf(run: ProgramRun): ReportedProgram["before"] {
  const { exitCode, exception, output } = run;
  return { told: tellProgramRun(run), exitCode, exception, output };
}
