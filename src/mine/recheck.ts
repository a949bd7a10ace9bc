/** Checks the tasks of a dataset again in new environments, and retires those that no longer fit. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { openJsonlWriter, readJsonl } from "../base/jsonl.ts";
import { type CheckResult, checkJob } from "../bench/check-task.ts";
import type { GradedTask } from "../bench/graded-task.ts";
import { executeJob } from "../bench/job.ts";
import { loadTasks } from "../bench/load-tasks.ts";
import { runPool } from "../bench/pool.ts";
import { frozenFolder } from "./freeze.ts";
import { openHistoryTrees } from "./history-trees.ts";
import type { Card } from "./publish/card.ts";
import { publish } from "./publish/publish.ts";
import { readPublished, settingsOf } from "./publish/published.ts";
import type { Retired } from "./publish/versions.ts";
import type { MineRequest } from "./settings.ts";

export interface Rechecked {
  readonly card: Card;
  readonly fit: number;
  readonly retired: readonly Retired[];
  readonly unchecked: readonly Retired[];
}

export interface RecheckRequest
  extends Omit<MineRequest, "onVerdict" | "onStep" | "onProgress" | "environment"> {
  readonly repeats: number;
  /** True to retire also tasks whose environment Millwright cannot make. */
  readonly retiresUnbuilt: boolean;
  /** True to restore the stored environments instead of running setups. Excludes `retiresUnbuilt`. */
  readonly isFrozen: boolean;
  onResult(result: CheckResult): void;
}

/**
 * Checks a dataset's tasks again. After a kill, a new call continues the same round. Throws MillwrightError if the
 * dataset is missing or the disk fails, and AbortError if the signal stops it.
 */
export async function recheck(request: RecheckRequest): Promise<Rechecked> {
  const { folder, options } = request;
  const published = await readPublished(folder);
  const log = join(folder, "rechecks.jsonl");
  const round = (await readJsonl(log)).length + 1;
  const directory = join(options.directory, `recheck-${round}`);
  const path = join(folder, "tasks.jsonl");
  const tasks = published.candidates.length === 0 ? [] : await loadTasks({ tasks: path });
  const results = await checkAll(request, tasks, { round, directory });
  const unbuilt = rejectedIn(results, "infrastructure-error", request.isFrozen);
  const unfit = rejectedIn(results, "unfit", request.isFrozen);
  const retired = [...unfit, ...(request.retiresUnbuilt ? unbuilt : [])];
  const unchecked = request.retiresUnbuilt ? [] : unbuilt;
  const settings = settingsOf(published, request.settings);
  const trees = await openHistoryTrees(join(options.directory, "history"), settings.gitDirectory);
  try {
    const card = await publish({ ...published, settings, folder, trees, retired });
    const fit = results.filter(({ state }) => state === "fit").length;
    // An unfinished round continues, so a task that could not be checked is tried again.
    if (unchecked.length === 0) {
      const ids = retired.map(({ id }) => id);
      await closeRound(log, directory, {
        ...{ version: card.version, frozen: request.isFrozen, fit, retired: ids },
      });
    }
    return { card, fit, retired, unchecked };
  } finally {
    trees.close();
  }
}

/**
 * Lists the tasks that ended in `state`, with the reason. Tells if the environment was a stored one: retired tasks
 * never return, so people need the full reason.
 */
export function rejectedIn(
  results: readonly Pick<CheckResult, "id" | "state" | "exceptions">[],
  state: CheckResult["state"],
  isFrozen: boolean,
): Retired[] {
  const place = isFrozen ? "in its stored environment: " : "";
  return results
    .filter((each) => each.state === state)
    .map(({ id, exceptions }) => ({ id, cause: state, detail: `${place}${exceptions[0] ?? ""}` }));
}

interface Round {
  readonly round: number;
  /** The folder of this round's environments. */
  readonly directory: string;
}

async function checkAll(
  request: RecheckRequest,
  tasks: readonly GradedTask[],
  { round, directory }: Round,
): Promise<CheckResult[]> {
  const { store, conditions, workers, repeats, isFrozen, folder } = request;
  const frozen = isFrozen ? join(folder, frozenFolder) : undefined;
  const options = { ...request.options, directory, frozen };
  const inputs = [conditions, "recheck", round, ...(isFrozen ? ["frozen"] : [])];
  return runPool(tasks, {
    ...{ workers, retries: 0, signal: options.signal },
    async work(task) {
      const job = checkJob(task, repeats, options, inputs);
      return (await executeJob(job, store, options.signal)).result;
    },
    isRetried: () => false,
    onResult: request.onResult,
  });
}

async function closeRound(
  log: string,
  directory: string,
  line: { version: number; frozen: boolean; fit: number; retired: readonly string[] },
): Promise<void> {
  const writer = openJsonlWriter(log);
  try {
    writer.append({ schema: "millwright.mine-recheck/1", ...line });
  } finally {
    writer.close();
  }
  await rm(directory, { recursive: true, force: true });
}
