/** Defines the flags that the `bench` commands share, and opens the work that the flags request. */

import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import picomatch from "picomatch";
import { cacheFolderOf } from "../base/cache-folder.ts";
import { countOf } from "../base/count.ts";
import { interruptedExitCode, MillwrightError } from "../base/errors.ts";
import { keysOf } from "../base/keys.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { parseDuration, parseSize } from "../base/units.ts";
import type { GradedTask } from "../bench/graded-task.ts";
import { type FetchedTasks, fetchTasks } from "../bench/hub/fetch-tasks.ts";
import { hubAccessOf } from "../bench/hub/hub-client.ts";
import { parseHubSource } from "../bench/hub/hub-source.ts";
import { loadTasks } from "../bench/load-tasks.ts";
import { openLogStore } from "../bench/log-store.ts";
import { type PackageDay, packageDaySchema } from "../bench/package-day.ts";
import { openResultStore, type ResultStore } from "../bench/result-store.ts";
import { countRows, type RowProblem, tellProblems } from "../bench/rows.ts";
import { type EnvironmentRules, listImages, loadRules } from "../bench/rules.ts";
import { sampleTasks } from "../bench/sample.ts";
import { sampleSize } from "../bench/statistics.ts";
import { type BenchSession, openBenchFolder, withBenchSession } from "../session/bench-session.ts";
import { keepLogs, keepResults } from "../session/patient-store.ts";
import { parseSettings, runsDirectoryOf, type SettingName, settingsSchema } from "../session/settings.ts";
import { hostOf } from "./host.ts";
import { listenForInterrupts } from "./interrupt.ts";
import { readSettingValues } from "./load-settings.ts";
import { addSettingFlags } from "./setting-flags.ts";

/** Settings that commands without agents also have: the sandbox in which tests run, and its limits. */
const testSettings: readonly SettingName[] = [
  "sandbox",
  "image",
  "imageRoot",
  "imagePath",
  "network",
  "memory",
  "cpus",
  "processes",
];
/**
 * Further settings that agents do not get. The grader uses the flags for a test command and a test's time. The batch
 * sets each run's folder.
 */
const notForAgents: readonly SettingName[] = ["testCommand", "testTimeout", "runsDir", "remember"];
const allSettings: readonly SettingName[] = keysOf(settingsSchema.shape);
/** Settings of which a batch compares several values. */
const compared = ["strategy", "model"] as const satisfies readonly SettingName[];

export interface BenchFlags {
  readonly repo?: string | undefined;
  readonly repositories?: string | undefined;
  readonly hidden?: string | undefined;
  readonly lists?: string | undefined;
  readonly dataset?: string | undefined;
  readonly environments?: string | undefined;
  readonly setup?: string | undefined;
  readonly packagesUntil?: PackageDay | undefined;
  readonly publishedImages?: boolean | undefined;
  readonly imageQuota?: number | undefined;
  readonly environmentQuota?: number | undefined;
  readonly setupVariable: readonly string[];
  readonly testCommand?: string | undefined;
  readonly only: readonly string[];
  readonly limit?: number | undefined;
  readonly sample?: string | undefined;
  readonly sampleSeed: number;
  readonly workers: number;
  readonly jobs?: number | undefined;
  readonly retries: number;
  readonly timeLimit: number;
  readonly testTimeout: number;
  readonly testLimit?: number | undefined;
  readonly patchLimit: number;
  readonly benchDir?: string | undefined;
  readonly results?: string | undefined;
  readonly logs?: string | undefined;
  readonly fresh?: boolean | undefined;
  readonly dropEnvironments?: boolean | undefined;
  readonly json?: boolean | undefined;
  readonly leastDisk?: number;
  readonly leastMemory?: number;
  readonly [setting: string]: unknown;
}

export interface BenchWork extends BenchSession {
  /** The local file of tasks. */
  readonly file: string;
  /** The file as given by the user, or `hub:OWNER/NAME@COMMIT:FILES`. */
  readonly source: string;
  /**
   * The settings of the user's file, the variables and the flags, before defaults are added. Without the flags that the
   * arms compare, and those that concern no agent.
   */
  readonly values: Readonly<Record<string, unknown>>;
  /** The selected tasks. */
  readonly tasks: readonly GradedTask[];
  /** All tasks of the file. */
  readonly allTasks: readonly GradedTask[];
  readonly workers: number;
  /** Maximum number of retries after an infrastructure error. */
  readonly retries: number;
  readonly store: ResultStore;
  /** Unreadable rows of the task file. The bench omits them. */
  readonly unreadable: readonly RowProblem[];
  readonly json: boolean;
  /** The flags as given. */
  readonly flags: BenchFlags;
}

