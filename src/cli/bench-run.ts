/** `bench run`: lets agents attempt tasks, grades their patches, and prints the results. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import pc from "picocolors";
import { describeSwitches, type Switches } from "../agent/switches.ts";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { countOf, nameFirst } from "../base/count.ts";
import { interruptedExitCode, MillwrightError } from "../base/errors.ts";
import { hashData, hashText } from "../base/hash.ts";
import { makeFolders } from "../base/make-folders.ts";
import { isReadOnce, readGivenFile } from "../base/regular-file.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { formatDuration, formatSize } from "../base/units.ts";
import type { Arm } from "../bench/attempt.ts";
import type { BatchDocument } from "../bench/batch-document.ts";
import { type ArmSummary, summariseArms } from "../bench/batch-report.ts";
import { describeCancelled, tellCancelled } from "../bench/cancelled-batch.ts";
import { hiddenFileOf } from "../bench/datasets/contract.ts";
import type { GradedTask } from "../bench/graded-task.ts";
import { findDataset, hashTasks } from "../bench/load-tasks.ts";
import { renderPredictions } from "../bench/predictions.ts";
import { protocolOf } from "../bench/protocols/index.ts";
import { readBucket } from "../bench/s3-store.ts";
import { factsOf, sizeOfPatch } from "../bench/task-facts.ts";
import type { TryResult } from "../bench/try.ts";
import { readWork } from "../bench/work/batch-work.ts";
import { isInside } from "../sandbox/mounts.ts";
import { type BatchRequest, listArms, listTries, runBatch } from "../session/bench-run.ts";
import { version } from "../session/version.ts";
import { type BenchWork, tellContinuing } from "./bench-flags.ts";
import { foldersOf, leastOf } from "./bench-jobs.ts";
import { createBatchProgress, describeCounts } from "./bench-progress.ts";
import { type QueueFlags, queueBatch, tellNotice } from "./bench-queue.ts";
import { refuseUndecidable, tellStop, watchDecision } from "./bench-stop.ts";
import { findShortage, refuseHopeless } from "./free-room.ts";
import { hostOf } from "./host.ts";

export interface RunFlags {
  readonly strategies: readonly string[];
  readonly models: readonly string[];
  readonly attempts: number;
  /** `auto`: agents determine the kind. */
  readonly kind: "task" | "auto";
  /** The folder of the predictions and the report. */
  readonly out: string | undefined;
  /** Disabled features; absent: none. */
  readonly switches?: Switches | undefined;
  /**
   * The error rate of the sequential test, above 0 and below 0.5; undefined: no test. The test ends the batch once one
   * of two arms is better.
   */
  readonly stopError: number | undefined;
  /** The queue and store for workers; undefined: this process executes the tries. */
  readonly queue: QueueFlags | undefined;
}

interface WrittenArm extends ArmSummary {
  /** The paths of the predictions, a file for each attempt. */
  readonly predictions: readonly string[];
}

export interface PerformedBatch {
  readonly exitCode: number;
  readonly document: { readonly seconds: number; readonly tries: readonly unknown[] };
  readonly arms: readonly WrittenArm[];
  /** The path of the written document. */
  readonly report: string;
  readonly stopped: BatchDocument["stopped"] | undefined;
  readonly cancelled: BatchDocument["cancelled"] | undefined;
}

/**
 * Runs a batch and prints the results. Returns the exit code:
 * - 130 if somebody cancelled the batch
 * - else 3 if a task was unreadable, or a try had an infrastructure error
 * - else 0
 */
export async function runBench(work: BenchWork, flags: RunFlags): Promise<number> {
  const { json, tasks } = work;
  const ended = await performBatch(work, flags, (line) => {
    if (!json) process.stdout.write(line);
  });
  const { document, arms, report, stopped, cancelled, exitCode } = ended;
  const early = stopped === undefined ? "" : tellStop(stopped, tasks.length);
  if (cancelled !== undefined) tellNotice(`${tellCancelled(cancelled)}. ${tellContinuing(work.flags)}`);
  process.stdout.write(
    json
      ? `${JSON.stringify(document, null, 2)}\n`
      : `${early}${renderSummary(arms, report, document.seconds)}`,
  );
  return exitCode;
}

