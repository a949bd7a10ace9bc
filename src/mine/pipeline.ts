/** The steps in their order. Each verdict is kept by what it depends on, so the same command goes on wherever it was ended. */
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { hashData } from "../base/hash.ts";
import { makeFolders } from "../base/make-folders.ts";
import { executeJob, type Job } from "../bench/job.ts";
import { runPool } from "../bench/pool.ts";
import type { ResultKind } from "../bench/result-store.ts";
import { runGit } from "../workspace/git.ts";
import { collectChanges } from "./collect.ts";
import {
  type Candidate,
  type Change,
  changeSchema,
  drop,
  keep,
  type Outcome,
  reviewSchema,
  type StepName,
  splitSchema,
  stepNames,
  validationSchema,
} from "./contract.ts";
import { type HistoryTrees, openHistoryTrees } from "./history-trees.ts";
import { type Ledger, type LedgerLine, openLedger } from "./ledger.ts";
import { readProject, readVersion } from "./project-at.ts";
import type { Card } from "./publish/card.ts";
import { publish } from "./publish/publish.ts";
import { sameStatement } from "./review/duplicates.ts";
import { reviewChange } from "./review/review-change.ts";
import { seedTasks } from "./seed/seed-tasks.ts";
import type { MineRequest } from "./settings.ts";
import { splitChange } from "./split-change.ts";
import { reportStep, type StepReport } from "./step-report.ts";
import { validateChange } from "./validate.ts";

export interface Mined {
  readonly candidates: readonly Candidate[];
  readonly reports: readonly StepReport[];
  /** Of what was published. */
  readonly card?: Card;
}

interface Work extends MineRequest {
  readonly trees: HistoryTrees;
  readonly ledger: Ledger;
}

/** Every step up to `last`. Throws MillwrightError, and AbortError. */
export async function mine(request: MineRequest, last: StepName): Promise<Mined> {
  await makeFolders(join(request.folder, "reports"));
  const ledger = await openLedger(request.folder);
  const trees = await openHistoryTrees(
    join(request.options.directory, "history"),
    request.settings.gitDirectory,
  );
  const work: Work = { ...request, trees, ledger };
  const reports: StepReport[] = [];
  let candidates: readonly Candidate[] = [];
  try {
    for (const step of stepNames.slice(0, stepNames.indexOf(last) + 1)) {
      if (step === "publish") break;
      const done = await steps[step](work, candidates);
      candidates = done.kept;
      reports.push(done.report);
      await writeFileAtomically(
        join(request.folder, "reports", `${step}.json`),
        `${JSON.stringify(done.report, null, 2)}\n`,
        0o666,
      );
      request.onStep(done.report);
    }
    if (last !== "publish") return { candidates, reports };
    const { settings, folder } = request;
    return { candidates, reports, card: await publish({ settings, folder, trees, candidates, reports }) };
  } finally {
    trees.close();
    ledger.close();
  }
}

interface Done {
  readonly kept: readonly Candidate[];
  readonly report: StepReport;
}

type Step = (work: Work, candidates: readonly Candidate[]) => Promise<Done>;

const steps: Readonly<Record<Exclude<StepName, "publish">, Step>> = {
  collect: collectStep,
  filter: filterStep,
  validate: validateStep,
  review: reviewStep,
};

async function collectStep(work: Work): Promise<Done> {
  const { settings, store, options } = work;
  const { gitDirectory, repository, since, issues } = settings;
  const head = await runGit({ gitDirectory, arguments: ["rev-parse", "HEAD"] });
  const key = hashData([
    "mine-collect",
    repository,
    head.stdout.toString("latin1"),
    since ?? null,
    [...issues],
  ]);
  const { result } = await executeJob<Change[]>(
    {
      key,
      kind: { schema: "millwright.mine-collect/1", type: z.array(changeSchema) },
      execute: () => collectChanges(settings),
      isFinal: () => true,
      onError(reason) {
        throw new Error(reason);
      },
    },
    store,
    options.signal,
  );
  const outcomes = result.map((change) => ({ candidate: { change }, key, outcome: keep({}) }));
  return conclude(work, "collect", outcomes);
}

