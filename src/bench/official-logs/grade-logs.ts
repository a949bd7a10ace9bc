/**
 * Grades predictions from the logs of a benchmark's own harness. Uses the harness's parsers and rule, and runs nothing.
 */
import { type Candidate, type GradeResult, judgeUnrun, makeResult, ungradable } from "../grade-task.ts";
import type { GradedTask } from "../graded-task.ts";
import { judgedAs } from "../protocols/without-runs.ts";
import type { OfficialHarness, OfficialLogs } from "./harness.ts";
import { multiSweBenchHarness } from "./multi-swe-bench.ts";
import { sweBenchHarness } from "./swe-bench.ts";
import { swtBenchHarness } from "./swt-bench.ts";

/** The official harness of each dataset. Other datasets use SWE-bench's harness. */
const harnesses: Readonly<Record<string, OfficialHarness>> = {
  "multi-swe-bench": multiSweBenchHarness,
  "swt-bench": swtBenchHarness,
};

/**
 * Opens the logs of an official harness. `tasks`: all from one dataset, which determines the harness. Throws
 * MillwrightError("usage") if the folder has no such logs, or two for one task.
 */
export function openOfficialLogs(directory: string, tasks: readonly GradedTask[]): OfficialLogs {
  const harness = harnesses[tasks[0]?.dataset ?? ""] ?? sweBenchHarness;
  return harness.open(directory);
}

/**
 * Grades a candidate by its official log. Throws MillwrightError("usage") if Millwright does not implement the log's
 * parser.
 */
export function gradeOfficialLog(
  task: GradedTask,
  candidate: Candidate,
  logs: OfficialLogs,
  patchLimit: number,
): GradeResult {
  const { id } = task.task;
  const known = judgeUnrun(task, candidate, patchLimit);
  if (known !== undefined) return makeResult(id, judgedAs(known));
  const judged = logs.judge(task);
  return typeof judged === "string" ? ungradable(id, judged) : makeResult(id, judged);
}
