/** Reads the work of a batch's attempts from their runs. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { MillwrightError } from "../../base/errors.ts";
import { runForeignGit } from "../../workspace/foreign-git.ts";
import { findTaskCommit, type RepositoryPlace } from "../find-repository.ts";
import type { GradedTask } from "../graded-task.ts";
import { readTextFile } from "../rows.ts";
import type { TryResult } from "../try.ts";
import type { ReadBase } from "./located-places.ts";
import { openRunRecord } from "./run-record.ts";
import { type RunWork, workOf } from "./run-work.ts";

export interface WorkPlaces {
  readonly tasks: readonly GradedTask[];
  readonly repositories: RepositoryPlace;
  readonly runsDirectory: string;
}

/** Reads the work of an attempt from its run's record; undefined without a readable record. */
export async function readWork(
  { id, run }: Pick<TryResult, "id" | "run">,
  { tasks, repositories, runsDirectory }: WorkPlaces,
): Promise<RunWork | undefined> {
  const graded = tasks.find(({ task }) => task.id === id);
  if (graded === undefined || run === "") return undefined;
  try {
    const record = await openRunRecord(join(runsDirectory, run));
    if (record === undefined) return undefined;
    const { goldPatch } = graded.hidden;
    const file = join(runsDirectory, run, "patch.diff");
    const patch = existsSync(file) ? readTextFile(file) : "";
    return await workOf(record, { goldPatch, readBase: baseReader(graded, repositories), patch });
  } catch (error) {
    if (error instanceof MillwrightError) return undefined;
    throw error;
  }
}

function baseReader({ task }: GradedTask, repositories: RepositoryPlace): ReadBase {
  let found: ReturnType<typeof findTaskCommit> | undefined;
  return async (path) => {
    try {
      found ??= findTaskCommit(repositories, task.repository, task.baseCommit);
      const { gitDirectory, commit } = await found;
      const shown = await runForeignGit({
        gitDirectory,
        arguments: ["show", `${commit}:${path}`],
        answers: [0, 128],
      });
      return shown.exitCode === 0 ? shown.stdout.toString("utf8") : undefined;
    } catch (error) {
      if (error instanceof MillwrightError) return undefined;
      throw error;
    }
  };
}
