/** Queues a batch (`bench run --queue`), and opens the queue for the commands that control queued batches. */
import { statSync } from "node:fs";
import { resolve } from "node:path";
import { Option } from "commander";
import { countOf, wordFor } from "../base/count.ts";
import { describeReadError, MillwrightError } from "../base/errors.ts";
import { hashData, hashText } from "../base/hash.ts";
import { isReadOnce, readGivenFile } from "../base/regular-file.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { formatDuration } from "../base/units.ts";
import { hiddenFileOf } from "../bench/datasets/contract.ts";
import { findLacking } from "../bench/find-repository.ts";
import { hashTasks } from "../bench/load-tasks.ts";
import { openObjectStore } from "../bench/open-object-store.ts";
import { type BatchSpec, batchSpecSchema } from "../bench/queued-try.ts";
import { nameOfArm } from "../bench/reported-arms.ts";
import type { TryResult } from "../bench/try.ts";
import { readLimits } from "../llm/batch-ledger.ts";
import { mineSpecSchema } from "../mine/leased-step.ts";
import type { BatchState, JobQueue, QueuedBatch, QueueOptions } from "../queue/contract.ts";
import { openQueue } from "../queue/open-queue.ts";
import type { BatchRequest } from "../session/bench-run.ts";
import { keepObjects } from "../session/patient-store.ts";
import { countTries, retryInfrastructure, runQueuedBatch, type TryCounts } from "../session/queued-batch.ts";
import { version } from "../session/version.ts";
import { type BenchWork, sharedTestSettings } from "./bench-flags.ts";

export interface QueueFlags {
  readonly queue: string;
  readonly store: string;
}

export function queueOption(): Option {
  return new Option(
    "--queue <url>",
    "the PostgreSQL server that distributes the batch, such as postgres://USER@HOST/DATABASE",
  ).env("MILLWRIGHT_QUEUE");
}

/**
 * Reads `--queue` and `--store`; undefined if the user gives neither. `MILLWRIGHT_QUEUE` alone puts no batch on a
 * queue, because the variable also names the queue for other commands. Throws MillwrightError("usage") if the user
 * gives only one of the flags. `isGiven`: true for an option's name if the user gave its flag.
 */
export function readQueueFlags(
  { queue, store }: Partial<QueueFlags>,
  isGiven: (name: string) => boolean,
): QueueFlags | undefined {
  if (queue !== undefined && store !== undefined) return { queue, store };
  if (store === undefined && !isGiven("queue")) {
    if (queue !== undefined)
      tellNotice("MILLWRIGHT_QUEUE has no effect without --store: only this machine executes the batch");
    // Attempts do not learn where the queue is.
    delete process.env["MILLWRIGHT_QUEUE"];
    return undefined;
  }
  const missing = queue === undefined ? "--queue" : "--store";
  throw new MillwrightError(
    "usage",
    `${missing} is missing: a batch for several machines needs --queue and --store`,
    {
      hint: "--queue (or MILLWRIGHT_QUEUE) names the PostgreSQL server, --store the folder or bucket for the results of workers.",
    },
  );
}

/**
 * Throws MillwrightError("usage") if the user gives `--least-disk` or `--least-memory` together with a queue. Each
 * worker has its own limits. `isGiven`: true for an option's name if the user gave its flag.
 */
export function refuseRoomFlags(queue: QueueFlags | undefined, isGiven: (name: string) => boolean): void {
  const given = [
    ["leastDisk", "--least-disk"],
    ["leastMemory", "--least-memory"],
  ].flatMap(([name = "", flag = ""]) => (isGiven(name) ? [flag] : []));
  if (queue === undefined || given.length === 0) return;
  throw new MillwrightError("usage", `${given.join(" and ")} cannot be used with --queue`, {
    hint: `Tries run on the workers' machines. Set the limits of each worker: \`millwright worker ${given.join(" … ")} …\`.`,
  });
}

/**
 * Opens the queue at `url`, calls `work` and closes the queue. Throws MillwrightError("usage") if `url` is undefined.
 */
export async function withQueue<T>(
  url: string | undefined,
  work: (queue: JobQueue) => Promise<T>,
  patience: Omit<QueueOptions, "onNotice"> = {},
): Promise<T> {
  if (url === undefined)
    throw new MillwrightError("usage", "The address of the queue's server is missing", {
      hint: "Give the server's address with --queue, or in MILLWRIGHT_QUEUE.",
    });
  const queue = await openQueue(url, { onNotice: tellNotice, ...patience });
  try {
    return await work(queue);
  } finally {
    await queue.close();
  }
}

export function tellNotice(text: string): void {
  process.stderr.write(`${sanitizeForTerminal(`note: ${text}`)}\n`);
}

