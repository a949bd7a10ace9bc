/** Computes all figures that reports show for the arms of batches. Uses only the batches' documents. */
import { type ArmSettings, settingsOfArm } from "./arm-settings.ts";
import type { BatchArm, BatchDocument, BatchTry } from "./batch-document.ts";
import { type ArmSummary, isResolved, isVerified, summariseArms } from "./batch-report.ts";
import {
  type Calibration,
  calibrate,
  groupResults,
  type ResolvedUpTo,
  type ResultGroup,
  resolvedBySize,
  type Share,
  shareOf,
} from "./result-groups.ts";
import type { EditSize, TaskFacts } from "./task-facts.ts";
import { type Replayed, validities } from "./work/replayed.ts";
import {
  correlateTimeAndCost,
  summariseWork,
  type TimeAndCost,
  type WorkSummary,
} from "./work/summarise-work.ts";

/** The figures of a batch's arm that a report shows. */
export interface ReportedArm extends ArmSummary {
  /** The batch's path. */
  readonly batch: string;
  readonly tries: readonly BatchTry[];
  readonly settings: ArmSettings;
  /** Tasks that no other arm resolves in any of its attempts. */
  readonly alone: readonly string[];
  /** Attempts that the agent called verified, but that did not resolve their tasks. */
  readonly falselyVerified: readonly BatchTry[];
  /** Resolved attempts that the agent did not call verified. */
  readonly falselyDenied: readonly BatchTry[];
  /**
   * Results of all attempts by each further rule of the benchmark. An attempt that a rule did not grade counts as not
   * resolved.
   */
  readonly otherRules: readonly RuleSummary[];
  /**
   * The mean of each partial score over the attempts that have the score. Attempts without a patch, or whose patch
   * failed to apply, have none.
   */
  readonly measures: readonly MeasureSummary[];
  /** Results of the extra tests; undefined if no attempted task has any. */
  readonly extra: ExtraSummary | undefined;
  /** The agent's time per attempt in seconds: the median and the 90th percentile. */
  readonly seconds: { readonly median: number; readonly p90: number };
  readonly calibration: Calibration;
  /** Results by properties of the tasks; empty for documents without facts. */
  readonly groups: readonly ResultGroup[];
  readonly resolvedBySize: readonly ResolvedUpTo[];
  /** Mean sizes of the attempts' patches, over the attempts with a patch; undefined if no attempt has one. */
  readonly edited: EditMeans | undefined;
  /** The work of the runs, from their records; undefined for documents without these figures. */
  readonly work: WorkSummary | undefined;
  /** Replayed reproductions; undefined if none was replayed. */
  readonly replayed: ReplayedSummary | undefined;
  /** Dynamic and static repair of `marscode`; empty for other strategies. */
  readonly repairs: readonly RepairSummary[];
  readonly timeAndCost: TimeAndCost | undefined;
}

export interface EditMeans {
  readonly lines: number;
  readonly hunks: number;
  readonly files: number;
  readonly patches: number;
}

export interface RuleSummary {
  readonly rule: string;
  readonly resolved: number;
  readonly attempts: number;
}

export interface MeasureSummary {
  readonly name: string;
  readonly mean: number;
  /** The number of attempts with a share above 90 %, as benchmarks of coverage count them. */
  readonly above90: number;
  readonly attempts: number;
}

export interface NamedArm {
  readonly arm: ReportedArm;
  readonly name: string;
}

export interface NamedBatch {
  readonly path: string;
  readonly batch: BatchDocument;
}