/** Attempts and grades the tasks of a batch, and writes the batch. Calls `tell` with a line for each try that ends. */
export async function performBatch(
  work: BenchWork,
  flags: RunFlags,
  tell: (line: string) => void,
): Promise<PerformedBatch> {
  const { attempts } = flags;
  const { tasks } = work;
  refuseUnlisted(tasks);
  refuseShown(work, flags);
  const kind = flags.kind === "auto" ? flags.kind : undefined;
  const arms = listArms({ ...flags, kind, settings: settingsOf(work) });
  if (flags.stopError !== undefined) refuseUndecidable(arms, attempts);
  if (flags.queue === undefined) await refuseHopeless(foldersOf(work), leastOf(work));
  // Before the batch: files may change or disappear meanwhile.
  const hashes = hashFiles(work);
  const started = performance.now();
  const planned = listTries({ arms, tasks, attempts });
  const progress = await createBatchProgress(process.stderr, planned.length);
  const batch = {
    ...{ ...work, host: hostOf(), arms, attempts, program: ownProgram() },
    findShortage: watchRoom(work),
  };
  const early = flags.stopError === undefined ? undefined : watchDecision(tasks, arms, flags.stopError);
  let results: readonly TryResult[];
  let isCancelled = false;
  try {
    results = await executeBatch(work, flags.queue, {
      ...batch,
      onStart: progress.start,
      onPause: progress.pause,
      onCancel: () => (isCancelled = true),
      ...(early === undefined ? {} : { isEnough: early.isDecided }),
      onResult(result) {
        early?.add(result);
        progress.end(result, () => tell(`${renderTry(result, arms, attempts)}\n`));
      },
    });
  } finally {
    progress.close();
  }
  const ended = {
    ...{ arms, results, hashes, started, stopped: early?.stopped() },
    cancelled: isCancelled ? describeCancelled(planned, results) : undefined,
  };
  const isWhole =
    work.unreadable.length === 0 && results.every(({ outcome }) => outcome !== "infrastructure-error");
  return {
    ...(await writeBatch(work, flags, ended)),
    exitCode: isCancelled ? interruptedExitCode : isWhole ? 0 : 3,
  };
}

interface EndedBatch extends Pick<PerformedBatch, "stopped" | "cancelled"> {
  readonly arms: readonly Arm[];
  readonly results: readonly TryResult[];
  readonly hashes: FileHashes;
  /** The time of the start, as `performance.now()` gives it. */
  readonly started: number;
}

/** Writes the predictions and the document of a batch. */
async function writeBatch(
  work: BenchWork,
  flags: RunFlags,
  { arms, results, hashes, started, stopped, cancelled }: EndedBatch,
): Promise<Omit<PerformedBatch, "exitCode">> {
  const { tasks, options } = work;
  const folder = resolve(flags.out ?? join(options.directory, "batches", nameOf(work, arms)));
  const written = await writePredictions(folder, results, flags.attempts, tasks);
  const document = {
    schema: "millwright.bench-run/1",
    version,
    tasks: {
      file: work.source,
      sha256: hashes.tasks,
      count: tasks.length,
      ids: tasks.map(({ task }) => task.id),
      facts: tasks.map(factsOf),
    },
    rules: [...new Set(tasks.map(({ grader }) => grader.name))],
    sandbox: options.sandbox.provider.name,
    arms: written.map((arm) => ({
      ...arm,
      settings: arms.find(({ strategy, model }) => strategy === arm.strategy && model === arm.model)
        ?.settings,
    })),
    settings: describeSettings(work, flags, hashes),
    ...(flags.switches === undefined ? {} : { off: describeSwitches(flags.switches) }),
    runs: resolve(options.directory, "runs"),
    ...(stopped === undefined ? {} : { stopped }),
    ...(cancelled === undefined ? {} : { cancelled }),
    seconds: (performance.now() - started) / 1000,
    ...(work.unreadable.length === 0 ? {} : { unreadable: work.unreadable }),
    tries: await describeTries(results, work),
  };
  const report = join(folder, "report.json");
  await writeFileAtomically(report, `${JSON.stringify(document, null, 2)}\n`, 0o666);
  return { document, arms: written, report, stopped, cancelled };
}