/** Git is waited for more than the processor. */
const filterWorkers = 4;

async function filterStep(work: Work, candidates: readonly Candidate[]): Promise<Done> {
  const { settings, trees } = work;
  const { mostFiles, mostLines, linkedOnly } = settings;
  const done = await perform(work, "filter", candidates, {
    type: splitSchema,
    depends: ({ change }) => [change.base, change.commit, mostFiles, mostLines],
    known({ change }) {
      if (change.code === 0) return drop("no-code", "no file of code is changed");
      if (!linkedOnly || isLinked(change)) return undefined;
      return drop("no-issue", "it names neither an issue nor a merge request");
    },
    decide: ({ change }) => splitChange(change, trees, settings),
    lay: (candidate, split) => ({ ...candidate, split }),
    workers: filterWorkers,
  });
  return { ...done, kept: done.kept.slice(0, settings.limit) };
}

function isLinked({ number, issues }: Change): boolean {
  return number !== undefined || issues.length > 0;
}

async function validateStep(work: Work, candidates: readonly Candidate[]): Promise<Done> {
  const { settings, trees, options, conditions, workers } = work;
  const { given, suiteLimitMs, gitDirectory } = settings;
  let preferred: string | undefined;
  return perform(work, "validate", candidates, {
    type: validationSchema,
    depends: ({ change, split }) => [change.repository, change.base, split, given, suiteLimitMs, conditions],
    async decide({ change, split }) {
      if (split === undefined) throw new Error("only split changes are validated");
      const project = await readProject(trees.store, await trees.treeOf(change.base));
      const version = await readVersion(gitDirectory, change.base);
      const request = { change, split, project, version, options, suiteLimitMs, given, preferred };
      const outcome = await validateChange(request);
      if (outcome.verdict === "kept") preferred = outcome.value.attempts.find(({ works }) => works)?.recipe;
      return outcome;
    },
    lay: (candidate, validation) => ({ ...candidate, validation }),
    workers,
  });
}

async function reviewStep(work: Work, candidates: readonly Candidate[]): Promise<Done> {
  const { settings, options, conditions, workers } = work;
  const oldestFirst = candidates.toSorted((a, b) => (a.change.date < b.change.date ? -1 : 1));
  const seen: Candidate[] = [];
  return perform(work, "review", oldestFirst, {
    type: reviewSchema,
    depends: ({ change, split, validation }) => [
      change,
      split,
      { ...validation, seconds: 0, attempts: [] },
      conditions,
    ],
    async decide({ change, split, validation }) {
      if (split === undefined || validation === undefined)
        throw new Error("only validated changes are reviewed");
      const version = await readVersion(settings.gitDirectory, change.base);
      return keep(await reviewChange({ change, split, validation, version, options }));
    },
    lay: (candidate, review) => ({ ...candidate, review }),
    weigh(candidate) {
      const bad = candidate.review?.findings.find(({ isBad }) => isBad);
      if (bad !== undefined) return { verdict: "dropped", cause: bad.check, detail: bad.reason };
      const same = seen.find((other) => isDuplicate(other, candidate));
      if (same !== undefined)
        return { verdict: "dropped", cause: "duplicate", detail: `as ${same.change.id}` };
      seen.push(candidate);
      return undefined;
    },
    workers,
  });
}

function isDuplicate(a: Candidate, b: Candidate): boolean {
  if (a.review?.patchKey === b.review?.patchKey) return true;
  return a.change.statementFrom === "issue" && sameStatement(a.change, b.change);
}

interface Decision<T> {
  readonly type: z.ZodType<T>;
  /** A verdict that needs no work, and is not kept; undefined: `decide` says it. */
  known?(candidate: Candidate): Outcome<never> | undefined;
  /** All that the verdict depends on. */
  depends(candidate: Candidate): readonly unknown[];
  decide(candidate: Candidate): Promise<Outcome<T>>;
  lay(candidate: Candidate, value: T): Candidate;
  /** Of what was kept: why it is dropped beside the others. Asked in order, once all are decided. */
  weigh?(candidate: Candidate): Outcome<never> | undefined;
  readonly workers: number;
}

