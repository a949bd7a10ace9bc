/** Makes tasks of another kind, checks each like `bench check`, and writes the fit ones in the dataset's own format. */
import { join } from "node:path";
import { writeFileAtomically } from "../../base/atomic-file.ts";
import { asDiskError, MillwrightError } from "../../base/errors.ts";
import { makeFolders } from "../../base/make-folders.ts";
import { checkJob } from "../../bench/check-task.ts";
import type { GradedTask } from "../../bench/graded-task.ts";
import { executeJob } from "../../bench/job.ts";
import { findDataset } from "../../bench/load-tasks.ts";
import type { RowProblem } from "../../bench/rows.ts";
import { drop, keep, type Outcome, verdictLine } from "../contract.ts";
import { openHistoryTrees } from "../history-trees.ts";
import { type LedgerLine, openLedger } from "../ledger.ts";
import { hasPublished } from "../publish/published.ts";
import { reportStep, type StepReport } from "../step-report.ts";
import type { Derivable, DerivedTask, DeriveRequest, DeriveSource } from "./contract.ts";
import { failedAttempts, featureChanges, sweBenchTests } from "./from-changes.ts";
import { newFunctions, repocod, repotest } from "./from-functions.ts";

/** The datasets whose tasks Millwright can derive. */
export const sources: Readonly<Record<string, DeriveSource>> = {
  repotest,
  repocod,
  "swt-bench": sweBenchTests,
  swetry: failedAttempts,
  /** Derives tasks from changes, and from functions if the changes give too few tasks. */
  async *"feature-development"(request) {
    if (hasPublished(request.folder)) yield* featureChanges(request);
    yield* newFunctions(request);
  },
};

export interface DeriveOptions {
  /** A key of `sources`. */
  readonly dataset: string;
  /** Maximum number of tasks. */
  readonly count: number;
  /** Number of test runs on each tree in the check. */
  readonly repeats: number;
  onResult(id: string, outcome: Outcome<unknown>): void;
}

export interface Derived {
  readonly report: StepReport;
  readonly tasks: number;
  /** The files of tasks and of environments. */
  readonly path: string;
  readonly environments: string;
}

/**
 * Derives tasks until `count` are fit or the source has no more. Stores each check, so that the same call continues
 * after a kill. Throws MillwrightError if the dataset is missing, no environment works, or the disk fails. Throws
 * AbortError if the signal stops it.
 */
export async function deriveTasks(
  request: Omit<DeriveRequest, "trees">,
  wanted: DeriveOptions,
): Promise<Derived> {
  const { folder, settings, options } = request;
  const { dataset, count, onResult } = wanted;
  const source = sources[dataset];
  if (source === undefined) throw new Error(`No source derives ${dataset}`);
  await makeFolders(join(folder, "reports"));
  const ledger = await openLedger(folder);
  const trees = await openHistoryTrees(join(options.directory, "history"), settings.gitDirectory);
  const lines: Omit<LedgerLine, "step" | "key">[] = [];
  const kept: DerivedTask[] = [];
  try {
    for await (const candidate of source({ ...request, trees })) {
      const { id, commit, language } = candidate;
      const { outcome, key } = await decide(request, candidate, wanted);
      const line = { candidate: id, commit, language, ...verdictLine(outcome) };
      lines.push(line);
      ledger.note({ step: `derive ${dataset}`, key, ...line });
      onResult(id, outcome);
      if (outcome.verdict === "kept") kept.push(outcome.value);
      if (kept.length >= count) break;
    }
  } finally {
    trees.close();
    ledger.close();
  }
  const report = reportStep("derive", lines);
  const path = join(folder, `${dataset}.jsonl`);
  const environments = join(folder, `${dataset}.environments.json`);
  const rules = { schema: "millwright.environments/1", rules: kept.flatMap((each) => each.rules) };
  const rows = kept.map(({ row }) => `${JSON.stringify(row)}\n`).join("");
  await writeFileAtomically(path, rows, 0o666);
  await writeFileAtomically(environments, `${JSON.stringify(rules, null, 2)}\n`, 0o666);
  await writeFileAtomically(
    join(folder, "reports", `derive-${dataset}.json`),
    `${JSON.stringify(report, null, 2)}\n`,
    0o666,
  );
  return { report, tasks: kept.length, path, environments };
}

interface Decided {
  readonly outcome: Outcome<DerivedTask>;
  readonly key: string;
}

/**
 * Keeps a task if the gold patch resolves it, the empty patch does not, and repeated runs agree. An error of one
 * candidate, even a defect of Millwright, does not affect other tasks. Throws AbortError if the signal stops it.
 */
export async function decide(
  request: Pick<DeriveRequest, "store" | "options" | "conditions">,
  candidate: Derivable,
  wanted: Pick<DeriveOptions, "dataset" | "repeats">,
): Promise<Decided> {
  try {
    return await deriveAndCheck(request, candidate, wanted);
  } catch (thrown) {
    const error = asDiskError(thrown);
    request.options.signal.throwIfAborted();
    const detail = error instanceof Error ? error.message : String(error);
    const cause = error instanceof MillwrightError && error.code !== "internal" ? "infrastructure" : "defect";
    return { outcome: { verdict: "error", cause, detail }, key: uncheckedKey(candidate, wanted) };
  }
}

function uncheckedKey({ id }: Derivable, { dataset }: Pick<DeriveOptions, "dataset">): string {
  return `${dataset} ${id}`;
}

async function deriveAndCheck(
  { store, options, conditions }: Pick<DeriveRequest, "store" | "options" | "conditions">,
  candidate: Derivable,
  wanted: Pick<DeriveOptions, "dataset" | "repeats">,
): Promise<Decided> {
  const { dataset, repeats } = wanted;
  const outcome = await candidate.derive();
  const noCheck = uncheckedKey(candidate, wanted);
  if (outcome.verdict !== "kept") return { outcome, key: noCheck };
  const { row, rules } = outcome.value;
  const task = readTask(dataset, candidate.id, row);
  if (typeof task === "string") return { outcome: drop("unfit", task), key: noCheck };
  const checking = { ...options, rules: [...options.rules, ...rules] };
  const job = checkJob(task, repeats, checking, conditions);
  const { state, exceptions, lists } = (await executeJob(job, store, options.signal)).result;
  const why = exceptions[0] ?? "";
  if (state === "fit" && lists.flaky.length > 0)
    return {
      outcome: drop("unfit", `the task's tests are flaky: ${lists.flaky.slice(0, 3).join(", ")}`),
      key: job.key,
    };
  if (state === "fit") return { outcome: keep(outcome.value), key: job.key };
  if (state === "unfit") return { outcome: drop("unfit", why), key: job.key };
  return { outcome: { verdict: "error", cause: "infrastructure", detail: why }, key: job.key };
}

/** Returns the reason why a row makes no task. */
function readTask(dataset: string, place: string, data: DerivedTask["row"]): GradedTask | string {
  const problems: RowProblem[] = [];
  const task = findDataset(dataset).read({ data, place }, problems);
  return task ?? `the task's row is not valid in the format of ${dataset}: ${problems[0]?.message}`;
}
