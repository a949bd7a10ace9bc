/** `bench mine`: opens the clone and the environments for mining, and prints the results. */
import { basename, join, resolve } from "node:path";
import { countOf } from "../base/count.ts";
import { interruptedExitCode, MillwrightError } from "../base/errors.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { formatSize } from "../base/units.ts";
import { findGitDirectory } from "../bench/find-repository.ts";
import { openResultStore } from "../bench/result-store.ts";
import { readForgeAddress, repositoryOf } from "../forge-hosts/address.ts";
import type { Outcome, StepName } from "../mine/contract.ts";
import { deriveTasks } from "../mine/derive/derive-tasks.ts";
import { freeze, frozenFolder } from "../mine/freeze.ts";
import { readIssues } from "../mine/issues.ts";
import { mineFaults, type WantedFaults } from "../mine/mine-faults.ts";
import { type Mined, mine } from "../mine/pipeline.ts";
import type { Retired } from "../mine/publish/versions.ts";
import { recheck } from "../mine/recheck.ts";
import { refresh } from "../mine/refresh.ts";
import type { Cutoff, MineRequest, MineSettings } from "../mine/settings.ts";
import { tellStep } from "../mine/step-report.ts";
import { withBenchSession } from "../session/bench-session.ts";
import { readSetting, runForeignGit } from "../workspace/foreign-git.ts";
import { readBenchSettings } from "./bench-flags.ts";
import { hostOf } from "./host.ts";
import { listenForInterrupts } from "./interrupt.ts";
import type { MineFlags } from "./mine-flags.ts";
import { withMiningQueue } from "./mine-queue.ts";

/** Mines tasks from a clone, with all steps up to and including `step`. Returns the exit code. */
export function runMine(clone: string, step: StepName, flags: MineFlags): Promise<number> {
  return perform(clone, flags, async (request) => {
    if (await isShallow(request.settings.gitDirectory))
      say("note: this clone lacks older commits; `git fetch --unshallow` in the clone gets them");
    return mine(request, step);
  });
}

async function isShallow(gitDirectory: string): Promise<boolean> {
  const { stdout } = await runForeignGit({
    gitDirectory,
    arguments: ["rev-parse", "--is-shallow-repository"],
  });
  return stdout.toString("latin1").trim() === "true";
}

/** Makes tasks by inserting faults into the clone's code. Returns the exit code. */
export function runMutants(clone: string, flags: MineFlags & WantedFaults): Promise<number> {
  const { count, faults } = flags;
  return perform(clone, flags, (request) => mineFaults(request, { count, faults }));
}

export interface DeriveFlags extends MineFlags {
  readonly dataset: string;
  readonly count: number;
  readonly repeats: number;
  readonly attempts?: string;
}

/** Makes tasks of another kind. Returns the exit code: 0, or 3 if a candidate could not be checked. */
export async function runDerive(clone: string, flags: DeriveFlags): Promise<number> {
  const folder = resolve(flags.out);
  const { dataset, count: most, repeats, attempts } = flags;
  return withMining(folder, await readSettings(clone, flags), flags, async (request) => {
    const wanted = { dataset, count: most, repeats, onResult: tellOutcome("derive") };
    const { report, tasks, path, environments } = await deriveTasks({ ...request, attempts }, wanted);
    say(tellStep(report));
    const text = `${countOf(tasks, "task")} in ${path}; ${environments} has their setups\n`;
    const document = { schema: "millwright.bench-derive/1", path, environments, tasks, report };
    process.stdout.write(
      flags.json === true ? `${JSON.stringify(document, null, 2)}\n` : sanitizeForTerminal(text),
    );
    return report.errors > 0 ? 3 : 0;
  });
}

/** Adds tasks from the changes that the repository merged after the dataset's publication. Returns the exit code. */
export function runRefresh(clone: string, flags: MineFlags): Promise<number> {
  return perform(clone, flags, refresh);
}

export interface RecheckFlags extends MineFlags {
  readonly repeats: number;
  readonly retireUnbuilt?: boolean;
  readonly frozen?: boolean;
}

/**
 * Checks the dataset's tasks again, and retires unfit ones. Returns the exit code: 0, or 3 if a task could not be
 * checked.
 */
