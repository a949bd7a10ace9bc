/**
 * Runs the mining steps, in order. Stores each verdict under a hash of its inputs, so that the same command continues
 * after a kill.
 */
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { hashData } from "../base/hash.ts";
import { makeFolders } from "../base/make-folders.ts";
import { hostNamed, repositoryOf } from "../forge-hosts/address.ts";
import { withForge } from "../forge-hosts/open-forge.ts";
import { runForeignGit } from "../workspace/foreign-git.ts";
import { collectChanges } from "./collect.ts";
import {
  type Candidate,
  type Change,
  changeSchema,
  drop,
  type Finding,
  keep,
  type Outcome,
  reviewSchema,
  type StepName,
  splitSchema,
  stepNames,
  validationSchema,
} from "./contract.ts";
import { type HistoryTrees, openHistoryTrees } from "./history-trees.ts";
import { openLedger } from "./ledger.ts";
import { conclude, type Done, perform, type Work } from "./perform-step.ts";
import type { Card } from "./publish/card.ts";
import { publish } from "./publish/publish.ts";
import type { Published } from "./publish/published.ts";
import { readForge } from "./read-forge.ts";
import { type Compared, sameTask } from "./review/duplicates.ts";
import { judgeTexts } from "./review/review-change.ts";
import type { MineRequest } from "./settings.ts";
import { openSlowSteps } from "./slow-step.ts";
import { splitChange } from "./split-change.ts";
import { addReports, type StepReport } from "./step-report.ts";

export interface Mined {
  readonly candidates: readonly Candidate[];
  readonly reports: readonly StepReport[];
  /** The card of the published dataset. */
  readonly card?: Card;
}

/** The dataset to which a refresh adds the changes after `settings.after`. */
type Earlier = Pick<Published, "candidates" | "unfinished" | "reports">;

/**
 * Runs all steps up to and including `last`. Throws MillwrightError if the repository or the disk fails, and AbortError
 * if the signal stops it.
 */