export function addBenchFlags(command: Command, hasAgents = false): void {
  command
    .option("--repositories <dir>", "a folder of git repositories named OWNER__NAME, OWNER/NAME or NAME")
    .addOption(new Option("--repo <dir>", "one git repository for all tasks").conflicts("repositories"))
    .option("--hidden <file>", "a file of hidden parts; default: NAME.hidden.jsonl next to NAME.jsonl")
    .option("--dataset <name>", "the dataset's name; default: inferred from the fields of its rows")
    .option("--lists <file>", "a file of `bench check --write-lists`, instead of the tasks' own lists");
  addEnvironmentFlags(command);
  command
    .option(
      "--test-command <command>",
      `test command, instead of the tasks' own${hasAgents ? "; the agent finds its own" : ""}`,
    )
    .addOption(list("--only <glob>", "only the tasks whose ids match this glob; repeatable"))
    .option("--limit <count>", "only the first COUNT tasks", count)
    .addOption(
      new Option(
        "--sample <size>",
        "draw a random sample, stratified by repository: COUNT tasks, or 95/5 for a margin of error of 5 % at 95 % confidence",
      ).conflicts("limit"),
    )
    .option("--sample-seed <number>", "seed of the sample", count, 1)
    .option("--workers <count>", "number of tasks, or tries of `bench run`, at the same time", count, 1)
    .addOption(new Option("--jobs <count>", "old name of --workers").argParser(count).hideHelp())
    .option("--retries <count>", "maximum number of retries after infrastructure errors", countOrNone, 1)
    .addOption(limit("--time-limit <duration>", "time limit of one test run and of one setup", "30m"))
    .addOption(
      limit(
        "--test-timeout <duration>",
        "time limit of one test; Millwright reruns a slower test alone, with a longer limit",
        "2m",
      ),
    )
    .addOption(
      new Option("--test-limit <duration>", "old name of --test-timeout").argParser(duration).hideHelp(),
    )
    .option(
      "--bench-dir <dir>",
      "folder of environments, working folders and results; default: bench in the state directory",
    )
    .option("--results <dir>", "folder of results, written as they arrive; default: results in --bench-dir")
    .option("--logs <dir>", "folder of each patch's measurements; default: logs in --bench-dir")
    .addOption(sizeOption("--patch-limit <size>", "refuse patches that are larger than this size", "5m"))
    .option("--fresh", "forget earlier results")
    .option("--drop-environments", "delete each environment after its task")
    .option("--json", "print one JSON document");
  addRoomFlags(command);
  if (hasAgents) addSettingFlags(command, notForAgents, compared);
  else addTestFlags(command);
}

/** Adds the flags that describe the environments of tasks. */
function addEnvironmentFlags(command: Command): void {
  command
    .option("--environments <file>", "a file with setups and test commands by task or repository")
    .option("--published-images", "run each task in its benchmark's published image (docker)")
    .addOption(
      new Option(
        "--image-quota <size>",
        "space for pulled images, such as 40g; beyond it, Millwright removes the least recently used images",
      ).argParser(size),
    )
    .addOption(
      new Option(
        "--environment-quota <size>",
        "space for environments, such as 20g; beyond it, Millwright removes the least recently used environments",
      ).argParser(size),
    )
    .option("--setup <command>", "command that builds each task's environment, with network access")
    .addOption(
      new Option(
        "--packages-until <day>",
        "let setups install only packages of this day or earlier, such as 2023-06-30; `commit`: the day of each task's commit",
      ).argParser(packageDay),
    )
    .addOption(list("--setup-variable <name>", "an environment variable that setups may see; repeatable"));
}

/** Adds the flags `--least-disk` and `--least-memory`: the free space and memory that a new try requires. */
export function addRoomFlags(command: Command): void {
  command
    .addOption(
      sizeOption(
        "--least-disk <size>",
        "start no try while the disk of --bench-dir, of the results or of the logs has less free space than this size",
        "1g",
      ),
    )
    .addOption(
      sizeOption(
        "--least-memory <size>",
        "start no try while the machine has less free memory than this size",
        "512m",
      ),
    );
}

/** Adds the flags of the sandbox in which tests run: its kind, image, network and limits. */
export function addTestFlags(command: Command): void {
  addSettingFlags(
    command,
    allSettings.filter((name) => !testSettings.includes(name)),
  );
}

export function count(text: string): number {
  return countFrom(1, text);
}

function countOrNone(text: string): number {
  return countFrom(0, text);
}

function countFrom(least: number, text: string): number {
  if (/^(?:0|[1-9]\d{0,3})$/.test(text) && Number(text) >= least) return Number(text);
  throw new InvalidArgumentError(`Give a whole number from ${least} to 9999.`);
}

export function limit(flags: string, description: string, usual: string): Option {
  return new Option(flags, description).argParser(duration).default(duration(usual), usual);
}