export async function runRecheck(clone: string, flags: RecheckFlags): Promise<number> {
  const folder = resolve(flags.out);
  const { repeats, retireUnbuilt, frozen } = flags;
  return withMining(folder, await readSettings(clone, flags), flags, async (request) => {
    const { card, fit, retired, unchecked } = await recheck({
      ...{ ...request, repeats, retiresUnbuilt: retireUnbuilt === true, isFrozen: frozen === true },
      onResult: ({ id, state }) => say(`${id}: ${state === "infrastructure-error" ? "not checked" : state}`),
    });
    const tell = (label: string, tasks: readonly Retired[]): string =>
      tasks.map(({ id, detail }) => `${label} ${id}: ${detail.replaceAll(/\s+/g, " ")}\n`).join("");
    const text = `${tell("retired", retired)}${tell("not checked", unchecked)}${fit} of ${countOf(fit + retired.length + unchecked.length, "task")} fit; version ${card.version} has ${countOf(card.tasks, "task")}\n`;
    const document = { schema: "millwright.bench-recheck/1", folder, fit, retired, unchecked, card };
    process.stdout.write(
      flags.json === true ? `${JSON.stringify(document, null, 2)}\n` : sanitizeForTerminal(text),
    );
    return unchecked.length > 0 ? 3 : 0;
  });
}

/** Stores the environments of the dataset's tasks, and returns the exit code. */
export async function runFreeze(clone: string, flags: MineFlags): Promise<number> {
  const folder = resolve(flags.out);
  return withMining(folder, await readSettings(clone, flags), flags, async ({ options }) => {
    const report = await freeze({
      ...{ folder, options },
      onTask: (id, result) => say(`${id}: ${result}`),
    });
    const { environments, files, bytes, stored } = report;
    const text = `${countOf(environments, "environment")} of ${countOf(report.tasks, "task")} with ${countOf(files, "file")} in ${join(folder, frozenFolder)}: ${formatSize(stored)} instead of ${formatSize(bytes)}\n`;
    process.stdout.write(
      flags.json === true ? `${JSON.stringify({ ...report, folder }, null, 2)}\n` : sanitizeForTerminal(text),
    );
    return report.failed.length > 0 ? 3 : 0;
  });
}

function tellOutcome(step: string) {
  return (id: string, outcome: Outcome<unknown>): void => {
    const why =
      outcome.verdict === "kept"
        ? ""
        : ` ${outcome.cause}: ${outcome.detail.replaceAll(/\s+/g, " ").slice(0, 300)}`;
    say(`${step} ${id}: ${outcome.verdict}${why}`);
  };
}

function say(text: string): void {
  process.stderr.write(sanitizeForTerminal(`${text}\n`));
}

async function perform(
  clone: string,
  flags: MineFlags,
  work: (request: MineRequest) => Promise<Mined>,
): Promise<number> {
  const folder = resolve(flags.out);
  const settings = await readSettings(clone, flags);
  return withMining(folder, settings, flags, async (request, values) => {
    const mined = await withMiningQueue(flags.queue, request, { flags, values }, work);
    if (flags.json === true) process.stdout.write(`${JSON.stringify(documentOf(mined, folder), null, 2)}\n`);
    else process.stdout.write(sanitizeForTerminal(`${summaryOf(mined, folder)}\n`));
    return mined.reports.some(({ errors }) => errors > 0) ? 3 : 0;
  });
}

function summaryOf({ candidates, card }: Mined, folder: string): string {
  const [ledger, path] = [join(folder, "ledger.jsonl"), join(folder, "tasks.jsonl")];
  if (card === undefined)
    return `${countOf(candidates.length, "change")} left; ${ledger} has the verdict on each change`;
  return `${countOf(card.tasks, "task")} in ${path}; ${join(folder, "card.md")} describes them, and ${ledger} has the reason for each dropped change`;
}

function documentOf({ candidates, reports, card }: Mined, folder: string) {
  return {
    schema: "millwright.bench-mine/1",
    folder,
    steps: reports,
    candidates: candidates.map(({ change }) => change.id),
    ...(card === undefined ? {} : { card }),
  };
}

