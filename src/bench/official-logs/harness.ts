/** The contract of a benchmark's own harness: finding its logs, and judging a task by its log. */
import { globSync } from "node:fs";
import { join } from "node:path";
import { MillwrightError } from "../../base/errors.ts";
import type { GradedTask } from "../graded-task.ts";
import type { Judged } from "../protocols/contract.ts";

export interface OfficialHarness {
  /** Opens the logs. Throws MillwrightError("usage") if the folder has no log, or two for one task. */
  open(directory: string): OfficialLogs;
}

export interface OfficialLogs {
  /**
   * Judges a task by its log. Returns a text, the reason, if the task cannot be judged through no fault of the patch.
   * Throws MillwrightError("usage") if Millwright does not implement the log's parser.
   */
  judge(task: GradedTask): Judged | string;
}

export interface LogPlace {
  /** The name of a log's file. */
  readonly name: string;
  /** Returns the task's id from the log's path; undefined for another file with the log's name. */
  readonly idOf: (path: string) => string | undefined;
  /** The folder to give, for messages. */
  readonly folder: string;
}

/**
 * Maps each task's id to the path of its log. Throws MillwrightError("usage") if the folder has no log, or two for one
 * task.
 */
export function findLogs(directory: string, { name, idOf, folder }: LogPlace): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const path of globSync(`**/${name}`, { cwd: directory }).map((each) => join(directory, each))) {
    const id = idOf(path);
    if (id === undefined) continue;
    const other = found.get(id);
    if (other !== undefined) {
      throw new MillwrightError("usage", `Task ${id} has two logs: ${other} and ${path}`, {
        hint: `Give the folder of one run and one model: ${folder}.`,
      });
    }
    found.set(id, path);
  }
  if (found.size > 0) return found;
  throw new MillwrightError("usage", `There is no ${name} of a task below ${directory}.`, {
    hint: `Give the folder in which the benchmark's own harness wrote its logs: ${folder}.`,
  });
}
