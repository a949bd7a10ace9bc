/** `bench mine --queue`: lets the workers of a queue decide changes, and opens mining batches for a worker. */
import { rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { z } from "zod";
import { MillwrightError } from "../base/errors.ts";
import { hashData } from "../base/hash.ts";
import { findLacking } from "../bench/find-repository.ts";
import { groupOf } from "../bench/queued-try.ts";
import { openResultStore } from "../bench/result-store.ts";
import { openHistoryTrees } from "../mine/history-trees.ts";
import {
  type MineSpec,
  nameOfSlowJob,
  openLeasedSteps,
  packSlowJob,
  readSlowEnd,
} from "../mine/leased-step.ts";
import { readHead } from "../mine/pipeline.ts";
import type { MineRequest } from "../mine/settings.ts";
import { withBenchSession } from "../session/bench-session.ts";
import { gradingUntil } from "../session/leased-batch.ts";
import { BatchCancelledError, openQueuedJobs } from "../session/queued-jobs.ts";
import { version } from "../session/version.ts";
import type { BatchWork } from "../session/worker-loop.ts";
import { readQueuedSettings, sharedTestSettings } from "./bench-flags.ts";
import { withQueue } from "./bench-queue.ts";
import { hostOf } from "./host.ts";

interface GivenSettings {
  readonly flags: Readonly<Record<string, unknown>>;
  /** The settings from flags, variables and the user's file. */
  readonly values: Readonly<Record<string, unknown>>;
}

/** Performs `work` with the workers of the queue at `url`; without a queue if `url` is undefined. */
export async function withMiningQueue<T>(
  url: string | undefined,
  request: MineRequest,
  given: GivenSettings,
  work: (request: MineRequest) => Promise<T>,
): Promise<T> {
  if (url === undefined) return work(request);
  const { settings, options, conditions, folder, store } = request;
  const { signal } = options;
  const spec: MineSpec = {
    ...{ schema: "millwright.mine-batch/1", version, repository: settings.repository },
    clone: settings.gitDirectory,
    head: await readHead(settings.gitDirectory),
    conditions: hashData([conditions]),
    epoch: store.isFresh ? new Date().toISOString() : "",
    flags: sharedFlags(given, options.sandbox),
  };
  const id = nameMiningBatch(folder, spec);
  const patience = { patienceMs: Number.POSITIVE_INFINITY, signal };
  return withQueue(
    url,
    async (queue) => {
      const group = groupOf(settings.repository);
      const jobs = await openQueuedJobs({ queue, id, spec, group, host: hostOf(), signal });
      request.onProgress(`the batch is ${id}; \`millwright worker\` on any machine works on it`);
      const elsewhere: MineRequest["elsewhere"] = async (job) =>
        readSlowEnd(await jobs.run(nameOfSlowJob(job), packSlowJob(job)));
      return work({ ...request, elsewhere }).catch(asInterrupt);
    },
    patience,
  );
}

/**
 * Names the batch of a dataset's folder. The queue allows only some characters in names. The hash also covers the
 * folder's name, so different folders have different batches.
 */
export function nameMiningBatch(folder: string, spec: object): string {
  const name = basename(folder);
  return `mine-${name.replaceAll(/[^\w.-]/g, "-")}-${hashData([spec, name]).slice(0, 8)}`;
}

function asInterrupt(error: unknown): never {
  if (!(error instanceof BatchCancelledError)) throw error;
  throw new MillwrightError("interrupted", error.message, {
    hint: "Run the same command again to continue.",
  });
}

/**
 * Returns the flags and settings that decide in which sandbox, and with which limits, tests run. Without those from
 * variables and the user's file, a worker would refuse the batch.
 */
export function sharedFlags(
  { flags, values }: GivenSettings,
  sandbox: { readonly provider: { readonly name: string } },
): Record<string, unknown> {
  const limits = ["setupVariable", "timeLimit", "testTimeout"].filter((name) => flags[name] !== undefined);
  return {
    ...Object.fromEntries(limits.map((name) => [name, flags[name]])),
    ...sharedTestSettings(values, sandbox),
  };
}

export interface MiningWorker {
  readonly batch: string;
  readonly spec: MineSpec;
  /** The worker's folder of environments and results. */
  readonly directory: string;
  readonly signal: AbortSignal;
}

/** Opens a mining batch on this machine. Throws MillwrightError if this machine cannot work on it. */
export async function withLeasedSteps(
  { batch, spec, directory, signal }: MiningWorker,
  work: (steps: BatchWork) => Promise<void>,
): Promise<void> {
  const { repository, clone, head, flags } = spec;
  const host = hostOf();
  const { settings } = readQueuedSettings(flags);
  const { setupVariable, timeLimit, testTimeout } = limitsSchema.parse(flags);
  const [problem] = (await findLacking({ repo: clone }, [{ repository, baseCommit: head }])).values();
  if (problem !== undefined)
    throw new MillwrightError("repository", problem, {
      hint: "Store the clone under the same path on every machine.",
    });
  const history = join(directory, "history", batch);
  const session = {
    ...{ host, settings, owner: `mine-${process.pid}`, place: { repo: clone }, rules: [], directory, signal },
    ...{ setupVariables: setupVariable, limitMs: timeLimit, testLimitMs: testTimeout },
    ...{ dropEnvironments: false, patchLimit: Number.MAX_SAFE_INTEGER, isFolderOpen: true },
  };
  await withBenchSession(session, async ({ options, conditions }) => {
    if (hashData([conditions]) !== spec.conditions)
      throw new MillwrightError(
        "usage",
        "this machine's sandbox or its settings differ from those of `bench mine`",
      );
    const store = await openResultStore(join(directory, "results", "mine"), spec.epoch !== "");
    const trees = await openHistoryTrees(history, clone);
    const optionsFor = (own: AbortSignal) => gradingUntil(options, AbortSignal.any([signal, own]), host);
    try {
      await work(openLeasedSteps({ gitDirectory: clone, trees, store, optionsFor }));
    } finally {
      trees.close();
      await rm(history, { recursive: true, force: true });
    }
  });
}

const limitsSchema = z.looseObject({
  setupVariable: z.array(z.string()),
  timeLimit: z.number(),
  testTimeout: z.number(),
});
