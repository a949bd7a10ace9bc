/**
 * Runs the checks of texts on a thread. An adversarial text can make a parser or a regular expression run for hours.
 * The thread ends at a limit. This process stays responsive, with its limits, signals and heartbeat.
 */
import { setTimeout as pause } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { Worker } from "node:worker_threads";
import { z } from "zod";
import { isSystemError } from "../../../base/errors.ts";
import { hashData, hashText } from "../../../base/hash.ts";
import { compileCacheFolder, ownModule } from "../../../base/own-files.ts";
import { fail, type Result, succeed } from "../../../base/result.ts";
import type { RanInside } from "../../../judging/test-spans.ts";
import type { TreeEntry } from "../../../workspace/contract.ts";
import type { JudgeContext } from "../../action.ts";
import type { Clock } from "../../record/recorder.ts";
import type { InputOf, OutputOf, TextJudge } from "./text-judges.ts";

/** A call of one judge. The thread asks for the repository's files while it works. */
export interface JudgeCall<Name extends TextJudge> {
  readonly judge: Name;
  readonly input: InputOf<Name>;
  readonly base: string;
  /** The answers of `TestRegions` for the known files: files that are tests as a whole, and tests inside files. */
  readonly whole: ReadonlySet<string>;
  readonly inside: ReadonlyMap<string, RanInside>;
}

/** A thread's question about a tree: the file at a path, or the list of all files. */
export interface TreeQuestion {
  readonly id: number;
  readonly tree: string;
  readonly path?: string;
}
/** The answer to a question: the file's bytes, or the list. It has neither if the file does not exist. */
export interface TreeAnswer {
  readonly id: number;
  readonly bytes?: Uint8Array | undefined;
  readonly listed?: readonly TreeEntry[];
}
export type JudgeMessage<Result> =
  /** The first message: the thread has started. */
  | { readonly isReady: true }
  | { readonly asks: TreeQuestion }
  | { readonly result: Result }
  | { readonly error: string };

/**
 * A call's result, or the reason why it gave none. Without a result, Millwright cannot judge the patch. `late`: a limit
 * of time or memory ended the call.
 */
export type Judged<T> = Result<T, "unread" | "late">;

export type ThreadContext = Pick<JudgeContext, "workspace" | "regions"> &
  Partial<Pick<JudgeContext, "limits" | "recorder" | "signal">>;

/** Time limit of a call in milliseconds. The checks of an ordinary patch take less than a second. */
const longestTime = 120_000;
/** Minimum milliseconds for a call, whatever the run's own limit. */
const leastTime = 5_000;
/** Milliseconds after which an idle thread ends. WebAssembly never gives memory back. */
const longestIdle = 60_000;
/**
 * Megabytes of the thread's heap, with the same limit as this process. A changed bundle of 4 MB needs more than 1 GB.
 */
const mostMegabytes = Math.max(1024, Math.floor(getHeapStatistics().heap_size_limit / 2 ** 20));

/** Milliseconds before Millwright tries again to start a thread. */
const pauseMs = 1_000;
/** Factor for a replay's time, if the recorded run met no limit. A slow machine must not change the verdict. */
const patience = 4;

let idle: { readonly worker: Worker; readonly end: NodeJS.Timeout } | undefined;

/**
 * Why a thread gave no result. `limit`: a faster or larger machine may give a result. `start`: the thread did not
 * start.
 */
interface Unread {
  readonly why: string;
  readonly by: "limit" | "start" | "text";
}
type Answered<T> = { readonly value: T } | Unread;

/**
 * Runs a judge on a thread. `input` and the result are plain data. Returns a failure if the judge throws, takes too
 * long or needs too much memory, or if no thread starts. Throws errors of reading the repository, and the signal's
 * reason. If a call met a limit in the recorded run, a replay returns the same failure. `start` starts a thread if none
 * is idle.
 */
export async function judgeOnThread<Name extends TextJudge>(
  name: Name,
  context: ThreadContext,
  input: InputOf<Name>,
  timeMs = timeFor(context),
  start = startWorker,
): Promise<Judged<OutputOf<Name>>> {
  const clock = context.recorder?.clock;
  const keyOf = (): string => keyOfCall(name, input);
  const known = clock?.isReplay === true ? metSchema.safeParse(clock.recall(keyOf())).data : undefined;
  if (known !== undefined) return fail("late", known.met);
  const givenMs = clock?.isReplay === true ? Math.max(timeMs, timeFor(context, patience)) : timeMs;
  context.signal?.throwIfAborted();
  const call = await prepareCall(name, context, input);
  const answers = clock === undefined ? undefined : answersIn(clock)[name];
  const id = answers && idOfCall(call);
  const earlier = id === undefined ? undefined : answers?.get(id);
  if (earlier !== undefined) return succeed(earlier.value);
  let answered = await askThread<OutputOf<Name>>(context, call, givenMs, start);
  if ("by" in answered && answered.by === "start") {
    await pause(pauseMs);
    answered = await askThread<OutputOf<Name>>(context, call, givenMs, start);
  }
  if ("value" in answered) {
    if (clock !== undefined) forgetLimit(clock, keyOf);
    if (id !== undefined) answers?.set(id, answered);
    return succeed(answered.value);
  }
  const met = `The checks ${answered.why}.`;
  if (answered.by !== "limit") return fail("unread", met);
  if (clock !== undefined) keepLimit(clock, keyOf(), met);
  return fail("late", met);
}

/** The results of a judge's earlier calls, by `idOfCall`. */
type Answers = { readonly [Name in TextJudge]: Map<string, { readonly value: OutputOf<Name> }> };

/**
 * Maps each run to the results of its judges. A run judges the same patch several times: after its tests, in a review,
 * at its proposal and at its end. In large files, a call takes minutes.
 */
