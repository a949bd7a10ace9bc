/** Stores the environments of a dataset's tasks, so that they can be made again without a network. */
import { join } from "node:path";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { makeFolders } from "../base/make-folders.ts";
import { freezeEnvironment } from "../bench/frozen.ts";
import { loadTasks } from "../bench/load-tasks.ts";
import type { GradingOptions } from "../bench/open-task.ts";
import { findEnvironment } from "../bench/rules.ts";
import { holdEnvironment } from "../bench/task-environment.ts";
import { readPublished } from "./publish/published.ts";

/** The store, in the dataset's folder. */
export const frozenFolder = "frozen";

export interface FreezeReport {
  readonly schema: "millwright.mine-freeze/1";
  readonly tasks: number;
  /** Different environments that a setup made; other tasks need only the machine's own toolchain. */
  readonly environments: number;
  readonly files: number;
  /** Bytes of all environments. */
  readonly bytes: number;
  /** Bytes in the store, which holds equal files once. */
  readonly stored: number;
}

export interface FreezeRequest {
  /** The folder of the dataset. */
  readonly folder: string;
  readonly options: GradingOptions;
  /** For people: a line for each task. */
  onTask(id: string, bytes: number): void;
}

/**
 * Stores the environments of a published dataset; makes those that are gone. After a kill, continues with the others.
 * Throws MillwrightError if the dataset is missing, or if an environment cannot be made.
 */
export async function freeze({ folder, options, onTask }: FreezeRequest): Promise<FreezeReport> {
  const published = await readPublished(folder);
  const path = join(folder, "tasks.jsonl");
  const tasks = published.candidates.length === 0 ? [] : await loadTasks({ tasks: path });
  const store = join(folder, frozenFolder);
  await makeFolders(store);
  const contents = new Map<string, number>();
  const keys = new Set<string>();
  let [files, bytes] = [0, 0];
  for (const graded of tasks) {
    options.signal.throwIfAborted();
    const { testCommand: _, limitMs: __, ...made } = findEnvironment(graded, options.rules);
    if (made.setup === undefined) continue;
    const environment = await holdEnvironment(graded.task, made, options);
    try {
      const size = await freezeEnvironment(store, environment.key, environment.repository);
      if (!keys.has(environment.key)) {
        files += size.files;
        bytes += size.bytes;
      }
      keys.add(environment.key);
      for (const [content, length] of size.contents) contents.set(content, length);
      onTask(graded.task.id, size.bytes);
    } finally {
      await environment.release();
    }
  }
  const stored = [...contents.values()].reduce((sum, length) => sum + length, 0);
  const report: FreezeReport = {
    schema: "millwright.mine-freeze/1",
    ...{ tasks: tasks.length, environments: keys.size, files, bytes, stored },
  };
  await writeFileAtomically(join(store, "report.json"), `${JSON.stringify(report, null, 2)}\n`, 0o666);
  return report;
}