async function readSettings(clone: string, flags: MineFlags): Promise<MineSettings> {
  const gitDirectory = findGitDirectory(resolve(clone));
  if (gitDirectory === undefined)
    throw new MillwrightError("usage", `${clone} is not a git repository`, {
      hint: "Give the folder of a clone with its whole history.",
    });
  const remote = await readSetting(gitDirectory, "remote.origin.url");
  const forge = flags.forge === undefined ? undefined : readForgeAddress(flags.forge, remote);
  const { mostFiles, mostLines, since, limit: most, splitDate, sampleSize, seed, setup, testCommand } = flags;
  return {
    ...{ gitDirectory, mostFiles, mostLines, sampleSize, seed, limit: most, forge },
    since: since === undefined ? undefined : readDay("--since", since),
    splitDate: splitDate === undefined ? undefined : readDay("--split-date", splitDate),
    repository: flags.name ?? (forge === undefined ? nameOf(clone, remote) : repositoryOf(forge)),
    issues: readIssues(flags.issues),
    cutoffs: flags.cutoff.map(readCutoff),
    linkedOnly: flags.linkedOnly === true,
    suiteLimitMs: flags.suiteLimit,
    given: {
      ...(setup === undefined ? {} : { setup }),
      ...(testCommand === undefined ? {} : { testCommand }),
    },
  };
}

/** Returns the date. Throws MillwrightError("usage") for other texts, because git reads any text as some date. */
function readDay(flag: string, text: string): string {
  if (/^\d{4}-\d{2}-\d{2}(?:T|$)/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new MillwrightError("usage", `${flag} ${text} is not a date`, {
    hint: "Write YYYY-MM-DD, such as 2024-01-31.",
  });
}

function readCutoff(text: string): Cutoff {
  const [, model, date] = /^(.+)=(\d{4}-\d{2}-\d{2})$/.exec(text) ?? [];
  if (model !== undefined && date !== undefined && !Number.isNaN(Date.parse(date))) return { model, date };
  throw new MillwrightError("usage", `--cutoff ${text} is not a model and a date`, {
    hint: "Write MODEL=YYYY-MM-DD, such as acme-1=2025-06-30.",
  });
}

/** Returns `owner/name` of the remote, else the folder's name. */
function nameOf(clone: string, remote = ""): string {
  const named = /^(?:\w+:\/\/|[\w.-]+@).*?[:/]([\w.-]+\/[\w.-]+?)(?:\.git)?\/?$/.exec(remote)?.[1];
  return named ?? basename(resolve(clone)).replace(/\.git$/, "");
}

async function withMining(
  folder: string,
  mineSettings: MineSettings,
  flags: MineFlags,
  work: (request: MineRequest, values: Readonly<Record<string, unknown>>) => Promise<number>,
): Promise<number> {
  const directory = join(folder, "work");
  const { settings, values } = readBenchSettings(directory, flags);
  const interrupts = listenForInterrupts();
  try {
    return await withBenchSession(
      {
        ...{ host: hostOf(), settings, directory, owner: `mine-${process.pid}`, rules: [] },
        place: { repo: mineSettings.gitDirectory },
        setupVariables: flags.setupVariable,
        limitMs: flags.timeLimit,
        testLimitMs: flags.testTimeout,
        dropEnvironments: flags.dropEnvironments === true,
        patchLimit: Number.MAX_SAFE_INTEGER,
        signal: interrupts.signal,
      },
      async ({ options, conditions }) => {
        const store = await openResultStore(join(folder, "results"), flags.fresh === true);
        const request: MineRequest = {
          ...{ settings: mineSettings, folder, store, options, conditions, workers: flags.workers },
          environment: hostOf().environment,
          onProgress: say,
          onVerdict(step, { change }, outcome) {
            if (step !== "filter") tellOutcome(step)(change.id, outcome);
          },
          onStep: (report) => say(tellStep(report)),
        };
        return work(request, values);
      },
    );
  } catch (error) {
    if (!interrupts.signal.aborted) throw error;
    process.stderr.write("stopped; run the same command again to continue\n");
    return interruptedExitCode;
  } finally {
    interrupts.stop();
  }
}
