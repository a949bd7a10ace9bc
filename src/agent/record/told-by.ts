import type { RunEvent } from "../../domain/run-event.ts";
import type { Task } from "../../domain/task.ts";
import { type WorkRow, workRows } from "./work-rows.ts";

/**
 * The parts of `report.md` that come from the run's events. Neither the report's document nor the strategy's findings
 * contain them.
 */
export interface Told {
  /** The task in one line. */
  readonly title: string;
  readonly work: readonly WorkRow[];
}

export function toldBy(events: readonly RunEvent[]): Told {
  const started = events.find((event) => event.event === "run-started");
  const title = started?.event === "run-started" ? titleOf(started.task) : "";
  return { title, work: workRows(events) };
}

const longestTitle = 100;

/**
 * Returns the beginning of the statement's first line, in whole words. Without a statement: the target, or else the
 * first failing test, or else `the failing tests of` the repository.
 */
export function titleOf({ statement, failingTests = [], target, repository, id }: Task): string {
  const first = statement.split("\n").find((line) => /\w/.test(line)) ?? "";
  const line = first
    .replace(/^[\s#*>-]+/, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (line !== "") return cutAtWord(line, longestTitle);
  if (target !== undefined) return cutAtWord(target, longestTitle);
  const [test] = failingTests;
  if (test !== undefined)
    return cutAtWord(failingTests.length === 1 ? test : `${test} and others`, longestTitle);
  return `the failing tests of ${repository.split("/").at(-1) ?? id}`;
}

function cutAtWord(text: string, most: number): string {
  if (text.length <= most) return text;
  const cut = text.slice(0, most);
  const end = cut.lastIndexOf(" ");
  return `${(end > most / 2 ? cut.slice(0, end) : cut).replace(/[\s,;:.]+$/, "")} …`;
}
