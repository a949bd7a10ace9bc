/** `bench grade`: runs it, and says what came out. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import pc from "picocolors";
import { hashData } from "../base/hash.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { formatDuration } from "../base/units.ts";
import { type GradeResult, gradeResultSchema, gradeTask, ungradable } from "../bench/grade-task.ts";
import { loadPredictions } from "../bench/predictions.ts";
import { openResults } from "../bench/results.ts";
import { identifyTask } from "../bench/rules.ts";
import { runTasks } from "../bench/run-tasks.ts";
import type { BenchWork } from "./bench-flags.ts";

/** Returns the exit code. */
export async function runGrade(session: BenchWork, predictions: string): Promise<number> {
  const { tasks, options, jobs, conditions } = session;
  const patches = loadPredictions(predictions, session.allTasks);
  const path = session.results ?? join(options.directory, "grade.jsonl");
  if (session.fresh) await rm(path, { force: true });
  const results = await openResults(path, "millwright.bench-grade-task/1", gradeResultSchema);
  const started = performance.now();
  try {
    const works = tasks.map((task) => {
      const patch = patches.get(task.task.id);
      return {
        id: task.task.id,
        key: hashData([identifyTask(task, options.rules), conditions, patch ?? null]),
        execute: () => gradeTask(task, patch, options),
      };
    });
    const done = await runTasks(works, {
      jobs,
      results,
      isFinal: (result) => result.outcome !== "infrastructure-error",
      onError: ungradable,
      onStart: (id) => process.stderr.write(`${id} …\n`),
      onResult: (result, known) => {
        if (!session.json) process.stdout.write(`${renderResult(result, known)}\n`);
      },
      signal: options.signal,
    });
    printSummary(session, done, path, (performance.now() - started) / 1000);
    return done.some((result) => result.outcome === "infrastructure-error") ? 3 : 0;
  } finally {
    results.close();
  }
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
      `  the patch changes tests, which stayed as they were: ${result.restored.slice(0, 5).join(", ")}`,
    );
  }
  return sanitizeForTerminal(lines.join("\n"));
}

function printSummary(session: BenchWork, done: readonly GradeResult[], path: string, seconds: number): void {
  const count = (outcome: GradeResult["outcome"]): number =>
    done.filter((each) => each.outcome === outcome).length;
  const counts = {
    tasks: done.length,
    resolved: count("resolved"),
    unresolved: count("unresolved"),
    agentErrors: count("agent-error"),
    infrastructureErrors: count("infrastructure-error"),
  };
  if (session.json) {
    const document = { schema: "millwright.bench-grade/1", counts, seconds, results: path, tasks: done };
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    return;
  }
  const { tasks, resolved, unresolved, agentErrors, infrastructureErrors } = counts;
  const rest = `${unresolved} unresolved, ${agentErrors} agent errors, ${infrastructureErrors} infrastructure errors`;
  process.stdout.write(
    `${resolved} of ${tasks} resolved; ${rest}; ${formatDuration(seconds * 1000)}; ${path}\n`,
  );
}