/** Queues the batch, waits for the workers, and returns their results. */
export async function queueBatch(
  work: BenchWork,
  { queue: url, store }: QueueFlags,
  batch: BatchRequest,
  name: string,
): Promise<readonly TryResult[]> {
  const { flags, file, options } = work;
  const { signal } = options;
  const shared = keepObjects(await openObjectStore(store), { signal, onNotice: tellNotice });
  const asked: Omit<BatchSpec, "unfound"> = {
    ...{ schema: "millwright.batch/1", version, file: resolve(file) },
    ...{ store: shared.name, storeId: shared.id },
    sha256: hashTasks(file),
    beside: hashBeside(work),
    epoch: flags.fresh === true ? `${new Date().toISOString()}/` : "",
    flags: sharedFlags(work),
    arms: batch.arms.map((arm) => ({ ...arm, settings: { ...arm.settings } })),
  };
  const { batchBudget } = work.values;
  const budget = typeof batchBudget === "string" ? resolve(batchBudget) : undefined;
  const { server: _, ...limits } = budget === undefined ? {} : readLimits(budget);
  const nameSpec = (own: object): string => `${name}-${hashData([own, limits, batch.attempts]).slice(0, 8)}`;
  const unfound = await listUnfound(work);
  const patience = { patienceMs: Number.POSITIVE_INFINITY, signal };
  return withQueue(
    url,
    async (queue) => {
      const spec = flags.fresh === true ? asked : await findNewest(queue, asked, nameSpec);
      const id = nameSpec(spec);
      await tellFormerStore(queue, id, spec);
      return runQueuedBatch({ ...batch, queue, shared, id, spec: { ...spec, unfound }, limits, budget });
    },
    patience,
  );
}

/**
 * Returns the request with the epoch of the newest batch that differs only in the epoch (`--fresh`). Returns the
 * unchanged request if there is none.
 */
export async function findNewest<T extends Pick<BatchSpec, "epoch">>(
  queue: Pick<JobQueue, "listBatches">,
  asked: T,
  nameSpec: (spec: T) => string,
): Promise<T> {
  const same = (await queue.listBatches()).flatMap(({ id, spec }) => {
    const own = { ...asked, epoch: batchSpecSchema.safeParse(spec).data?.epoch ?? "" };
    return nameSpec(own) === id ? [own] : [];
  });
  return same.at(-1) ?? asked;
}

/**
 * If the batch is new, tells about an earlier batch that differs only in its store. The user may only have forgotten to
 * mount that store.
 */
async function tellFormerStore(queue: JobQueue, id: string, own: Omit<BatchSpec, "unfound">): Promise<void> {
  const batches = await queue.listBatches();
  if (batches.some((batch) => batch.id === id)) return;
  const withoutStore = (spec: object): string => hashData({ ...spec, storeId: "", unfound: [] });
  const former = batches.find(({ spec }) => {
    const known = batchSpecSchema.safeParse(spec).data;
    return known !== undefined && withoutStore(known) === withoutStore(own);
  });
  if (former === undefined) return;
  tellNotice(
    `batch ${former.id} has the same tasks and arms, but a store other than ${own.store}. This command ignores that batch's results. To use them, stop this command, and run it again with the former store`,
  );
}

/**
 * Lists the ids of tasks whose base this machine lacks. The batch can run nevertheless, because workers may have the
 * bases.
 */
async function listUnfound({ tasks, options }: BenchWork): Promise<string[]> {
  const lacking = await findLacking(
    options.place,
    tasks.map(({ task }) => task),
  );
  const [problem] = lacking.values();
  if (problem !== undefined)
    tellNotice(
      `this machine lacks the base commit of ${lacking.size} of ${countOf(tasks.length, "task")}. The batch runs nevertheless, but the tries of these tasks fail on workers that lack the commit, too. The first problem: ${problem}`,
    );
  return [...lacking.keys()].map(({ id }) => id);
}

/** Flags that each machine sets for itself, such as places; all machines share the others. */
const ownFlags = new Set(
  "benchDir results logs fresh dropEnvironments json workers jobs retries leastDisk leastMemory out stopWhenDecided queue store tasks variant ablations labels consensus model strategy attempts kind without partialPatchIn backtracking rules heldBack asPublished workspace trace".split(
    " ",
  ),
);
const pathFlags = ["repo", "repositories", "hidden", "lists", "environments", "batchBudget", "agentFolder"];

/**
 * Returns the flags that all machines share. They contain the sandbox's settings from variables and the user's file,
 * too: the arms have these settings, and graders must use the same.
 */