/** Hashes by the flag's name. Omits files that are not given. */
interface FileHashes extends Readonly<Record<string, string>> {
  readonly tasks: string;
}

/** Hashes the given files. For a file that allows only one read, such as a pipe, hashes the loaded content. */
export function hashFiles({
  file,
  allTasks,
  flags,
  options,
}: Pick<BenchWork, "file" | "allTasks" | "flags"> & {
  readonly options: Pick<BenchWork["options"], "rules">;
}): FileHashes {
  const hashOf = (path: string, loaded: () => unknown): string =>
    isReadOnce(path) ? hashData(loaded()) : hashText(readGivenFile(path));
  const hasHidden = findDataset(allTasks[0]?.dataset ?? "").completeRows !== undefined;
  const hidden = () => allTasks.map((each) => [each.task.id, each.hidden]);
  const files: [string, string | undefined, () => unknown][] = [
    ["hidden", hasHidden ? hiddenFileOf({ tasks: file, hidden: flags.hidden }) : undefined, hidden],
    ["lists", flags.lists, () => allTasks.map((each) => [each.task.id, each.hidden.lists])],
    ["environments", flags.environments, () => options.rules],
  ];
  const given = files.flatMap(([name, path, loaded]) =>
    path === undefined ? [] : [[name, hashOf(path, loaded)]],
  );
  const tasks = isReadOnce(file) ? hashData(allTasks.map(({ task }) => task)) : hashTasks(file);
  return { ...Object.fromEntries(given), tasks };
}

/** Renders the flags that all arms share as text, for comparisons. Names files by their hashes. */
function describeSettings(
  { flags, options, workers }: BenchWork,
  { kind, queue }: RunFlags,
  { tasks: _, ...files }: FileHashes,
): Record<string, string> {
  const { setup, setupVariable, testCommand, publishedImages } = flags;
  const hashes = Object.entries(files).map(([name, hash]) => [name, `sha256 ${hash.slice(0, 12)}`]);
  return {
    timeLimit: formatDuration(options.limitMs),
    testTimeout: formatDuration(options.testLimitMs),
    patchLimit: formatSize(options.patchLimit),
    // On a queue, each worker has its own number.
    ...(queue === undefined ? { workers: String(workers) } : {}),
    ...(kind === "auto" ? { kind } : {}),
    ...Object.fromEntries(hashes),
    ...(setup === undefined ? {} : { setup }),
    ...(setupVariable.length === 0 ? {} : { setupVariable: setupVariable.join(", ") }),
    ...(testCommand === undefined ? {} : { testCommand }),
    ...(publishedImages === true ? { publishedImages: "yes" } : {}),
  };
}

/**
 * Renders the tries for the report. Computes the figures of each attempt's work from its run, so that the same command
 * gives the same figures.
 */
async function describeTries(results: readonly TryResult[], { tasks, options }: BenchWork) {
  const { directory, place: repositories } = options;
  const places = { tasks, repositories, runsDirectory: join(directory, "runs") };
  const tries = [];
  // One by one: records may be large.
  for (const { patch, target: _, ...row } of results) {
    const own = await readWork(row, places);
    tries.push({ ...row, edited: sizeOfPatch(patch), ...(own === undefined ? {} : { work: own }) });
  }
  return tries;
}

/** Returns a function that finds a shortage of memory, or of space on the disks of the batch's folders. */
function watchRoom(work: BenchWork) {
  return () => findShortage(foldersOf(work), leastOf(work));
}