export function reportArms(batches: readonly NamedBatch[]): ReportedArm[] {
  const arms = batches.flatMap(({ path, batch }) =>
    summariseArms(batch.tries).map((summary) => ({
      ...{
        path,
        summary,
        tries: triesOf(batch, summary),
        settings: settingsOfArm(batch, findArm(batch, summary)),
      },
      facts: batch.tasks.facts ?? [],
    })),
  );
  const resolvers = Map.groupBy(
    arms.flatMap(({ tries }, arm) =>
      [...new Set(tries.filter(isResolved).map(({ id }) => id))].map((id) => ({ id, arm })),
    ),
    ({ id }) => id,
  );
  const datasets = new Set(arms.flatMap(({ facts }) => facts.flatMap(({ dataset }) => dataset ?? [])));
  return arms.map(({ path, summary, tries, settings, facts }, arm) => {
    const times = tries.map(({ agentSeconds }) => agentSeconds).sort((a, b) => a - b);
    return {
      ...summary,
      batch: path,
      tries,
      settings,
      alone: [...resolvers].flatMap(([id, own]) => (own.length === 1 && own[0]?.arm === arm ? [id] : [])),
      falselyVerified: tries.filter((each) => isVerified(each) && !isResolved(each)),
      falselyDenied: tries.filter((each) => !isVerified(each) && isResolved(each)),
      otherRules: summariseRules(tries),
      measures: summariseMeasures(tries),
      extra: summariseExtra(tries, facts),
      seconds: { median: quantile(times, 0.5), p90: quantile(times, 0.9) },
      calibration: calibrate(tries),
      groups: groupResults(tries, facts, datasets.size > 1),
      resolvedBySize: resolvedBySize(tries, facts),
      edited: meanEdits(tries),
      work: summariseWork(tries),
      replayed: summariseReplayed(tries),
      repairs: summariseRepairs(summary, tries),
      timeAndCost: correlateTimeAndCost(tries),
    };
  });
}

function meanEdits(tries: readonly BatchTry[]): EditMeans | undefined {
  const sizes = tries.flatMap(({ edited }) => (edited === undefined || edited.files === 0 ? [] : [edited]));
  if (sizes.length === 0) return undefined;
  const mean = (of: keyof EditSize): number => sizes.reduce((sum, each) => sum + each[of], 0) / sizes.length;
  return { lines: mean("lines"), hunks: mean("hunks"), files: mean("files"), patches: sizes.length };
}

function summariseRules(tries: readonly BatchTry[]): RuleSummary[] {
  const said = tries.flatMap(({ otherRules = [] }) => otherRules);
  return [...Map.groupBy(said, ({ rule }) => rule)].map(([rule, own]) => ({
    rule,
    resolved: own.filter(isResolved).length,
    attempts: tries.length,
  }));
}

function summariseMeasures(tries: readonly BatchTry[]): MeasureSummary[] {
  const said = tries.flatMap(({ measures = {} }) => Object.entries(measures));
  return [...Map.groupBy(said, ([name]) => name)].map(([name, own]) => ({
    name,
    mean: own.reduce((sum, [, share]) => sum + share, 0) / own.length,
    above90: own.filter(([, share]) => share > 0.9).length,
    attempts: own.length,
  }));
}

export interface RepairSummary {
  readonly mode: string;
  /** Attempts that used this mode, of all attempts. */
  readonly used: Share;
  /** Resolved attempts, of the attempts that used this mode. */
  readonly resolved: Share;
}

/**
 * The modes of MarsCode Agent's repair, by the stages of our strategy: debugging by running programs, and repair by
 * reading.
 */
const repairModes = [
  { mode: "dynamic", stage: "program" },
  { mode: "static", stage: "edit" },
];

function summariseRepairs({ strategy }: BatchArm, tries: readonly BatchTry[]): RepairSummary[] {
  if (strategy !== "marscode" || !tries.some(({ work }) => work !== undefined)) return [];
  return repairModes.map(({ mode, stage }) => {
    const own = tries.filter(({ work }) => work?.parts.some(({ name }) => name === stage));
    return { mode, used: shareOf(tries, own), resolved: shareOf(own, own.filter(isResolved)) };
  });
}

/** Measured validity of the reproductions of an arm's attempts. */
export interface ReplayedSummary {
  /** Valid reproductions among all attempts, including attempts that wrote none. */
  readonly valid: Share;
  readonly counts: readonly { readonly validity: Replayed["validity"]; readonly count: number }[];
}