function duration(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0) return ms;
  throw new InvalidArgumentError("Give a duration such as 90s or 30m.");
}

export function sizeOption(flags: string, description: string, usual: string): Option {
  return new Option(flags, description).argParser(size).default(size(usual), usual);
}

function size(text: string): number {
  const bytes = parseSize(text);
  if (bytes !== undefined && bytes > 0) return bytes;
  throw new InvalidArgumentError("Give a size such as 512k or 5m.");
}

function packageDay(text: string): PackageDay {
  const day = packageDaySchema.safeParse(text);
  if (day.success) return day.data;
  throw new InvalidArgumentError("Give a day such as 2023-06-30, or commit.");
}

export function list(flags: string, description: string, usual = "none"): Option {
  const collect = (text: string, before: readonly string[]): string[] => [...before, text];
  return new Option(flags, description).argParser(collect).default([], usual);
}

/** The request, as read from files and flags before Millwright opens a sandbox or a store. */
export interface BenchAsked
  extends Pick<BenchWork, "tasks" | "allTasks" | "unreadable" | "json" | "file" | "source"> {
  readonly rules: EnvironmentRules;
  readonly directory: string;
  /** The folder of logs. */
  readonly logs: string;
}

export async function readAsked(path: string, flags: BenchFlags): Promise<BenchAsked> {
  const unreadable: RowProblem[] = [];
  const { hidden, lists, dataset } = flags;
  const { path: file, source } = await findTasks(path);
  const allTasks = await loadTasks({ tasks: file, hidden, lists, dataset }, unreadable);
  if (unreadable.length > 0) {
    const rows = countOf(countRows(unreadable), "row");
    process.stderr.write(
      sanitizeForTerminal(
        `Millwright skipped ${rows} of ${path} as unreadable:\n  ${tellProblems(unreadable)}\n`,
      ),
    );
  }
  const directory = resolve(flags.benchDir ?? join(dirname(runsDirectoryOf({}, process.env)), "bench"));
  return {
    ...{ allTasks, unreadable, directory, file, source, json: flags.json === true },
    tasks: chooseTasks(allTasks, flags),
    rules: readRules(flags),
    logs: resolve(flags.logs ?? join(directory, "logs")),
  };
}

/** Finds the given file, or downloads a hub's dataset to a file of the cache. */
async function findTasks(given: string): Promise<FetchedTasks> {
  const hub = parseHubSource(given);
  if (hub === undefined) return { path: given, source: given };
  const cache = join(cacheFolderOf(process.env), "datasets");
  return fetchTasks(hub, cache, hubAccessOf(process.env));
}

/**
 * Locks a folder of `--bench-dir` for this process. Returns a function that unlocks it. Throws MillwrightError("usage")
 * if another process uses the folder.
 */
export async function lockBenchFolder(directory: string): Promise<() => void> {
  try {
    return await openBenchFolder(directory);
  } catch (cause) {
    if (!(cause instanceof MillwrightError) || cause.code !== "usage") throw cause;
    throw new MillwrightError("usage", cause.message, {
      cause,
      hint: "Wait until that process ends, or give this one another folder with --bench-dir.",
    });
  }
}

/**
 * Opens the bench that the flags describe, and locks its folder during `work`. Returns the exit code. `opened`: the
 * signal of a worker, which locks the folder itself and stops several benches with one signal. After an interrupt,
 * returns 130; with `opened`, rethrows the error instead.
 */
export async function withBench(
  path: string,
  flags: BenchFlags,
  work: (bench: BenchWork) => Promise<number>,
  opened?: AbortSignal,
): Promise<number> {
  const { rules, directory, logs, ...asked } = await readAsked(path, flags);
  checkFolder(flags.repositories ?? flags.repo);
  const { settings, values } =
    opened === undefined ? readBenchSettings(directory, flags) : readQueuedSettings(flags);
  const interrupts = opened === undefined ? listenForInterrupts() : { signal: opened, stop() {} };
  const host = hostOf();
  const { signal } = interrupts;
  const patience = { signal, onNotice: (text: string) => host.onNotice({ level: "note", text }) };
  const request = {
    host,
    settings,
    owner: `bench-${process.pid}`,
    place: { repo: flags.repo, repositories: flags.repositories },
    rules,
    directory,
    logs: keepLogs(openLogStore(logs), patience),
    patchLimit: flags.patchLimit,
    setupVariables: flags.setupVariable,
    limitMs: flags.timeLimit,
    testLimitMs: flags.testLimit ?? flags.testTimeout,
    dropEnvironments: flags.dropEnvironments === true,
    imageQuota: flags.imageQuota,
    environmentQuota: flags.environmentQuota,
    isFolderOpen: true,
    signal,
  };
  const { retries, fresh } = flags;
  const workers = flags.jobs ?? flags.workers;
  const unlock = opened === undefined ? await lockBenchFolder(directory) : () => {};
  try {
    return await withBenchSession(request, async (session) => {
      const { images, sandbox } = session.options;
      await images?.learn(listImages(asked.tasks, rules, sandbox.provider.images));
      const results = await openResultStore(resolve(flags.results ?? join(directory, "results")), fresh);
      const store = keepResults(results, patience);
      return work({ ...session, ...asked, values, workers, retries, store, flags });
    });
  } catch (error) {
    if (!signal.aborted || opened !== undefined) throw error;
    process.stderr.write(`stopped. ${tellContinuing(flags)}\n`);
    return interruptedExitCode;
  } finally {
    unlock();
    interrupts.stop();
  }
}