interface Decided {
  readonly candidate: Candidate;
  readonly key: string;
  readonly outcome: Outcome<unknown>;
}

async function perform<T>(
  work: Work,
  step: Exclude<StepName, "publish">,
  candidates: readonly Candidate[],
  { type, known: knownVerdict, depends, decide, lay, weigh, workers }: Decision<T>,
): Promise<Done> {
  const { store, options } = work;
  const decideOne = async (candidate: Candidate): Promise<Decided> => {
    const key = hashData([`mine-${step}`, ...depends(candidate)]);
    const told = knownVerdict?.(candidate);
    if (told !== undefined) return { candidate, key, outcome: told };
    const job: Job<Outcome<T>> = {
      key,
      kind: outcomeKind(step, type),
      execute: () => decide(candidate),
      isFinal: ({ verdict }) => verdict !== "error",
      onError: (detail) => ({ verdict: "error", cause: "infrastructure", detail }),
    };
    const { result, known } = await executeJob(job, store, options.signal);
    const laid = result.verdict === "kept" ? lay(candidate, result.value) : candidate;
    if (!known) work.onVerdict(step, laid, result);
    if (weigh === undefined || result.verdict !== "kept")
      note(work, step, { candidate: laid, key, outcome: result });
    return { candidate: laid, key, outcome: result };
  };
  const decided = await runPool(candidates, {
    ...{ workers, retries: 0, signal: options.signal },
    work: decideOne,
    isRetried: () => false,
    onResult: () => {},
  });
  const weighed = decided.map((each): Decided => {
    const objection = each.outcome.verdict === "kept" ? weigh?.(each.candidate) : undefined;
    return objection === undefined ? each : { ...each, outcome: objection };
  });
  return conclude(work, step, weighed);
}

function outcomeKind<T>(step: string, type: z.ZodType<T>): ResultKind<Outcome<T>> {
  const other = z.object({ verdict: z.enum(["dropped", "error"]), cause: z.string(), detail: z.string() });
  const kept = z.object({ verdict: z.literal("kept"), value: type });
  return { schema: `millwright.mine-${step}/1`, type: z.union([kept, other]) };
}

/** Ledger and report of a step; its dropped candidates end here. */
function conclude(work: Work, step: StepName, decided: readonly Decided[]): Done {
  for (const each of decided) note(work, step, each);
  return {
    kept: decided.filter(({ outcome }) => outcome.verdict === "kept").map(({ candidate }) => candidate),
    report: reportStep(step, decided.map(lineOf)),
  };
}

function note({ ledger }: Work, step: StepName, decided: Decided): void {
  ledger.note({ step, key: decided.key, ...lineOf(decided) });
}

function lineOf({ candidate: { change }, outcome }: Decided) {
  const { id, commit, language } = change;
  const why = outcome.verdict === "kept" ? {} : { cause: outcome.cause, detail: outcome.detail };
  return { candidate: id, commit, language, verdict: outcome.verdict, ...why };
}

/** Faults put into the newest commit, published as a dataset of their own. Throws MillwrightError, and AbortError. */
export async function mineFaults(request: MineRequest, count: number): Promise<Mined> {
  const { folder, settings, options } = request;
  await makeFolders(folder);
  const ledger = await openLedger(folder);
  const trees = await openHistoryTrees(join(options.directory, "history"), settings.gitDirectory);
  const lines: Omit<LedgerLine, "step" | "key">[] = [];
  try {
    const candidates = await seedTasks({
      ...{ ...request, trees, count },
      note(candidate, key, outcome, language) {
        const why = outcome.verdict === "kept" ? {} : { cause: outcome.cause, detail: outcome.detail };
        const line = { candidate, commit: "", language, verdict: outcome.verdict, ...why };
        lines.push(line);
        ledger.note({ step: "seed", key, ...line });
      },
    });
    const report = reportStep("seed", lines);
    request.onStep(report);
    const card = await publish({ settings, folder, trees, candidates, reports: [report] });
    return { candidates, reports: [report], card };
  } finally {
    trees.close();
    ledger.close();
  }
}
