/** Runs `bench check` and prints its results. */

import pc from "picocolors";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { countOf } from "../base/count.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { formatDuration } from "../base/units.ts";
import { type CheckResult, checkJob } from "../bench/check-task.ts";
import type { GradedTask } from "../bench/graded-task.ts";
import type { BenchWork } from "./bench-flags.ts";
import { executeTasks, tellUnreadable } from "./bench-jobs.ts";

export interface CheckOptions {
  readonly repeats: number;
  readonly writeLists: string | undefined;
  /** True to ignore the tasks' own lists. */
  readonly computeLists: boolean;
}

/**
 * Checks the tasks and prints the results. Returns the exit code: 3 if a row was unreadable or a task could not be
 * checked. Otherwise returns 10 if a task is unfit, else 0.
 */
export async function runCheck(session: BenchWork, check: CheckOptions): Promise<number> {
  const { options, store, conditions } = session;
  const { repeats, writeLists } = check;
  const tasks = check.computeLists ? session.tasks.map(withoutLists) : session.tasks;
  const started = performance.now();
  const jobs = tasks.map((task) => ({
    id: task.task.id,
    task,
    job: checkJob(task, repeats, options, conditions),
  }));
  const done = await executeTasks(jobs, session, renderResult);
  if (writeLists !== undefined) await writeFileAtomically(writeLists, renderLists(done), 0o666);
  printSummary(session, done, store.directory, (performance.now() - started) / 1000, repeats);
  return exitCodeOf(done, session.unreadable.length === 0);
}

function withoutLists(task: GradedTask): GradedTask {
  return { ...task, hidden: { ...task.hidden, lists: undefined } };
}

function exitCodeOf(results: readonly CheckResult[], isWhole: boolean): number {
  if (!isWhole || results.some((result) => result.state === "infrastructure-error")) return 3;
  return results.every((result) => result.state === "fit") ? 0 : 10;
}

/** Renders the lists that graded fit tasks. Omits lists of unfit tasks: they must not grade anything. */
function renderLists(results: readonly CheckResult[]): string {
  return results
    .filter((result) => result.state === "fit")
    .map(({ id, lists }) => `${JSON.stringify({ schema: "millwright.lists/1", id, ...lists })}\n`)
    .join("");
}

const marks = { fit: pc.green("fit"), unfit: pc.red("unfit"), "infrastructure-error": pc.yellow("error") };

function renderResult(result: CheckResult, known: boolean): string {
  const time = known ? "known" : formatDuration(result.seconds * 1000);
  const head = `${marks[result.state].padEnd(8)} ${result.id}  ${tellVerdicts(result)}  ${time}`;
  const more = [
    ...result.exceptions.map((text) => `         exception: ${oneLine(text)}`),
    ...result.notes.map((text) => `         note: ${oneLine(text)}`),
  ];
  return sanitizeForTerminal([head, ...more].join("\n"));
}

/**
 * Tells the verdicts and the lists' sizes. A task that could not be checked has no counts: the lines below state the
 * reason.
 */
function tellVerdicts({ runs, gold, empty, lists, listsFrom, state }: CheckResult): string {
  const { failToPass, passToPass, flaky } = lists;
  if (state === "infrastructure-error" && runs.length === 0) return "not checked";
  const left = flaky.length === 0 ? "" : ` ${flaky.length} flaky`;
  const sizes = `${failToPass.length} F2P ${passToPass.length} P2P (${listsFrom})${left}`;
  return `gold ${gold}, empty ${empty}  ${listsFrom === "none" ? "no lists: the rule needs none" : sizes}`;
}

/** Maximum length of an exception's text on the screen; the file of results has all of it. */
const longestText = 300;

function oneLine(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length <= longestText ? line : `${line.slice(0, longestText)}…`;
}

function printSummary(
  session: BenchWork,
  done: readonly CheckResult[],
  path: string,
  seconds: number,
  repeats: number,
): void {
  const count = (state: CheckResult["state"]): number => done.filter((each) => each.state === state).length;
  const counts = {
    tasks: done.length,
    fit: count("fit"),
    unfit: count("unfit"),
    infrastructureErrors: count("infrastructure-error"),
  };
  if (session.json) {
    const document = {
      schema: "millwright.bench-check/1",
      repeats,
      counts,
      seconds,
      results: path,
      ...(session.unreadable.length === 0 ? {} : { unreadable: session.unreadable }),
      tasks: done,
    };
    process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
    return;
  }
  const { tasks, fit, unfit, infrastructureErrors } = counts;
  process.stdout.write(tellUnreadable(session.unreadable));
  process.stdout.write(
    `${fit} of ${countOf(tasks, "task")} fit, ${unfit} unfit, ${infrastructureErrors} not checked; ${countOf(repeats, "repeat")}, ${formatDuration(seconds * 1000)}; ${path}\n`,
  );
}
