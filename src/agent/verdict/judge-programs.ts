/** Judges a candidate by the run's standalone programs. They can only weaken a verdict, and never make one. */
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import { type RanProgram, runPrograms } from "../candidates/run-programs.ts";
import type { ProgramContext } from "../measure/run-program.ts";
import { showsFault, tellProgramRun } from "../state/standalone-program.ts";
import type { TaskState } from "../state/task-state.ts";
import { testsCanBeRun } from "./judge-statically.ts";

/** The gate contains this predicate only if a program still fails with the candidate. */
export const programsPass = "standalone-programs-pass";

/** Advice to models about a program that still fails. */
export const wrongPrograms =
  "If a standalone program is wrong, name its file in `notTheFault` with the reason. It then does not count any more.";

/** Runs the counted programs with the candidate. Returns a predicate for those that still fail, or none. */
export async function judgePrograms(
  context: ProgramContext,
  state: Pick<TaskState, "programs">,
  candidate: Pick<Candidate, "tree">,
): Promise<{ readonly ran: readonly RanProgram[]; readonly failing: readonly Predicate[] }> {
  const ran = await runPrograms(context, state, candidate);
  const left = ran.filter(({ run }) => showsFault(run));
  const told = left.map(({ program, run }) => `${program.file} ${tellProgramRun(run)}`).join("; ");
  const evidence = `still failing with the patch: ${told}`;
  return {
    ran,
    failing: left.length === 0 ? [] : [{ predicate: programsPass, holds: false, evidence }],
  };
}

const unshown: ReadonlySet<string> = new Set(["failing-tests-fail-on-base", testsCanBeRun]);

/** Adds the programs' results to the predicates that lack a test of the fault. A program never makes them hold. */
export function withPrograms(gate: readonly Predicate[], ran: readonly RanProgram[]): readonly Predicate[] {
  if (ran.length === 0) return gate;
  const shown = ran.map(({ program, run }) => {
    const after = showsFault(run) ? "still fails" : tellProgramRun(run);
    return `without the patch, ${program.file} ${tellProgramRun(program.base)}; with the patch, it ${after}`;
  });
  const note = `only a standalone program shows the fault (${shown.join(". ")}). Write it as a test of the project's framework to have the patch verified`;
  return gate.map((each) =>
    each.holds || !unshown.has(each.predicate) ? each : { ...each, evidence: `${each.evidence}; ${note}` },
  );
}
