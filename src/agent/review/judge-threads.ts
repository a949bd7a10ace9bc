/**
 * Runs the checks of texts on a thread. A text can be made so that a parser or a regular expression reads it for hours.
 * The thread ends at a limit, and this process stays responsive: its limits, its signals, and its heartbeat.
 */
import { getHeapStatistics } from "node:v8";
import { Worker } from "node:worker_threads";
import { isSystemError } from "../../base/errors.ts";
import { compileCacheFolder, ownModule } from "../../base/own-files.ts";
import { fail, type Result, succeed } from "../../base/result.ts";
import type { RanInside } from "../../judging/test-spans.ts";
import type { TreeEntry } from "../../workspace/contract.ts";
import type { JudgeContext } from "../action.ts";
import type { InputOf, OutputOf, TextJudge } from "./text-judges.ts";

/** A call of one judge. The thread asks for the repository's files while it works. */
export interface JudgeCall<Name extends TextJudge> {
  readonly judge: Name;
  readonly input: InputOf<Name>;
  readonly base: string;
  /** The answers of `TestRegions` for known files. */
  readonly whole: ReadonlySet<string>;
  readonly inside: ReadonlyMap<string, RanInside>;
}

/** A question about a tree: the file at a path, or the list of all files. */
export interface TreeQuestion {
  readonly id: number;
  readonly tree: string;
  readonly path?: string;
}
/** An answer has one of the two. */
export interface TreeAnswer {
  readonly id: number;
  readonly bytes?: Uint8Array | undefined;
  readonly listed?: readonly TreeEntry[];
}
export type JudgeMessage<Result> =
  | { readonly asks: TreeQuestion }
  | { readonly result: Result }
  | { readonly error: string };

/** Why a call gave no result: the patch cannot be judged. */
export type Judged<T> = Result<T, "unread">;

export type ThreadContext = Pick<JudgeContext, "workspace" | "regions"> &
  Partial<Pick<JudgeContext, "limits" | "signal">>;

/** Milliseconds. The checks of an ordinary patch take less than a second. */
const longestTime = 120_000;
/** Milliseconds that a run's own limit does not take away. */
const leastTime = 20_000;
/** Milliseconds after which an idle thread ends. WebAssembly never gives memory back. */
const longestIdle = 60_000;
/** Limits the thread's heap as this process is limited. A changed bundle of 4 MB needs more than 1 GB. */
const mostMegabytes = Math.max(1024, Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20));

let idle: { readonly worker: Worker; readonly end: NodeJS.Timeout } | undefined;

/**
 * Runs a judge on a thread. `input` and the result are plain data. Fails if the judge takes too long, needs too much
 * memory, or throws. Throws what reading the repository throws, and the signal's reason.
 */
export async function judgeOnThread<Name extends TextJudge>(
  name: Name,
  context: ThreadContext,
  input: InputOf<Name>,
  timeMs = timeFor(context),
): Promise<Judged<OutputOf<Name>>> {
  const { workspace, signal } = context;
  signal?.throwIfAborted();
  const call = await prepareCall(name, context, input);
  signal?.throwIfAborted();
  const worker = takeWorker();
  const answered = Promise.withResolvers<Judged<OutputOf<Name>>>();
  const giveUp = (why: string): void => answered.resolve(fail("unread", `The checks ${why}.`));
  const timer = setTimeout(() => giveUp(`cannot read the patch within ${timeMs / 1000} s`), timeMs);
  const abort = (): void => answered.reject(signal?.reason);
  signal?.addEventListener("abort", abort);
  worker.on("message", (message: JudgeMessage<OutputOf<Name>>) => {
    if ("result" in message) answered.resolve(succeed(message.result));
    else if ("error" in message) giveUp(`fail on the patch (${message.error})`);
    else answer(workspace.trees, message.asks).then((told) => worker.postMessage(told), answered.reject);
  });
  const giveUpOnError = (error: Error): void => giveUp(tellError(error));
  worker.on("error", giveUpOnError);
  worker.on("exit", () => giveUp("ended early"));
  let isReusable = false;
  try {
    worker.postMessage(call);
    const result = await answered.promise;
    isReusable = result.ok;
    return result;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    worker.removeAllListeners("message").removeAllListeners("exit").off("error", giveUpOnError);
    if (isReusable) keepWorker(worker);
    else void worker.terminate();
  }
}

/** Explains an error of a thread, as the rest of a sentence that begins with "The checks". */
export function tellError(error: Error): string {
  return isSystemError(error, "ERR_WORKER_OUT_OF_MEMORY")
    ? `need more memory for the patch than they may have (${mostMegabytes} MB)`
    : `fail on the patch (${error.message})`;
}

function timeFor({ limits }: ThreadContext): number {
  return limits === undefined
    ? longestTime
    : Math.min(longestTime, Math.max(leastTime, limits.remainingMs()));
}

async function prepareCall<Name extends TextJudge>(
  judge: Name,
  { workspace: { trees, base }, regions }: ThreadContext,
  input: InputOf<Name>,
): Promise<JudgeCall<Name>> {
  const files = "files" in input ? input.files : [];
  const within = "within" in input ? input.within : [];
  const listed = await Promise.all([base, ...within].map((tree) => trees.list(tree)));
  const paths = [...new Set([...listed.flat(), ...files].map(({ path }) => path))];
  const inside = paths.map((path): [string, RanInside] => [path, regions.inside(path)]);
  return {
    ...{ judge, input, base },
    whole: new Set(paths.filter((path) => regions.isWhole(path))),
    inside: new Map(inside.filter(([, { items, examples }]) => items || examples)),
  };
}

async function answer(
  trees: ThreadContext["workspace"]["trees"],
  { id, tree, path }: TreeQuestion,
): Promise<TreeAnswer> {
  if (path === undefined) return { id, listed: await trees.list(tree) };
  const bytes = await trees.read(tree, path);
  // A message copies the whole block of memory that a buffer is a part of.
  return { id, bytes: bytes && new Uint8Array(bytes) };
}

/** Starts a thread while tests run, so that the next judge need not wait 0.3 s for it. */
export function warmJudge(): void {
  if (idle === undefined) keepWorker(startWorker());
}

function startWorker(): Worker {
  const worker = new Worker(ownModule("agent/review/judge-worker"), {
    workerData: { compiled: compileCacheFolder() },
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  // Without a listener, an error that comes late would end this process.
  return worker.on("error", () => {});
}

function takeWorker(): Worker {
  const kept = idle;
  idle = undefined;
  if (kept === undefined) return startWorker();
  clearTimeout(kept.end);
  kept.worker.removeAllListeners("exit").ref();
  return kept.worker;
}

function keepWorker(worker: Worker): void {
  if (idle !== undefined) return void worker.terminate();
  const end = setTimeout(() => {
    idle = undefined;
    void worker.terminate();
  }, longestIdle);
  end.unref();
  worker.unref();
  worker.once("exit", () => {
    if (idle?.worker === worker) idle = undefined;
  });
  idle = { worker, end };
}