export function sharedFlags({
  flags,
  values,
  options: { sandbox },
}: Pick<BenchWork, "flags" | "values"> & {
  readonly options: { readonly sandbox: { readonly provider: { readonly name: string } } };
}): Record<string, unknown> {
  const shared = Object.entries({ ...flags, ...sharedTestSettings(values, sandbox) }).filter(
    ([name, value]) => !ownFlags.has(name) && value !== undefined,
  );
  const absolute = shared.map(([name, value]) => [
    name,
    pathFlags.includes(name) && typeof value === "string" ? resolve(value) : value,
  ]);
  return Object.fromEntries(absolute);
}

/** Hashes the files beside the task file. A worker with other hidden parts or lists would grade differently. */
function hashBeside({ file, flags }: BenchWork): Record<string, string> {
  const hidden = hiddenFileOf({ tasks: file, hidden: flags.hidden });
  const given = [hidden, flags.lists, flags.environments].flatMap((path) =>
    path === undefined || isReadOnce(path) ? [] : [path],
  );
  return Object.fromEntries(given.map((path) => [resolve(path), hashText(readGivenFile(path))]));
}

/**
 * Compares the batch's task file, and the files of `beside`, with those of this machine. Returns the first difference,
 * such as a missing or unreadable file. Returns undefined if all files are equal.
 */
export function tasksProblem({
  file,
  sha256,
  beside,
}: Pick<BatchSpec, "file" | "sha256" | "beside">): string | undefined {
  const problems = Object.entries({ [file]: sha256, ...beside }).map(([path, hash]) =>
    fileProblem(path, hash),
  );
  return problems.find((problem) => problem !== undefined);
}

function fileProblem(file: string, sha256: string): string | undefined {
  try {
    const status = statSync(file, { throwIfNoEntry: false });
    if (status?.isFile() !== true && status?.isDirectory() !== true)
      return `${file} is missing on this machine`;
    return hashTasks(file) === sha256 ? undefined : `${file} differs on this machine`;
  } catch (error) {
    return `this machine cannot read ${file}: ${describeReadError(error)}`;
  }
}

const doneWords: Readonly<Record<BatchState, string>> = {
  paused: "paused: workers finish the batch's running tries, and start no new tries",
  running: "running",
  cancelled: "cancelled: workers stop the batch's running tries",
};

export async function steerBatch(url: string | undefined, batch: string, state: BatchState): Promise<void> {
  const text = await withQueue(url, async (queue) => {
    const known = await findQueued(queue, batch);
    if (state !== "cancelled") refuseCancelled(known);
    if (known.state === state) return `already ${state}`;
    refuseFinished(known, countTries(await queue.listJobs(batch)));
    await queue.setState(batch, state);
    return doneWords[state];
  });
  process.stdout.write(`${batch}: ${text}\n`);
}

export async function retryBatch(url: string | undefined, batch: string): Promise<void> {
  const text = await withQueue(url, async (queue) => {
    const known = await findQueued(queue, batch);
    refuseCancelled(known);
    const { id, state, spec } = known;
    if (mineSpecSchema.safeParse(spec).success)
      throw new MillwrightError("usage", `The batch ${id} is not a batch of tries`, {
        hint: "Repeat the command of `bench mine`. It queues changes with an infrastructure error again.",
      });
    return describeRetry(id, state, await retryInfrastructure(queue, id));
  });
  process.stdout.write(sanitizeForTerminal(`${text}\n`));
}

/** Tells the number of repeated tries, and the reasons why others are not repeated. */
export function describeRetry(
  id: string,
  state: BatchState,
  { tries, waiting, active, ended, infrastructureErrors: again }: TryCounts,
): string {
  const others = [
    [ended - again, "ended without an infrastructure error"],
    [waiting, wordFor(waiting, "already waits", "already wait")],
    [active, wordFor(active, "still runs", "still run")],
  ] as const;
  const left = others.filter(([count]) => count > 0).map(([count, why]) => `${count} ${why}`);
  return [
    again === 0
      ? `${id}: no try is queued again, because none ended with an infrastructure error`
      : `${id}: ${again} of ${countOf(tries, "try", "tries")} ${wordFor(again, "is", "are")} queued again, because ${wordFor(again, "it", "they")} ended with an infrastructure error`,
    ...(left.length === 0 ? [] : [`  not queued again: ${left.join(", ")}`]),
    ...(state === "paused"
      ? [`  the batch is paused. Continue it with \`millwright bench resume ${id}\``]
      : []),
    ...(again === 0
      ? []
      : ["  A waiting `bench run` collects the results. If `bench run` has ended, repeat its command"]),
  ].join("\n");
}