/** Executes the batch here, or on the workers of a queue. */
function executeBatch(
  work: BenchWork,
  queue: QueueFlags | undefined,
  batch: BatchRequest,
): Promise<readonly TryResult[]> {
  return queue === undefined ? runBatch(batch) : queueBatch(work, queue, batch, nameOf(work, batch.arms));
}

/** Refuses tasks whose rule needs lists that the tasks lack, before an attempt costs anything. */
function refuseUnlisted(tasks: readonly GradedTask[]): void {
  const [first, ...others] = tasks.filter(
    ({ hidden, grader }) => hidden.lists === undefined && protocolOf(grader).needsLists,
  );
  if (first === undefined) return;
  const more = others.length === 0 ? "" : ` and ${others.length} more`;
  throw new MillwrightError(
    "usage",
    `Lists of fail-to-pass and pass-to-pass tests are missing for ${first.task.id}${more}`,
    {
      hint: "Compute the lists with `bench check --write-lists FILE`, and give them with --lists FILE. Or choose other tasks with --only.",
    },
  );
}

/**
 * Refuses an agent's folder that contains files of the bench: inputs, results or reports. The agent can read the whole
 * folder.
 */
export function refuseShown(
  { values, file, flags, store, options: { directory, place, logs } }: BenchWork,
  { out, queue }: Pick<RunFlags, "out" | "queue">,
): void {
  const { agentFolder } = values;
  if (typeof agentFolder !== "string") return;
  const folder = realPath(agentFolder);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new MillwrightError("usage", `${agentFolder} is not a folder`);
  const shared = queue === undefined || readBucket(queue.store) !== undefined ? undefined : queue.store;
  const kept = [
    ...[file, hiddenFileOf({ tasks: file, hidden: flags.hidden }), flags.lists, flags.environments],
    ...[place.repositories, place.repo, directory, store.directory, logs?.directory, out, shared],
  ];
  const shown = kept.find((path) => path !== undefined && isInside(realPath(path), folder));
  if (shown === undefined) return;
  throw new MillwrightError("usage", `${agentFolder} contains ${shown}, which the agent must not see`, {
    hint: "Give a folder that holds only the agent's own files.",
  });
}

/** Resolves links, also those above a path that does not exist yet. */
function realPath(path: string): string {
  const absolute = resolve(path);
  return existsSync(absolute)
    ? realpathSync(absolute)
    : join(realPath(dirname(absolute)), basename(absolute));
}

/** Returns the agents' settings, with the chosen sandbox, and without those that a batch sets itself (`runsDir`, `remember`). */
function settingsOf({ values, options }: BenchWork): Record<string, unknown> {
  const { runsDir: _r, remember: _m, ...rest } = values;
  return { ...rest, sandbox: options.sandbox.provider.name };
}

/** Returns the command line that starts this program for one attempt (`bench attempt`). */
export function ownProgram(): string[] {
  return [process.execPath, ...process.execArgv, process.argv[1] ?? "", "bench", "attempt"];
}

/** Returns the name of the batch's folder. The same command finds the same folder again. */
function nameOf({ tasks }: BenchWork, arms: readonly Arm[]): string {
  const dataset = tasks[0]?.dataset ?? "tasks";
  return `${dataset}-${hashData([tasks.map(({ task }) => task.id), arms]).slice(0, 8)}`;
}