/** Tells how to continue. With --fresh, the same command would begin again. */
export function tellContinuing({ fresh }: Pick<BenchFlags, "fresh">): string {
  return `Run the same command ${fresh === true ? "without --fresh" : "again"} to continue`;
}

/** Reads the rules of the user's file, then those of the flags, which apply to every task. */
function readRules({
  environments,
  setup,
  packagesUntil,
  testCommand,
  publishedImages,
}: BenchFlags): EnvironmentRules {
  const rules = environments === undefined ? [] : loadRules(environments);
  const given = {
    ...(publishedImages === true ? { image: "published" as const } : {}),
    ...(setup === undefined ? {} : { setup }),
    ...(packagesUntil === undefined ? {} : { packagesUntil }),
    ...(testCommand === undefined ? {} : { testCommand }),
  };
  return [...rules, { tasks: "*", repository: "**", ...given }];
}

/**
 * Reads the settings from flags, variables and the user's file. Ignores the settings files of the tasks' repositories.
 */
export function readBenchSettings(directory: string, flags: Readonly<Record<string, unknown>>) {
  return readSettingValues(directory, settingFlags(flags));
}

/** Returns the sandbox's settings for all machines of a queued batch. `values`: from flags, variables and files. */
export function sharedTestSettings(
  values: Readonly<Record<string, unknown>>,
  { provider }: { readonly provider: { readonly name: string } },
): Record<string, unknown> {
  const known = testSettings.filter((name) => values[name] !== undefined);
  return { ...Object.fromEntries(known.map((name) => [name, values[name]])), sandbox: provider.name };
}

/**
 * Parses the settings of a queued batch from its flags alone. A worker's own variables and files would make it grade
 * differently from other workers and from the attempts.
 */
export function readQueuedSettings(flags: Readonly<Record<string, unknown>>) {
  const values = settingFlags(flags);
  return { settings: parseSettings(values), values };
}

function settingFlags(flags: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = allSettings.filter((name) => !compared.some((each) => each === name));
  const own = names.filter((name) => !notForAgents.includes(name) && flags[name] !== undefined);
  return Object.fromEntries(own.map((name) => [name, flags[name]]));
}

function chooseTasks(
  all: readonly GradedTask[],
  { only, limit: first, sample, sampleSeed }: BenchFlags,
): readonly GradedTask[] {
  for (const glob of only) {
    if (!all.some(({ task }) => picomatch.isMatch(task.id, glob, { dot: true }))) {
      throw new MillwrightError("usage", `--only ${glob} matches none of ${countOf(all.length, "task")}`);
    }
  }
  const fitting =
    only.length === 0 ? all : all.filter(({ task }) => picomatch.isMatch(task.id, [...only], { dot: true }));
  if (sample === undefined) return fitting.slice(0, first);
  return sampleTasks(fitting, sizeOf(sample, fitting.length), sampleSeed);
}

/**
 * Returns the size of a sample. `sample`: a count, or confidence and margin in percent, such as `95/5`. Throws
 * MillwrightError("usage") for other texts.
 */
export function sizeOf(sample: string, population: number): number {
  const [, confidence, margin] = /^(\d+)\/(\d+(?:\.\d+)?)$/.exec(sample) ?? [];
  const size =
    confidence === undefined ? Number(sample) : sampleSize(population, Number(confidence), Number(margin));
  if (size !== undefined && Number.isInteger(size) && size > 0) return size;
  throw new MillwrightError("usage", `--sample ${sample} is not a sample size`, {
    hint: "Give a number of tasks, or confidence and margin such as 95/5. The confidence is 90, 95 or 99.",
  });
}

function checkFolder(path: string | undefined): void {
  if (path === undefined) {
    throw new MillwrightError("usage", "The tasks' repositories are unknown", {
      hint: "Give a folder of git repositories with --repositories, or one repository with --repo.",
    });
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new MillwrightError("usage", `${path} is not a folder`);
  }
}