export async function printBatches(url: string | undefined, json: boolean): Promise<void> {
  const rows = await withQueue(url, async (queue) => {
    const described = [];
    for (const batch of await queue.listBatches())
      described.push({ batch, counts: countTries(await queue.listJobs(batch.id)) });
    return described;
  });
  const text = json
    ? `${JSON.stringify({ schema: "millwright.bench-batches/1", batches: rows.map(batchRow) }, null, 2)}\n`
    : rows.length === 0
      ? "The queue has no batches.\n"
      : rows.map(({ batch, counts }) => sanitizeForTerminal(`${describeBatch(batch, counts)}\n`)).join("");
  process.stdout.write(text);
}

function batchRow({ batch, counts }: { readonly batch: QueuedBatch; readonly counts: TryCounts }) {
  const { spec, openedMs, quietMs, ready: _, isLeft: _left, ...row } = batch;
  const { file, arms } = batchSpecSchema.safeParse(spec).data ?? {};
  return {
    ...{ ...row, finished: isFinished(batch, counts), ...counts },
    ...{ tasks: file, arms: arms?.map(({ strategy, model }) => ({ strategy, model })) },
    openedSecondsAgo: Math.round(openedMs / 1000),
    lastResultSecondsAgo: quietMs === null ? null : Math.round(quietMs / 1000),
  };
}

function isFinished({ state }: QueuedBatch, { tries, ended }: TryCounts): boolean {
  return state !== "cancelled" && tries > 0 && ended === tries;
}

/** Renders two lines: the batch's progress, and its arms and tasks. */
export function describeBatch(batch: QueuedBatch, counts: TryCounts): string {
  const { id, state, spec, openedMs, quietMs } = batch;
  const { tries, waiting, active, ended, infrastructureErrors: failed } = counts;
  const isOver = isFinished(batch, counts);
  // A cancellation drops the waiting tries.
  const of =
    state === "cancelled" ? countOf(ended, "try", "tries") : `${ended} of ${countOf(tries, "try", "tries")}`;
  const parts = [
    `${of} ended${failed === 0 ? "" : `, ${failed} of them with an infrastructure error`}`,
    ...(isOver || state === "cancelled" ? [] : [`${waiting} waiting, ${active} at workers`]),
    `opened ${formatDuration(openedMs)} ago${quietMs === null ? "" : `, last result ${formatDuration(quietMs)} ago`}`,
  ];
  return `${id}: ${isOver ? "finished" : state}; ${parts.join("; ")}\n  ${describeSpec(spec)}`;
}

function describeSpec(spec: unknown): string {
  const tries = batchSpecSchema.safeParse(spec).data;
  if (tries !== undefined) return `${tries.arms.map(nameOfArm).join(" and ")} on ${tries.file}`;
  const mining = mineSpecSchema.safeParse(spec).data;
  return mining === undefined ? "of another version of Millwright" : `mining of ${mining.clone}`;
}

async function findQueued(queue: JobQueue, batch: string): Promise<QueuedBatch> {
  const known = await queue.listBatches();
  const found = known.find(({ id }) => id === batch);
  if (found !== undefined) return found;
  throw new MillwrightError("usage", `The queue has no batch ${batch}`, {
    hint: `Its batches: ${known.map(({ id }) => id).join(", ") || "none"}.`,
  });
}

function refuseFinished(batch: QueuedBatch, counts: TryCounts): void {
  if (!isFinished(batch, counts)) return;
  const { tries, infrastructureErrors: failed } = counts;
  throw new MillwrightError("usage", `The batch ${batch.id} has finished: all tries (${tries}) have ended`, {
    hint:
      failed === 0
        ? "Repeat the command that started the batch to collect the results."
        : `${countOf(failed, "try", "tries")} ended with an infrastructure error. Queue ${wordFor(failed, "it", "them")} again with \`millwright bench retry ${batch.id} --infrastructure\`, or with the command of \`bench mine\` that started the batch.`,
  });
}

/** Refuses a cancelled batch: only the command that started it queues its dropped jobs again. */
function refuseCancelled({ id, state, spec }: Pick<QueuedBatch, "id" | "state" | "spec">): void {
  if (state !== "cancelled") return;
  if (mineSpecSchema.safeParse(spec).success)
    throw new MillwrightError("usage", `The batch ${id} is cancelled: workers take no jobs of it`, {
      hint: "Repeat the command of `bench mine` to continue.",
    });
  const isFresh = (batchSpecSchema.safeParse(spec).data?.epoch ?? "") !== "";
  throw new MillwrightError("usage", `The batch ${id} is cancelled: workers take no tries of it`, {
    hint: `Repeat the \`bench run --queue …\` command that started the batch${isFresh ? ", without --fresh" : ""}. It keeps the earlier results.`,
  });
}
