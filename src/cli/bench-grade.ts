/** `bench grade`: runs it, and says what came out. */
import pc from "picocolors";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { formatDuration } from "../base/units.ts";
import { countOutcomes } from "../bench/batch-report.ts";
import { type GradeResult, gradeJob } from "../bench/grade-task.ts";
import { loadPredictions } from "../bench/predictions.ts";
import { wilsonInterval } from "../bench/statistics.ts";
import type { BenchWork } from "./bench-flags.ts";
import { executeJobs } from "./bench-jobs.ts";
import { describeCounts } from "./bench-progress.ts";

/** Returns the exit code. */
export async function runGrade(session: BenchWork, predictions: string): Promise<number> {
  const { tasks, options, store, conditions } = session;
  const patches = loadPredictions(predictions, session.allTasks);
  const started = performance.now();
  const jobs = tasks.map((task) => ({
    id: task.task.id,
    job: gradeJob(task, patches.get(task.task.id), options, conditions),
  }));
  const done = await executeJobs(jobs, session, renderResult);
  printSummary(session, done, store.directory, (performance.now() - started) / 1000);
  return done.some((result) => result.outcome === "infrastructure-error") ? 3 : 0;
}

const marks = {
  resolved: pc.green("resolved"),
  unresolved: pc.red("unresolved"),
  "agent-error": pc.red("agent error"),
  "infrastructure-error": pc.yellow("infrastructure error"),
};

function renderResult(result: GradeResult, known: boolean): string {
  const time = known ? "known" : formatDuration(result.seconds * 1000);
  const lines = [`${marks[result.outcome]} ${result.id}: ${result.reason.replaceAll(/\s+/g, " ")} (${time})`];
  if (result.unmatched.length > 0) {
    lines.push(`  no test that ran is called ${result.unmatched.slice(0, 5).join(", ")}`);
  }
  if (result.restored.length > 0) {
    lines.push(
      `  the patch changes tests or how they are run, which stayed as it was: ${result.restored.slice(0, 5).join(", ")}`,
    );
  }
  return sanitizeForTerminal(lines.join("\n"));
}

function printSummary(session: BenchWork, done: readonly GradeResult[], path: string, seconds: number): void {
  const counts = countOutcomes(done);
  const interval = wilsonInterval(counts.resolved, counts.tasks);
  if (session.json) {
    const document = {
      schema: "millwright.bench-grade/1",
      counts,
      interval,
      seconds,
      results: path,
      tasks: done,
    };
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    return;
  }
  process.stdout.write(`${describeCounts(counts)}; ${formatDuration(seconds * 1000)}; ${path}\n`);
}