async function writePredictions(
  folder: string,
  results: readonly TryResult[],
  attempts: number,
  tasks: readonly GradedTask[],
): Promise<WrittenArm[]> {
  const dataset = findDataset(tasks[0]?.dataset ?? "");
  const known = new Map(tasks.map(({ task }) => [task.id, task]));
  await makeFolders(join(folder, "predictions"));
  const written: WrittenArm[] = [];
  for (const arm of summariseArms(results)) {
    const files: string[] = [];
    const own = results.filter(({ strategy, model }) => strategy === arm.strategy && model === arm.model);
    for (const { attempt } of arm.attempts) {
      const name = [arm.strategy, arm.model, attempts > 1 ? `attempt-${attempt}` : null]
        .filter(Boolean)
        .join("--");
      const predictions = own
        .filter((result) => result.attempt === attempt)
        .flatMap(({ id, patch, target }) => {
          const task = known.get(id);
          return task === undefined ? [] : [{ id, patch, target, task }];
        });
      const { text, extension } = renderPredictions({ predictions, name: `millwright-${name}`, dataset });
      const path = join(folder, "predictions", `${name.replaceAll(/[^\w.-]+/g, "_")}.${extension}`);
      await writeFileAtomically(path, text, 0o666);
      files.push(path);
    }
    written.push({ ...arm, predictions: files });
  }
  return written;
}

const marks = {
  resolved: pc.green("resolved"),
  unresolved: pc.red("unresolved"),
  "agent-error": pc.red("agent error"),
  "infrastructure-error": pc.yellow("infrastructure error"),
};

function renderTry(result: TryResult, arms: readonly Arm[], attempts: number): string {
  const { outcome, id, reason, worker, verdict, strength, agentSeconds, gradingSeconds, usage, known } =
    result;
  const who = [
    ...(arms.length > 1 ? [armName(result)] : []),
    ...(attempts > 1 ? [`attempt ${result.attempt}`] : []),
  ].join(", ");
  const why = result.patch === "" ? result.verdictReason.replaceAll(/\s+/g, " ") : strength;
  const said = verdict === null ? [] : [`the agent: ${[verdict, why].filter(Boolean).join(", ")}`];
  const time = known
    ? "known"
    : `${formatDuration(agentSeconds * 1000)} + ${formatDuration(gradingSeconds * 1000)}`;
  const isBroken = outcome === "infrastructure-error" && worker !== undefined;
  const more = [
    ...said,
    ...(isBroken ? [`worker ${worker}`] : []),
    time,
    ...(usage.calls === 0 ? [] : [`$${usage.usd.toFixed(2)}`]),
  ].join("; ");
  const head = `${marks[outcome]} ${id}${who === "" ? "" : ` (${who})`}: ${reason.replaceAll(/\s+/g, " ")} (${more})`;
  const restored = nameFirst(result.restored, 5);
  const note =
    restored === ""
      ? ""
      : `\n  the patch changes tests or how they run; Millwright undid these changes: ${restored}`;
  return sanitizeForTerminal(`${head}${note}`);
}

function armName({ strategy, model }: Pick<Arm, "strategy" | "model">): string {
  return model === null ? strategy : `${strategy}, ${model}`;
}

function renderSummary(arms: readonly WrittenArm[], report: string, seconds: number): string {
  const lines = arms.flatMap((arm) => {
    const { verified, usage, agentSeconds, gradingSeconds, passAt } = arm;
    const rates = arm.attempts.map((each) => {
      const which = arm.attempts.length > 1 ? ` attempt ${each.attempt}:` : "";
      return `${armName(arm)}:${which} ${describeCounts(each)}`;
    });
    const several = Object.entries(passAt).map(([k, share]) => `pass@${k} ${(share * 100).toFixed(1)} %`);
    const unpriced = usage.unpriced === undefined ? "" : ` and ${countOf(usage.unpriced, "unpriced call")}`;
    return [
      ...rates,
      ...(arm.attempts.length > 1 ? [`  ${several.join(", ")}`] : []),
      `  verified by the agent: ${countOf(verified.count, "patch")}, ${verified.resolved} of them resolved`,
      `  agent ${formatDuration(agentSeconds * 1000)}, grading ${formatDuration(gradingSeconds * 1000)}; ${countOf(usage.calls, "model call")}, $${usage.usd.toFixed(2)}${unpriced}`,
      ...arm.predictions.map((path) => `  predictions: ${path}`),
    ];
  });
  return `${sanitizeForTerminal([...lines, `report: ${report} (${formatDuration(seconds * 1000)})`].join("\n"))}\n`;
}
