/** `bench replay-reproductions`: runs the reproductions of a batch's attempts again, and measures their validity. */

import { statSync } from "node:fs";
import { dirname, join } from "node:path";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { countOf } from "../base/count.ts";
import { MillwrightError } from "../base/errors.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { type BatchDocument, type BatchTry, readBatch, replayedFile } from "../bench/batch-document.ts";
import { replayJob } from "../bench/replay-reproduction.ts";
import { type Replayed, validities } from "../bench/work/replayed.ts";
import { type BenchFlags, type BenchWork, withBench } from "./bench-flags.ts";
import { executeJobs } from "./bench-jobs.ts";

export interface ReplayFlags extends BenchFlags {
  readonly tasks?: string;
  readonly runsDir?: string;
  /** Time limit of one replay, in milliseconds. */
  readonly replayTimeout: number;
}

/**
 * Replays the reproduction of each attempt, and writes the results beside the batch's report. Returns the exit code: 0,
 * or 3 if an attempt could not be replayed. Throws MillwrightError("usage") if the runs' folder is unknown, or if the
 * batch has no attempt at any of the tasks.
 */
export async function replayReproductions(path: string, flags: ReplayFlags): Promise<number> {
  const batch = readBatch(path);
  const runs = flags.runsDir ?? batch.runs;
  if (runs === undefined)
    throw new MillwrightError("usage", `${path} does not name the folder of its runs`, {
      hint: "Give the folder with --runs-dir.",
    });
  const folder = statSync(path).isDirectory() ? path : dirname(path);
  return withBench(flags.tasks ?? batch.tasks.file, flags, (work) =>
    replayAll(work, batch, { runs, folder, replayMs: flags.replayTimeout }),
  );
}

async function replayAll(
  work: BenchWork,
  batch: BatchDocument,
  { runs, folder, replayMs }: { readonly runs: string; readonly folder: string; readonly replayMs: number },
): Promise<number> {
  const tasks = new Map(work.tasks.map((task) => [task.task.id, task]));
  const jobs = batch.tries.flatMap(({ id, run, work: own }) => {
    const task = tasks.get(id);
    const directory = join(runs, run);
    if (task === undefined || run === "") return [];
    const given = { run, directory, wrote: own?.reproduction !== undefined };
    return { id, job: replayJob(task, given, { ...work.options, replayMs }, work.conditions) };
  });
  if (jobs.length === 0)
    throw new MillwrightError("usage", "The batch has no attempt at any of these tasks", {
      hint: "Give the file of the batch's tasks with --tasks.",
    });
  const ids = new Map(batch.tries.map(({ run, id }) => [run, id]));
  const rows = await executeJobs(jobs, work, (row, known) => renderReplayed(ids.get(row.run), row, known));
  const document = { schema: "millwright.reproductions/1", rows: mergeReplayed(batch.tries, rows) };
  const file = join(folder, replayedFile);
  await writeFileAtomically(file, `${JSON.stringify(document, null, 2)}\n`, 0o666);
  const counts = validities.map((validity) => {
    const count = rows.filter((each) => each.validity === validity).length;
    return { validity, count };
  });
  const told = counts.filter(({ count }) => count > 0).map(({ validity, count }) => `${count} ${validity}`);
  process.stdout.write(
    work.json
      ? `${JSON.stringify(document, null, 2)}\n`
      : sanitizeForTerminal(`of ${countOf(rows.length, "attempt")}: ${told.join(", ")}; ${file}\n`),
  );
  return rows.every(({ validity }) => validity !== "not replayed") ? 0 : 3;
}

/** Merges the new rows with earlier rows. Keeps an earlier row if the attempt has no new row. */
export function mergeReplayed(
  tries: readonly Pick<BatchTry, "run" | "replayed">[],
  rows: readonly Replayed[],
): Replayed[] {
  const fresh = new Map(rows.map((row) => [row.run, row]));
  return tries.flatMap(({ run, replayed }) => fresh.get(run) ?? replayed ?? []);
}

/** `id`: the task's id. */
function renderReplayed(id: string | undefined, { run, validity, reason }: Replayed, known: boolean): string {
  return sanitizeForTerminal(
    `${validity} ${id} (${run}): ${reason.replaceAll(/\s+/g, " ")}${known ? " (known)" : ""}`,
  );
}
