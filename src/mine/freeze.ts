/** Stores the environments of a dataset's tasks, so that Millwright can make them again without a network. */
import { join } from "node:path";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { type ErrorCode, MillwrightError } from "../base/errors.ts";
import { makeFolders } from "../base/make-folders.ts";
import { formatSize } from "../base/units.ts";
import { type FrozenSize, freezeEnvironment } from "../bench/frozen.ts";
import type { GradedTask } from "../bench/graded-task.ts";
import { loadTasks } from "../bench/load-tasks.ts";
import type { GradingOptions } from "../bench/open-task.ts";
import { findEnvironment } from "../bench/rules.ts";
import { holdEnvironment } from "../bench/task-environment.ts";
import type { HostEnvironment } from "../workspace/environment.ts";
import { readPublished } from "./publish/published.ts";

/** The store, in the dataset's folder. */
export const frozenFolder = "frozen";

export interface FreezeReport {
  readonly schema: "millwright.mine-freeze/1";
  readonly tasks: number;
  /** Number of different environments that setups made. Other tasks need only the machine's own toolchain. */
  readonly environments: number;
  readonly files: number;
  /** Total bytes of all environments. */
  readonly bytes: number;
  /** Bytes in the store, which stores equal files once. */
  readonly stored: number;
  /** Tasks whose environment Millwright could not make or store. */
  readonly failed: readonly { readonly id: string; readonly reason: string }[];
}

export interface FreezeRequest {
  /** The folder of the dataset. */
  readonly folder: string;
  readonly options: GradingOptions;
  /** Shows people a line for each task. */
  onTask(id: string, result: string): void;
}

/** Codes of errors that leave other tasks' environments unaffected. */
const ofOneTask = new Set<ErrorCode>(["repository", "network"]);

/**
 * Stores the environments of a published dataset. First rebuilds missing environments. Skips environments that it
 * cannot make or store. After a kill, the same call continues. Throws MillwrightError if the dataset is missing or the
 * disk fails. Throws AbortError if the signal stops it.
 */
export async function freeze({ folder, options, onTask }: FreezeRequest): Promise<FreezeReport> {
  const published = await readPublished(folder);
  const path = join(folder, "tasks.jsonl");
  const tasks = published.candidates.length === 0 ? [] : await loadTasks({ tasks: path });
  const root = join(folder, frozenFolder);
  await makeFolders(root);
  const contents = new Map<string, number>();
  const keys = new Set<string>();
  let [files, bytes] = [0, 0];
  const failed: { id: string; reason: string }[] = [];
  for (const graded of tasks) {
    options.signal.throwIfAborted();
    const { id } = graded.task;
    try {
      const held = await store(graded, root, options);
      if (held === undefined) continue;
      const { key, size } = held;
      if (!keys.has(key)) {
        files += size.files;
        bytes += size.bytes;
      }
      keys.add(key);
      for (const [content, length] of size.contents) contents.set(content, length);
      onTask(id, formatSize(size.bytes));
    } catch (error) {
      if (!(error instanceof MillwrightError) || !ofOneTask.has(error.code)) throw error;
      const reason = [error.message, error.hint ?? ""].join(". ");
      failed.push({ id, reason });
      onTask(id, `not stored: ${reason}`);
    }
  }
  const stored = [...contents.values()].reduce((sum, length) => sum + length, 0);
  const report: FreezeReport = {
    schema: "millwright.mine-freeze/1",
    ...{ tasks: tasks.length, environments: keys.size, files, bytes, stored, failed },
  };
  await writeFileAtomically(join(root, "report.json"), `${JSON.stringify(report, null, 2)}\n`, 0o666);
  return report;
}

/** Stores a task's environment. Undefined if the task has no setup. */
async function store(
  graded: GradedTask,
  folder: string,
  options: GradingOptions,
): Promise<{ key: string; size: FrozenSize } | undefined> {
  const { testCommand: _, limitMs: __, ...made } = findEnvironment(graded, options.rules);
  if (made.setup === undefined) return undefined;
  const environment = await holdEnvironment(graded.task, made, options);
  try {
    const { key, repository } = environment;
    const secrets = secretValues(options.setupVariables, options.hostEnvironment);
    const size = await freezeEnvironment({ folder, key, repository, secrets, signal: options.signal });
    return { key, size };
  } finally {
    await environment.release();
  }
}

/**
 * Returns the secret values among the variables for setups. A path, or an address without a password, is not a secret.
 */
export function secretValues(names: readonly string[], environment: HostEnvironment): string[] {
  const values = names.map((name) => environment[name]?.trim() ?? "");
  return values
    .filter((value) => !/^(?:\/|\w+:\/\/[^@?]*$)/.test(value))
    .flatMap((value) => (URL.canParse(value) ? [value, new URL(value).password] : value));
}
