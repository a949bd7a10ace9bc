/** Runs `bench grade` and prints its results. */
import pc from "picocolors";
import { countOf, nameFirst } from "../base/count.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { formatDuration } from "../base/units.ts";
import { countOutcomes } from "../bench/batch-report.ts";
import { type Candidate, type GradeResult, gradeJob, regrade } from "../bench/grade-task.ts";
import type { GradedTask } from "../bench/graded-task.ts";
import { readImageIds } from "../bench/image-cache.ts";
import { openLogStore } from "../bench/log-store.ts";
import { describeMeasure } from "../bench/measure-names.ts";
import { gradeOfficialLog, openOfficialLogs } from "../bench/official-logs/grade-logs.ts";
import { loadPredictions, type Predictions } from "../bench/predictions.ts";
import { countRows, type RowProblem, tellProblems } from "../bench/rows.ts";
import { wilsonInterval } from "../bench/statistics.ts";
import { testFrameworks } from "../languages/index.generated.ts";
import { type BenchAsked, type BenchFlags, type BenchWork, readAsked } from "./bench-flags.ts";
import { executeTasks, tellUnreadable } from "./bench-jobs.ts";
import { describeCounts } from "./bench-progress.ts";

/**
 * Grades predictions and prints the results. Returns the exit code: 0, or 3 if a row was unreadable or a task could not
 * be graded.
 */
export async function runGrade(session: BenchWork, file: string): Promise<number> {
  const { tasks, options, store, conditions, json } = session;
  const predictions = readPredictions(file, session);
  const started = performance.now();
  const jobs = tasks.map((task) => ({
    id: task.task.id,
    task,
    job: gradeJob(task, predictions.of(task.task.id), options, conditions),
  }));
  const done = await executeTasks(jobs, session, renderResult);
  const unreadable = [...session.unreadable, ...predictions.unreadable];
  const seconds = (performance.now() - started) / 1000;
  return printSummary({ done, unreadable, seconds, results: store.directory, json });
}

/**
 * Grades predictions from the logs of an earlier grading, without running tests and without a sandbox. Returns the exit
 * code.
 */
export async function runRegrade(path: string, flags: BenchFlags, file: string): Promise<number> {
  const asked = await readAsked(path, flags);
  const logs = openLogStore(asked.logs);
  const { rules, directory } = asked;
  const imageIds = await readImageIds(directory);
  const options = { logs, rules, frameworks: testFrameworks, patchLimit: flags.patchLimit, imageIds };
  return gradeFromLogs(asked, file, asked.logs, (task, candidate) => regrade(task, candidate, options));
}

/**
 * Grades predictions from the logs of the benchmark's own harness, without running tests and without a sandbox. Returns
 * the exit code.
 */
export async function runGradeOfficialLogs(
  path: string,
  flags: BenchFlags,
  given: { readonly predictions: string; readonly officialLogs: string },
): Promise<number> {
  const asked = await readAsked(path, flags);
  const logs = openOfficialLogs(given.officialLogs, asked.tasks);
  return gradeFromLogs(asked, given.predictions, given.officialLogs, async (task, candidate) =>
    gradeOfficialLog(task, candidate, logs, flags.patchLimit),
  );
}

/** Grades from logs. `file`: the predictions. `logs`: the folder of the logs, for the summary. */
async function gradeFromLogs(
  asked: BenchAsked,
  file: string,
  logs: string,
  grade: (task: GradedTask, candidate: Candidate) => Promise<GradeResult>,
): Promise<number> {
  const predictions = readPredictions(file, asked);
  const started = performance.now();
  const done: GradeResult[] = [];
  for (const task of asked.tasks) {
    const result = await grade(task, predictions.of(task.task.id));
    if (!asked.json) process.stdout.write(`${renderResult(result, false)}\n`);
    done.push(result);
  }
  const unreadable = [...asked.unreadable, ...predictions.unreadable];
  const seconds = (performance.now() - started) / 1000;
  return printSummary({ done, unreadable, seconds, results: logs, json: asked.json });
}

function readPredictions(path: string, { allTasks }: Pick<BenchWork, "allTasks">): Predictions {
  const predictions = loadPredictions(path, allTasks);
  const { unreadable } = predictions;
  if (unreadable.length > 0) {
    const rows = countOf(countRows(unreadable), "prediction");
    const text = `Millwright skipped ${rows} of ${path} as unreadable:\n  ${tellProblems(unreadable)}\n`;
    process.stderr.write(sanitizeForTerminal(text));
  }
  return predictions;
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
    lines.push(`  these tests did not run: ${nameFirst(result.unmatched, 5)}`);
  }
  if (result.extra !== undefined)
    lines.push(`  ${result.extra.isOverfitted ? "overfitted" : "extra tests"}: ${result.extra.reason}`);
  lines.push(...tellFurther(result));
  if (result.restored.length > 0) {
    lines.push(
      `  the patch changes tests or how they run; Millwright undid these changes: ${nameFirst(result.restored, 5)}`,
    );
  }
  return sanitizeForTerminal(lines.join("\n"));
}

/**
 * Tells the result by the dataset's rule alone if it differs, the results by the other rules, and the partial scores.
 * Omits full scores of a resolved task.
 */
function tellFurther({ outcome, byTests, otherRules, measures }: GradeResult): string[] {
  const shares = Object.entries(measures).filter(([, share]) => share < 1 || outcome !== "resolved");
  return [
    ...(byTests === outcome ? [] : [`  the dataset's rule alone gives: ${byTests}`]),
    ...otherRules.map((each) => ` by ${each.rule} the patch is ${each.outcome}: ${each.reason}`),
    ...(shares.length === 0
      ? []
      : [
          `  ${shares.map(([name, share]) => `${describeMeasure(name)} ${(share * 100).toFixed(1)} %`).join(", ")}`,
        ]),
  ];
}

interface Graded {
  readonly done: readonly GradeResult[];
  readonly unreadable: readonly RowProblem[];
  readonly seconds: number;
  /** The folder of the results, or of the logs. */
  readonly results: string;
  readonly json: boolean;
}

/**
 * Counts the plausible patches with extra tests, and the overfitted patches among them. Undefined if there are none.
 */
function countExtra(done: readonly GradeResult[]) {
  const plausible = done.flatMap(({ extra }) => extra ?? []);
  if (plausible.length === 0) return undefined;
  const overfitted = plausible.filter(({ isOverfitted }) => isOverfitted).length;
  return { plausible: plausible.length, overfitted, interval: wilsonInterval(overfitted, plausible.length) };
}

/** Prints the summary, and returns the exit code. */
function printSummary({ done, unreadable, seconds, results, json }: Graded): number {
  const counts = countOutcomes(done);
  const interval = wilsonInterval(counts.resolved, counts.tasks);
  const extra = countExtra(done);
  if (json) {
    const document = {
      ...{ schema: "millwright.bench-grade/1", counts, interval, seconds, results },
      ...(extra === undefined ? {} : { extra }),
      ...(unreadable.length === 0 ? {} : { unreadable }),
      tasks: done,
    };
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
  } else {
    process.stdout.write(tellUnreadable(unreadable));
    const more =
      extra === undefined
        ? ""
        : `; ${extra.overfitted} of ${countOf(extra.plausible, "plausible patch", "plausible patches")} overfitted`;
    process.stdout.write(`${describeCounts(counts)}${more}; ${formatDuration(seconds * 1000)}; ${results}\n`);
  }
  const isWhole = unreadable.length === 0;
  return isWhole && done.every(({ outcome }) => outcome !== "infrastructure-error") ? 0 : 3;
}
