/** Defines the flags of `bench mine`. Each of its commands declares only the flags that it uses. */
import { type Command, Option } from "commander";
import { keysOf } from "../base/keys.ts";
import { addTestFlags, count, limit, list } from "./bench-flags.ts";

export interface MineFlags {
  readonly out: string;
  readonly issues?: string;
  readonly forge?: string;
  readonly name?: string;
  readonly since?: string;
  readonly linkedOnly?: boolean;
  readonly limit?: number;
  readonly mostFiles: number;
  readonly mostLines: number;
  readonly setup?: string;
  readonly setupVariable: readonly string[];
  readonly testCommand?: string;
  readonly suiteLimit: number;
  readonly timeLimit: number;
  readonly testTimeout: number;
  readonly workers: number;
  readonly sampleSize: number;
  readonly seed: number;
  readonly splitDate?: string;
  readonly cutoff: readonly string[];
  readonly fresh?: boolean;
  readonly dropEnvironments?: boolean;
  readonly json?: boolean;
  readonly queue?: string;
  readonly [setting: string]: unknown;
}

const options = {
  out: plain(
    "--out <dir>",
    "the dataset's folder: ledger, reports, tasks and card; give the same folder to continue",
  ).makeOptionMandatory(),
  issues: plain(
    "--issues <file>",
    "a file of issues as JSON Lines (number, title, body); a change without an issue has its commit message as statement",
  ),
  forge: plain(
    "--forge <host>",
    "read merged requests and issues from github, gitlab or gitea; default address: the clone's remote; HOST=URL gives another page of the repository",
  ),
  name: plain("--name <owner/name>", "name of the repository; default: from its remote, or its folder"),
  since: plain("--since <date>", "only changes since this date, such as 2024-01-31"),
  linkedOnly: plain("--linked-only", "skip changes that name neither an issue nor a merge request"),
  limit: number("--limit <count>", "maximum number of changes to keep after the filter, the newest first"),
  mostFiles: number("--most-files <count>", "maximum number of code files in a fix", 15),
  mostLines: number("--most-lines <count>", "maximum number of added and removed code lines in a fix", 500),
  setup: plain(
    "--setup <command>",
    "command that builds each commit's environment, with network access; default: derived from the project's own files",
  ),
  setupVariable: list("--setup-variable <name>", "an environment variable that setups may see; repeatable"),
  testCommand: plain("--test-command <command>", "command that runs the tests; default: Millwright finds it"),
  suiteLimit: limit(
    "--suite-limit <duration>",
    "time limit of the whole suite; for a slower suite, Millwright runs only the test files that the change touches, if any",
    "2m",
  ),
  timeLimit: limit("--time-limit <duration>", "time limit of one test run and of one setup", "30m"),
  testTimeout: limit("--test-timeout <duration>", "time limit of one test", "2m"),
  workers: number("--workers <count>", "number of changes at the same time", 1),
  sampleSize: number("--sample-size <count>", "number of tasks that a person reviews for the card", 20),
  seed: number("--seed <number>", "seed of the card's sample", 1),
  splitDate: plain(
    "--split-date <date>",
    "date that splits the dataset into older and newer tasks; default: the median date of the tasks",
  ),
  cutoff: list(
    "--cutoff <model=date>",
    "date at which a model's training data ends; the card counts the tasks before and after this date; repeatable",
  ),
  fresh: plain("--fresh", "forget earlier results"),
  dropEnvironments: plain("--drop-environments", "delete each environment after its task"),
  json: plain("--json", "print one JSON document"),
};
type MineFlag = keyof typeof options;

function plain(flags: string, description: string): Option {
  return new Option(flags, description);
}

function number(flags: string, description: string, usual?: number): Option {
  const option = new Option(flags, description).argParser(count);
  return usual === undefined ? option : option.default(usual);
}

const freeze: readonly MineFlag[] = ["out", "setupVariable", "timeLimit", "dropEnvironments", "json"];
const derive: readonly MineFlag[] = [
  ...freeze,
  ...(["name", "setup", "testCommand", "testTimeout", "seed", "fresh"] as const),
];
const recheck: readonly MineFlag[] = [...freeze, "testTimeout", "workers", "cutoff", "fresh"];

/** The flags that each command uses. A dataset's own settings stand for the others. */
const used = {
  freeze,
  derive,
  recheck,
  refresh: [...recheck, "issues", "forge", "since", "limit"],
  mutants: [...derive, "workers", "sampleSize", "splitDate", "cutoff"],
  steps: keysOf(options),
} satisfies Readonly<Record<string, readonly MineFlag[]>>;
export type MineCommand = keyof typeof used;

/** Adds the flags that the command uses. Commander refuses all others. */
export function addMineFlags(command: Command, name: MineCommand): Command {
  const wanted: readonly MineFlag[] = used[name];
  for (const flag of keysOf(options)) if (wanted.includes(flag)) command.addOption(options[flag]);
  addTestFlags(command);
  return command;
}

/** Adds the default values of the flags that a command does not use. */
export function withUsual<Flags extends MineFlags>(flags: Flags): Flags {
  const usual = keysOf(options).map((flag) => [flag, options[flag].defaultValue]);
  return { ...Object.fromEntries(usual), ...flags };
}