function summariseReplayed(tries: readonly BatchTry[]): ReplayedSummary | undefined {
  if (!tries.some(({ replayed }) => replayed !== undefined)) return undefined;
  const has = (validity: Replayed["validity"]) =>
    tries.filter(({ replayed }) => (replayed?.validity ?? "not replayed") === validity);
  const counts = validities.map((validity) => ({ validity, count: has(validity).length }));
  return { valid: shareOf(tries, has("valid")), counts };
}

/** Results of the attempts at tasks with extra tests. */
export interface ExtraSummary {
  /** Attempts that the hidden tests resolve. */
  readonly plausible: Share;
  /** Plausible attempts that fail an extra test. */
  readonly overfitted: Share;
  /** Attempts that pass the hidden and the extra tests. */
  readonly correct: Share;
  readonly failed: readonly BatchTry[];
}

function summariseExtra(tries: readonly BatchTry[], facts: readonly TaskFacts[]): ExtraSummary | undefined {
  const having = new Set(facts.filter(({ hasExtraTests }) => hasExtraTests).map(({ id }) => id));
  const asked = tries.filter(({ id, extra }) => having.has(id) || extra !== undefined);
  if (asked.length === 0) return undefined;
  const plausible = asked.filter(isResolved);
  const failed = plausible.filter(({ extra }) => extra?.isOverfitted === true);
  const correct = plausible.filter(({ extra }) => extra?.isOverfitted === false);
  return {
    ...{ plausible: shareOf(asked, plausible), overfitted: shareOf(plausible, failed) },
    ...{ correct: shareOf(asked, correct), failed },
  };
}

/** The tasks that exactly these arms resolve, as in an UpSet plot (Lex et al., 2014). */
export interface Overlap {
  /** The arms' names; empty for the tasks that no arm resolves. */
  readonly arms: readonly string[];
  readonly tasks: readonly string[];
}

interface NamedTries {
  readonly name: string;
  readonly arm: Pick<ReportedArm, "tries">;
}

/** Groups tasks by the set of arms that resolve them, largest group first. */
export function overlapOf(named: readonly NamedTries[]): Overlap[] {
  const ids = [...new Set(named.flatMap(({ arm }) => arm.tries.map(({ id }) => id)))];
  const resolved = named.map(({ name, arm: { tries } }) => ({
    name,
    ids: new Set(tries.filter(isResolved).map(({ id }) => id)),
  }));
  const sets = ids.map((id) => {
    const resolving = resolved.filter((each) => each.ids.has(id));
    return { id, arms: resolving.map(({ name }) => name) };
  });
  return [...Map.groupBy(sets, ({ arms }) => JSON.stringify(arms)).values()]
    .map((own) => ({ arms: own[0]?.arms ?? [], tasks: own.map(({ id }) => id) }))
    .sort((a, b) => b.tasks.length - a.tasks.length);
}

export function triesOf({ tries }: BatchDocument, { strategy, model }: BatchArm): BatchTry[] {
  return tries.filter((each) => each.strategy === strategy && each.model === model);
}

function findArm({ arms }: BatchDocument, { strategy, model }: BatchArm): BatchDocument["arms"][number] {
  return arms.find((arm) => arm.strategy === strategy && arm.model === model) ?? { strategy, model };
}

export function nameOfArm({ strategy, model }: BatchArm): string {
  return model === null ? strategy : `${strategy},${model}`;
}

/** Returns the quantile by nearest rank; 0 for an empty list. `sorted` is ascending. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

/** Names the arms. If there are several batches, adds the batch's path to equal names. */
export function nameArms(arms: readonly ReportedArm[], areSeveral: boolean): NamedArm[] {
  const names = arms.map(nameOfArm);
  return arms.map((arm, at) => {
    const name = names[at] ?? "";
    const isTwice = areSeveral && names.filter((each) => each === name).length > 1;
    return { arm, name: isTwice ? `${name} (${arm.batch})` : name };
  });
}
