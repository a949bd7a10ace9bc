/** A run of an earlier process, from where that one left it. */
import { describeAnew, readRun } from "../agent/run/run-store.ts";
import { hashData } from "../base/hash.ts";
import type { SolveReport } from "../domain/solve-report.ts";
import { performRun, type RunOptions } from "./perform-run.ts";
import { chooseSurroundings, type Surroundings } from "./surroundings.ts";

export interface ResumeOptions extends Omit<RunOptions, "sandbox"> {
  /** Others than the run had. */
  readonly surroundings?: Surroundings;
}

/** Throws as `performRun` does. */
export async function resumeRun({ surroundings = {}, ...options }: ResumeOptions): Promise<SolveReport> {
  const { directory } = options;
  const before = await readRun(directory);
  const { sandbox, description } = await chooseSurroundings(before, surroundings);
  if (hashData(description) !== hashData(before)) await describeAnew(directory, description);
  return performRun({ ...options, sandbox });
}