const answeredIn = new WeakMap<Clock, Answers>();

function answersIn(clock: Clock): Answers {
  const known = answeredIn.get(clock);
  if (known !== undefined) return known;
  const answers: Answers = {
    reading: new Map(),
    objections: new Map(),
    check: new Map(),
    twins: new Map(),
    parts: new Map(),
    examples: new Map(),
    values: new Map(),
    probed: new Map(),
  };
  answeredIn.set(clock, answers);
  return answers;
}

/** Identifies a call by its whole message. Undefined for a message that is no plain data, or too long for one text. */
function idOfCall(call: JudgeCall<TextJudge>): string | undefined {
  let isPlain = true;
  try {
    const text = JSON.stringify(call, (_, value: unknown) => {
      isPlain &&= typeof value !== "function" && typeof value !== "bigint";
      if (!isPlain) return null;
      return value instanceof Map || value instanceof Set ? [value.constructor.name, ...value] : value;
    });
    return isPlain ? hashText(text) : undefined;
  } catch (error) {
    // A text has at most 512 MB. The thread gets the message in another form.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Maps each run to the calls that reached a limit and have not succeeded since. */
const lateIn = new WeakMap<Clock, Set<string>>();

function keepLimit(clock: Clock, key: string, met: string): void {
  lateIn.set(clock, new Set(lateIn.get(clock)).add(key));
  clock.keep(key, { met });
}

/**
 * Forgets that a call reached a limit, because a later call with the same texts ended in time and decided the verdict.
 */
function forgetLimit(clock: Clock, keyOf: () => string): void {
  const late = lateIn.get(clock);
  if (late !== undefined && late.size > 0 && late.delete(keyOf())) clock.keep(keyOf(), {});
}

const metSchema = z.object({ met: z.string() });

async function askThread<T>(
  { workspace, signal }: ThreadContext,
  call: JudgeCall<TextJudge>,
  timeMs: number,
  start: () => Worker,
): Promise<Answered<T>> {
  signal?.throwIfAborted();
  const worker = takeWorker(start);
  if (!(worker instanceof Worker)) return worker;
  const answered = Promise.withResolvers<Answered<T>>();
  const giveUp = (why: string, by: Unread["by"], reason = why): void =>
    answered.resolve(ready.has(worker) ? { why, by } : notStarted(reason));
  const late = { why: `cannot read the patch within ${timeMs / 1000} s`, by: "limit" } as const;
  const timer = setTimeout(() => answered.resolve(late), timeMs);
  const abort = (): void => answered.reject(signal?.reason);
  signal?.addEventListener("abort", abort);
  worker.on("message", (message: JudgeMessage<T>) => {
    if ("isReady" in message) return;
    if ("result" in message) answered.resolve({ value: message.result });
    else if ("error" in message) giveUp(`fail on the patch (${message.error})`, "text");
    else answer(workspace.trees, message.asks).then((told) => worker.postMessage(told), answered.reject);
  });
  const giveUpOnError = (error: Error): void =>
    giveUp(tellError(error), isOutOfMemory(error) ? "limit" : "text", error.message);
  worker.on("error", giveUpOnError);
  worker.on("exit", () => giveUp("ended early", "text"));
  let isReusable = false;
  try {
    worker.postMessage(call);
    const result = await answered.promise;
    isReusable = "value" in result;
    return result;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
    worker.removeAllListeners("message").removeAllListeners("exit").off("error", giveUpOnError);
    if (isReusable) keepWorker(worker);
    else void worker.terminate();
  }
}

function notStarted(why: string): Unread {
  return { why: `need a thread, which does not start (${why})`, by: "start" };
}

/** Explains a thread's error, as words that continue "The checks". */
export function tellError(error: Error): string {
  return isOutOfMemory(error)
    ? `need more than ${mostMegabytes} MB of memory for the patch`
    : `fail on the patch (${error.message})`;
}

function isOutOfMemory(error: Error): boolean {
  return isSystemError(error, "ERR_WORKER_OUT_OF_MEMORY");
}

function timeFor({ limits }: ThreadContext, factor = 1): number {
  const longest = factor * longestTime;
  return limits === undefined ? longest : Math.min(longest, Math.max(leastTime, limits.remainingMs()));
}

/** Returns a key for equal calls. Omits the state, because its durations differ between runs. */
function keyOfCall<Name extends TextJudge>(name: Name, input: InputOf<Name>): string {
  const check = "check" in input ? `:${input.check}` : "";
  return `judge:${name}${check}:${hashData("files" in input ? input.files : input)}`;
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

/** Starts a thread in advance, while tests run. This saves the next judge a wait of 0.3 s. */
export function warmJudge(): void {
  if (idle !== undefined) return;
  const worker = tryStart(startWorker);
  if (worker instanceof Worker) keepWorker(worker);
}

/** Threads that have loaded their code. */
const ready = new WeakSet<Worker>();

/** Starts a thread. Throws if the machine has no thread left. */
export function startWorker(): Worker {
  const worker = new Worker(ownModule("agent/review/judges/judge-worker"), {
    workerData: { compiled: compileCacheFolder() },
    resourceLimits: { maxOldGenerationSizeMb: mostMegabytes },
  });
  worker.once("message", () => ready.add(worker));
  // Without a listener, an error that comes late would end this process.
  return worker.on("error", () => {});
}

function takeWorker(start: () => Worker): Worker | Unread {
  const kept = idle;
  idle = undefined;
  if (kept === undefined) return tryStart(start);
  clearTimeout(kept.end);
  kept.worker.removeAllListeners("exit").ref();
  return kept.worker;
}

function tryStart(start: () => Worker): Worker | Unread {
  try {
    return start();
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return notStarted(error.message);
  }
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
