/** What `bench check` and `bench grade` share: their flags, and what they ask of a session. */
import { statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import picomatch from "picomatch";
import { MillwrightError } from "../base/errors.ts";
import { parseDuration } from "../base/units.ts";
import type { GradedTask } from "../bench/graded-task.ts";
import { loadTasks } from "../bench/load-tasks.ts";
import { type EnvironmentRules, loadRules } from "../bench/rules.ts";
import { type BenchSession, withBenchSession } from "../session/bench-session.ts";
import { runsDirectoryOf, type SettingName, type Settings, settingsSchema } from "../session/settings.ts";
import { hostOf } from "./host.ts";
import { listenForInterrupts } from "./interrupt.ts";
import { readSettings } from "./load-settings.ts";
import { addSettingFlags } from "./setting-flags.ts";

/** Settings that mean something here. */
const usedSettings: readonly SettingName[] = ["sandbox", "image", "network", "memory", "cpus", "processes"];
const unusedSettings = (Object.keys(settingsSchema.shape) as SettingName[]).filter(
  (name) => !usedSettings.includes(name),
);

export interface BenchFlags {
  readonly repo?: string;
  readonly repositories?: string;
  readonly hidden?: string;
  readonly lists?: string;
  readonly dataset?: string;
  readonly environments?: string;
  readonly setup?: string;
  readonly setupVariable: readonly string[];
  readonly testCommand?: string;
  readonly only: readonly string[];
  readonly jobs: number;
  readonly timeLimit: number;
  readonly testTimeout: number;
  readonly testLimit?: number;
  readonly benchDir?: string;
  readonly results?: string;
  readonly fresh?: boolean;
  readonly dropEnvironments?: boolean;
  readonly json?: boolean;
  readonly [setting: string]: unknown;
}

export interface BenchWork extends BenchSession {
  /** Those that were asked for. */
  readonly tasks: readonly GradedTask[];
  /** Those of the file. */
  readonly allTasks: readonly GradedTask[];
  readonly jobs: number;
  /** The file of results that the user named. */
  readonly results: string | undefined;
  readonly fresh: boolean;
  readonly json: boolean;
}

export function addBenchFlags(command: Command): void {
  command
    .option("--repositories <dir>", "a folder of git repositories named OWNER__NAME, OWNER/NAME or NAME")
    .addOption(new Option("--repo <dir>", "one git repository for all tasks").conflicts("repositories"))
    .option("--hidden <file>", "the tasks' hidden parts; default: NAME.hidden.jsonl beside NAME.jsonl")
    .option("--dataset <name>", "the dataset that the rows are of; default: known by their fields")
    .option("--lists <file>", "lists of tests that check wrote, instead of the tasks' own")
    .option("--environments <file>", "setups and test commands by task or repository")
    .option("--setup <command>", "makes the environment of each task, in its root, with the network")
    .addOption(list("--setup-variable <name>", "a variable of yours that setups may see; may be repeated"))
    .option("--test-command <command>", "runs the tests, instead of the tasks' own")
    .addOption(list("--only <glob>", "ids of the tasks that are wanted; may be repeated"))
    .option("--jobs <count>", "tasks at the same time", count, 1)
    .addOption(limit("--time-limit <duration>", "of one run of the tests, and of one setup", "30m"))
    .addOption(
      limit("--test-timeout <duration>", "of one test; what meets it is asked again alone, with more", "2m"),
    )
    .addOption(new Option("--test-limit <duration>", "the old name").argParser(duration).hideHelp())
    .option("--bench-dir <dir>", "environments, working folders and results; default: the state directory")
    .option("--results <file>", "where results are kept as they come")
    .option("--fresh", "forget earlier results")
    .option("--drop-environments", "take each environment away after its task")
    .option("--json", "print one JSON document");
  addSettingFlags(command, unusedSettings);
}

export function count(text: string): number {
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It is no positive count.");
}

function limit(flags: string, description: string, usual: string): Option {
  return new Option(flags, description).argParser(duration).default(duration(usual), usual);
}

function duration(text: string): number {
  const ms = parseDuration(text);
  if (ms !== undefined && ms > 0) return ms;
  throw new InvalidArgumentError("It is no duration such as 90s or 30m.");
}

function list(flags: string, description: string): Option {
  const collect = (text: string, before: readonly string[]): string[] => [...before, text];
  return new Option(flags, description).argParser(collect).default([], "none");
}

/** Holds the bench's folder for this process alone while `work` goes on; returns the exit code. */
export async function withBench(
  path: string,
  flags: BenchFlags,
  work: (bench: BenchWork) => Promise<number>,
): Promise<number> {
  const allTasks = loadTasks({
    tasks: path,
    hidden: flags.hidden,
    lists: flags.lists,
    dataset: flags.dataset,
  });
  const tasks = chooseTasks(allTasks, flags.only);
  const rules = readRules(flags);
  checkFolder(flags.repositories ?? flags.repo);
  const directory = resolve(flags.benchDir ?? join(dirname(runsDirectoryOf({}, process.env)), "bench"));
  const settings = readSandboxSettings(directory, flags);
  const interrupts = listenForInterrupts();
  const request = {
    host: hostOf(),
    settings,
    owner: `bench-${process.pid}`,
    place: { repo: flags.repo, repositories: flags.repositories },
    rules,
    directory,
    setupVariables: flags.setupVariable,
    limitMs: flags.timeLimit,
    testLimitMs: flags.testLimit ?? flags.testTimeout,
    dropEnvironments: flags.dropEnvironments === true,
    signal: interrupts.signal,
  };
  const asked = { jobs: flags.jobs, results: flags.results };
  const [fresh, json] = [flags.fresh === true, flags.json === true];
  try {
    return await withBenchSession(request, (session) =>
      work({ ...session, ...asked, tasks, allTasks, fresh, json }),
    );
  } catch (error) {
    if (!interrupts.signal.aborted) throw error;
    process.stderr.write("stopped; the same command goes on\n");
    return 130;
  } finally {
    interrupts.stop();
  }
}

/** The user's file, and after it, for every task, what the flags say. */
function readRules({ environments, setup, testCommand }: BenchFlags): EnvironmentRules {
  const rules = environments === undefined ? [] : loadRules(environments);
  const given = {
    ...(setup === undefined ? {} : { setup }),
    ...(testCommand === undefined ? {} : { testCommand }),
  };
  return [...rules, { tasks: "*", repository: "**", ...given }];
}

/** A project's file has no say here. */
function readSandboxSettings(directory: string, flags: BenchFlags): Settings {
  const given = usedSettings.filter((name) => flags[name] !== undefined).map((name) => [name, flags[name]]);
  return readSettings(directory, Object.fromEntries(given));
}

function chooseTasks(tasks: readonly GradedTask[], only: readonly string[]): readonly GradedTask[] {
  for (const glob of only) {
    if (!tasks.some(({ task }) => picomatch.isMatch(task.id, glob, { dot: true }))) {
      throw new MillwrightError("usage", `--only ${glob} fits none of the ${tasks.length} tasks`);
    }
  }
  return only.length === 0
    ? tasks
    : tasks.filter(({ task }) => picomatch.isMatch(task.id, [...only], { dot: true }));
}

function checkFolder(path: string | undefined): void {
  if (path === undefined) {
    throw new MillwrightError("usage", "Nobody says where the tasks' repositories are", {
      hint: "Give a folder of git repositories with --repositories, or one with --repo.",
    });
  }
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new MillwrightError("usage", `${path} is no folder`);
  }
}
