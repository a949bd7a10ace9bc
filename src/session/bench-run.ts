/** Runs a batch: strategies × models × tasks × attempts. Runs each attempt in its own process, and grades its patch. */
import { join } from "node:path";
import { defaultSwitches, type Switches } from "../agent/switches.ts";
import { makeFolders } from "../base/make-folders.ts";
import { parseDuration, withoutSizes } from "../base/units.ts";
import type { Arm } from "../bench/attempt.ts";
import type { GradedTask } from "../bench/graded-task.ts";
import { runPool } from "../bench/pool.ts";
import { findUnreachable } from "../bench/preflight.ts";
import type { ResultStore } from "../bench/result-store.ts";
import {
  executeTry,
  failedTry,
  isRefused,
  isStored,
  type Try,
  type TryOptions,
  type TryResult,
} from "../bench/try.ts";
import { type HeldPauses, keepPauses, pausesVariable } from "../llm/call-pauses.ts";
import { performAttempt } from "./attempt-process.ts";
import { accountsOfArm, findHeldArms, openPauses } from "./batch-pauses.ts";
import type { BenchSession } from "./bench-session.ts";
import {
  checkSwitches,
  chooseStrategy,
  kindsFor,
  modelFor,
  strategyNamed,
  usualName,
} from "./choose-strategy.ts";
import type { Host } from "./host.ts";
import { openModelSession, refuseUnpriced } from "./model-session.ts";
import { parseSettings, type Settings } from "./settings.ts";
import { version } from "./version.ts";

export interface BatchRequest extends BenchSession {
  readonly host: Host;
  readonly store: ResultStore;
  readonly tasks: readonly GradedTask[];
  readonly arms: readonly Arm[];
  /** The number of attempts of each arm at each task. */
  readonly attempts: number;
  readonly workers: number;
  readonly retries: number;
  /** The program that makes an attempt; see AttemptProcess. */
  readonly program: readonly string[];
  readonly onStart: (tried: Try) => void;
  readonly onResult: (result: TryResult) => void;
  /** Receives true if somebody pauses the batch, and false if somebody resumes it. Unused without a queue. */
  readonly onPause?: (isPaused: boolean) => void;
  /** Called after the last result if somebody cancelled the batch. */
  readonly onCancel?: () => void;
  /** Describes the scarce resource that prevents further tries on this machine; undefined if enough is free. */
  readonly findShortage: () => Promise<string | undefined>;
  /** Returns true once the results so far suffice. The batch then ends early. */
  readonly isEnough?: () => boolean;
}

/** Settings from a file, plus the strategies and models to compare. */
export interface ComparedArms {
  readonly settings: Readonly<Record<string, unknown>>;
  /** The strategies to compare; empty: the settings' own strategy. The same rule holds for `models`. */
  readonly strategies: readonly string[];
  readonly models: readonly string[];
  /** `auto`: Millwright gives no arm the tasks' kinds. */
  readonly kind?: "auto" | undefined;
  /** Features that are disabled in every arm; absent: none. */
  readonly switches?: Switches | undefined;
}

/**
 * Lists each strategy with each model; a strategy that uses no model occurs once. Adds to given strategies the one that
 * runs the settings' agent command, if any. Without given strategies, uses that of the settings, or the usual one.
 * Throws MillwrightError("usage") for wrong settings or an unknown strategy.
 */
export function listArms({ settings, strategies, models, kind, switches }: ComparedArms): Arm[] {
  const own = parseSettings(settings);
  const names = models.length > 0 ? models : [own.model];
  const arms = new Map<string, Arm>();
  for (const model of names) {
    for (const name of namesOf(strategies, { ...own, model })) {
      const asked = modelFor(strategyNamed(name), model);
      const arm = { strategy: name, model: asked };
      arms.set(JSON.stringify(arm), {
        ...arm,
        ...(kind === undefined ? {} : { kind }),
        ...(switches === undefined ? {} : { switches }),
        settings: { ...settings, strategy: name, model: asked ?? "none" },
      });
    }
  }
  return [...arms.values()];
}

/** Returns the strategies' names. If an agent's command is given, adds the strategy that runs it. */
function namesOf(strategies: readonly string[], own: Settings): readonly string[] {
  if (strategies.length === 0) return [own.strategy ?? usualName(own)];
  return own.agentCommand === undefined ? strategies : [...new Set([...strategies, "external"])];
}

/**
 * Runs a batch. Returns the results in the order of `listTries`. Throws MillwrightError before the first attempt if an
 * arm cannot work.
 */
export async function runBatch(request: BatchRequest): Promise<TryResult[]> {
  const { signal } = request.options;
  const { workers, retries } = request;
  await checkArms(request);
  const pauses = keepPauses();
  const served = await openPauses(pauses);
  try {
    const options = await openTries({
      ...{ ...request, callPauses: served.socket, anew: request.store.isFresh },
      runs: join(request.options.directory, "runs"),
    });
    const tries = listTries(request);
    const lacking = await findUnreachable(() => findUnfinished(tries, options), request.options);
    return await runPool(tries, {
      ...{ workers, retries, signal },
      findHeld: holdTries(pauses, request),
      // A failure of the machine is no failure of the try.
      async isReturned(result) {
        const isBroken = result.outcome === "infrastructure-error";
        return isRefused(result) || (isBroken && (await request.findShortage()) !== undefined);
      },
      async work(tried) {
        request.onStart(tried);
        const lack = lacking.get(tried.task);
        if (lack !== undefined && !(await isStored(tried, options))) return failedTry(tried, lack);
        return executeTry(tried, options);
      },
      isRetried: ({ outcome }) => outcome === "infrastructure-error",
      onResult: request.onResult,
      ...(request.isEnough === undefined ? {} : { isEnough: request.isEnough }),
    });
  } finally {
    await served.close();
  }
}

