/** Continues a run that an earlier process began. */
import { describeAnew, readRun } from "../agent/run/run-store.ts";
import { hashData } from "../base/hash.ts";
import type { SolveReport } from "../domain/solve-report.ts";
import { performRun, type RunOptions } from "./perform-run.ts";
import { chooseSurroundings, type Surroundings } from "./surroundings.ts";

export interface ResumeOptions extends Omit<RunOptions, "sandbox"> {
  /** Replacements for the run's own sandbox and repository. */
  readonly surroundings?: Surroundings;
}

/** Continues a run in its own surroundings, or in the given ones. Throws like `performRun`. */
export async function resumeRun({ surroundings = {}, ...options }: ResumeOptions): Promise<SolveReport> {
  const { directory } = options;
  const before = await readRun(directory);
  const { sandbox, description } = await chooseSurroundings(before, surroundings);
  if (hashData(description) !== hashData(before)) await describeAnew(directory, description);
  return performRun({ ...options, sandbox });
}