export async function mine(request: MineRequest, last: StepName, earlier?: Earlier): Promise<Mined> {
  await makeFolders(join(request.folder, "reports"));
  const ledger = await openLedger(request.folder);
  const trees = await openHistoryTrees(
    join(request.options.directory, "history"),
    request.settings.gitDirectory,
  );
  const head = await readHead(request.settings.gitDirectory);
  const { candidates: known = [], unfinished: waiting = [] } = earlier ?? {};
  const work: Work = { ...request, trees, ledger, earlier: known, unfinished: waiting };
  const reports: StepReport[] = [];
  const unfinished: Change[] = [];
  let candidates: readonly Candidate[] = [];
  try {
    for (const step of stepNames.slice(0, stepNames.indexOf(last) + 1)) {
      if (step === "publish") break;
      const done = await steps[step](work, candidates);
      candidates = done.kept;
      unfinished.push(...done.unfinished);
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
    const all = [...known, ...candidates];
    const added = addReports(earlier?.reports ?? [], reports);
    const tasks = { candidates: all, unfinished, reports: added };
    const card = await publish({ settings, folder, trees, head, ...tasks });
    return { candidates, reports, card };
  } finally {
    trees.close();
    ledger.close();
  }
}

type Step = (work: Work, candidates: readonly Candidate[]) => Promise<Done>;

const steps: Readonly<Record<Exclude<StepName, "publish">, Step>> = {
  collect: collectStep,
  filter: filterStep,
  validate: validateStep,
  review: reviewStep,
};

async function collectStep(work: Work): Promise<Done> {
  const { settings, store } = work;
  const { gitDirectory, repository, since, after, issues, forge, limit } = settings;
  const head = await readHead(gitDirectory);
  const key = hashData([
    "mine-collect",
    repository,
    `${head}\n`,
    await countCommits(gitDirectory),
    since ?? null,
    [...issues],
    ...(after === undefined ? [] : [after]),
    ...(forge === undefined ? [] : [forge, limit ?? null]),
  ]);
  const kind = { schema: "millwright.mine-collect/1", type: z.array(changeSchema) };
  const result =
    (await store.find<Change[]>(kind, key)) ?? (await store.keep<Change[]>(kind, key, await collect(work)));
  const outcomes = result.map((change) => ({ candidate: { change }, key, outcome: keep({}) }));
  const done = conclude(work, "collect", outcomes);
  return { ...done, kept: [...work.unfinished.map((change) => ({ change })), ...done.kept] };
}

async function collect({ settings, options, environment, onProgress }: Work): Promise<Change[]> {
  const { forge: address, limit } = settings;
  if (address === undefined) return collectChanges(settings);
  const folder = join(options.directory, "forge");
  const reading = { address, folder, environment, signal: options.signal, onProgress };
  return withForge(reading, (forge) =>
    collectChanges(settings, async (mainLine) => ({
      ...(await readForge(forge, mainLine, limit)),
      path: repositoryOf(address),
      sharesNumbers: hostNamed(address.host).sharesNumbers,
    })),
  );
}

/** Returns the clone's newest commit (HEAD). Throws MillwrightError("repository") if the clone has no commit. */
export async function readHead(gitDirectory: string): Promise<string> {
  const { stdout } = await runForeignGit({ gitDirectory, arguments: ["rev-parse", "HEAD"] });
  return stdout.toString("latin1").trim();
}

/** Counts the newest commit and its ancestors. The number grows if a shallow clone gets older commits. */
async function countCommits(gitDirectory: string): Promise<number> {
  const { stdout } = await runForeignGit({ gitDirectory, arguments: ["rev-list", "--count", "HEAD"] });
  return Number(stdout.toString("latin1"));
}

/** Number of workers of the filter, which mostly waits for git. */
const filterWorkers = 4;

async function filterStep(work: Work, candidates: readonly Candidate[]): Promise<Done> {
  const { settings, trees } = work;
  const { mostFiles, mostLines, linkedOnly } = settings;
  const done = await perform(work, "filter", candidates, {
    type: splitSchema,
    depends: ({ change }) => [change.base, change.commit, mostFiles, mostLines],
    known({ change }) {
      const { code, lateText } = change;
      if (code === 0) return drop("no-code", "the change contains no source file");
      if (linkedOnly && !isLinked(change))
        return drop("no-issue", "the change names neither an issue nor a merge request");
      if (lateText === undefined) return undefined;
      return drop(
        "late-text",
        `somebody wrote or edited the issue's text on ${lateText}, when the fix was already known`,
      );
    },
    decide: ({ change }) => splitChange(change, trees, settings),
    lay: (candidate, split) => ({ ...candidate, split }),
    // A bad text is cheap to see, and running tests is not.
    judge: ({ change, split }) => (split === undefined ? undefined : dropBad(judgeTexts(change, split))),
    workers: filterWorkers,
  });
  const waiting = new Set(work.unfinished.map(({ commit }) => commit));
  const isWaiting = ({ change }: Candidate): boolean => waiting.has(change.commit);
  const added = done.kept.filter((each) => !isWaiting(each)).slice(0, settings.limit);
  return { ...done, kept: [...done.kept.filter(isWaiting), ...added] };
}

function dropBad(findings: readonly Finding[]): Outcome<never> | undefined {
  const bad = findings.find(({ isBad }) => isBad);
  return bad === undefined ? undefined : drop(bad.check, bad.reason);
}

function isLinked({ number, issues }: Change): boolean {
  return number !== undefined || issues.length > 0;
}

async function validateStep(work: Work, candidates: readonly Candidate[]): Promise<Done> {
  const { settings, options, conditions, workers } = work;
  const { given, suiteLimitMs } = settings;
  const { validate } = openSlowSteps({ ...settings, trees: work.trees });
  return perform(work, "validate", candidates, {
    type: validationSchema,
    depends: ({ change, split }) => [
      ...[change.repository, change.base, split, given, suiteLimitMs, conditions],
      ...options.setupVariables.toSorted(),
    ],
    slow: "validate",
    decide: (candidate) => validate({ candidate, given, suiteLimitMs, options }),
    lay: (candidate, validation) => ({ ...candidate, validation }),
    workers,
  });
}

async function reviewStep(work: Work, candidates: readonly Candidate[]): Promise<Done> {
  const { settings, options, conditions, workers } = work;
  const oldestFirst = candidates.toSorted((a, b) => (a.change.date < b.change.date ? -1 : 1));
  const seen: Candidate[] = [...work.earlier];
  const { review } = openSlowSteps({ ...settings, trees: work.trees });
  return perform(work, "review", oldestFirst, {
    type: reviewSchema,
    depends: ({ change, split, validation }) => [
      change,
      split,
      { ...validation, seconds: 0, attempts: [] },
      conditions,
    ],
    slow: "review",
    decide: (candidate) => review({ candidate, options }),
    lay: (candidate, review) => ({ ...candidate, review }),
    judge: ({ review }) => dropBad(review?.findings ?? []),
    async weigh(candidate) {
      const own = comparedOf(candidate, work.trees);
      for (const other of seen) {
        const same = await sameTask(comparedOf(other, work.trees), own);
        if (same !== undefined) return drop("duplicate", `as ${other.change.id}: ${same}`);
      }
      seen.push(candidate);
      return undefined;
    },
    workers,
  });
}

function comparedOf({ change, split }: Candidate, { store, treeOf }: HistoryTrees): Compared {
  if (split === undefined) throw new Error("a change without a split cannot be compared");
  const readBase = async (path: string) =>
    (await store.read(await treeOf(change.base), path))?.toString("utf8");
  return { change, split, readBase };
}