/** Finds the tasks of tries that no earlier process finished. */
async function findUnfinished(tries: readonly Try[], options: TryOptions): Promise<GradedTask[]> {
  const found = new Set<GradedTask>();
  for (const tried of tries)
    if (!found.has(tried.task) && !(await isStored(tried, options))) found.add(tried.task);
  return [...found];
}

/**
 * Holds back all tries while the machine has too little room. Otherwise holds back tries of arms that call an account
 * with a long pause. Tells about each shortage and each arm's pause once.
 */
function holdTries(pauses: HeldPauses, { arms, host, findShortage }: BatchRequest) {
  const accounts = arms.map((arm) => accountsOfArm(arm, host));
  const tell = (reason: string): void => host.onNotice({ level: "note", text: `attempts wait: ${reason}` });
  let toldArms = new Set<number>();
  /** The last reported shortage, without sizes. */
  let toldShortage: string | undefined;
  return async () => {
    const shortage = await findShortage();
    const kind = shortage === undefined ? undefined : withoutSizes(shortage);
    if (shortage !== undefined && kind !== toldShortage) tell(shortage);
    toldShortage = kind;
    const all = [...(await pauses.listed())].map(([account, ms]) => ({ account, ms }));
    const held = findHeldArms(accounts, all);
    const news = new Set([...held].flatMap(([arm, reason]) => (toldArms.has(arm) ? [] : [reason])));
    toldArms = new Set(held.keys());
    for (const reason of news) tell(reason);
    return ({ arm }: Try): boolean => shortage !== undefined || held.has(arms.indexOf(arm));
  };
}

/** Checks that each arm can work on this machine. Throws MillwrightError if an arm cannot. */
export async function checkArms({ arms, tasks, host }: Pick<BatchRequest, "arms" | "tasks" | "host">) {
  for (const arm of arms) await checkArm(arm, tasks, host);
}

/** Prepares this machine for tries: creates the folder of their runs, and collects the options that all tries share. */
export async function openTries(
  request: Pick<BatchRequest, "options" | "conditions" | "host" | "store" | "program"> & {
    /** The path of the socket for the batch's pauses. */
    readonly callPauses: string;
    /** The folder of runs. */
    readonly runs: string;
    /** True to discard runs that began before this call. A try that begins again still continues its run. */
    readonly anew: boolean;
  },
): Promise<TryOptions> {
  const {
    options: grading,
    conditions,
    host,
    store,
    program,
    callPauses,
    runs: runsDirectory,
    anew,
  } = request;
  const { rules, sandbox } = grading;
  await makeFolders(runsDirectory);
  const own = { program, environment: { ...host.environment, [pausesVariable]: callPauses } };
  const ofRules = rules.map(({ timeLimit = "" }) => parseDuration(timeLimit) ?? 0);
  const longestRunMs = Math.max(grading.limitMs, ...ofRules);
  return {
    attempts: {
      environment: grading,
      rules,
      runsDirectory,
      since: anew ? new Date().toISOString() : undefined,
      conditions: [version, sandbox.provider.name],
      perform: (asked, signal) => performAttempt(asked, { ...own, limitMs: limitOf(asked), signal }),
    },
    grading,
    gradingConditions: conditions,
    store,
    longestMs: (arm) => Math.min(limitOf(arm) + gradingRuns * longestRunMs, longestTimerMs),
  };
}

/** Lists the tries by attempt, then task, then arm. Early results thus cover all tasks. */
export function listTries({
  arms,
  tasks,
  attempts,
}: Pick<BatchRequest, "arms" | "tasks" | "attempts">): Try[] {
  const numbers = Array.from({ length: attempts }, (_, at) => at + 1);
  return numbers.flatMap((attempt) => tasks.flatMap((task) => arms.map((arm) => ({ task, arm, attempt }))));
}

async function checkArm(arm: Arm, tasks: readonly GradedTask[], host: Host): Promise<void> {
  const settings = parseSettings(arm.settings);
  const kinds = arm.kind === "auto" ? kindsFor(settings).slice(0, 1) : tasks.map(({ task }) => task.kind);
  for (const kind of new Set(kinds))
    checkSwitches(arm.switches ?? defaultSwitches, chooseStrategy(settings, kind));
  if (arm.model === null) return;
  refuseUnpriced(await openModelSession(settings, host), settings.maxCost);
}

/**
 * Maximum milliseconds of an attempt without `--max-time`. Below: milliseconds beyond the limit of an attempt with
 * `--max-time`, after which it counts as broken.
 */
const longestUnlimitedMs = 2 * 3_600_000;
const beyondMs = 120_000;
/** Number of time limits that the grading of a patch may take. It runs the tests several times, after a setup. */
const gradingRuns = 8;
/** The longest delay of Node's timers, in milliseconds. A timer with a longer delay ends at once. */
const longestTimerMs = 2 ** 31 - 1;

/** Returns the milliseconds after which an attempt counts as broken. An agent ends at its own limit. */
function limitOf({ settings }: Pick<Arm, "settings">): number {
  const { maxTime } = parseSettings(settings);
  const limitMs = maxTime === undefined ? longestUnlimitedMs : maxTime * 1.5 + beyondMs;
  return Math.min(limitMs, longestTimerMs);
}
