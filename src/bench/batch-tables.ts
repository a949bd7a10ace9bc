/** The report on batches: each arm's results, how reliable its verdicts are, and each task's outcomes. */
import { countOf } from "../base/count.ts";
import type { BatchArm, BatchDocument, BatchTry } from "./batch-document.ts";
import { type ArmSummary, summariseArms } from "./batch-report.ts";
import { renderMarkdown, type Section, type Table } from "./report-sections.ts";
import { wilsonInterval } from "./statistics.ts";

/** An arm of one of the batches. */
export interface ReportedArm extends ArmSummary {
  /** The batch's path, if there are several. */
  readonly batch: string;
  readonly tries: readonly BatchTry[];
  /** Tasks that no other arm resolves in any of its attempts. */
  readonly alone: readonly string[];
  /** Attempts that the agent called verified but the tests refuted. */
  readonly falselyVerified: readonly BatchTry[];
  /** Resolved attempts that the agent did not call verified. */
  readonly falselyDenied: readonly BatchTry[];
  /** For all attempts, by each further rule of the benchmark; an attempt not graded by a rule is not resolved by it. */
  readonly otherRules: readonly RuleSummary[];
  /**
   * The mean of each partial score over the attempts that have it. Without a patch, or if it failed to apply, there is
   * none.
   */
  readonly measures: readonly MeasureSummary[];
  /** The agent's time per attempt in seconds: the median and the 90th percentile. */
  readonly seconds: { readonly median: number; readonly p90: number };
}

export interface RuleSummary {
  readonly rule: string;
  readonly resolved: number;
  readonly attempts: number;
}

export interface MeasureSummary {
  readonly name: string;
  readonly mean: number;
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
    summariseArms(batch.tries).map((summary) => ({ path, summary, tries: triesOf(batch, summary) })),
  );
  const resolvers = Map.groupBy(
    arms.flatMap(({ tries }, arm) =>
      [...new Set(tries.filter(isResolved).map(({ id }) => id))].map((id) => ({ id, arm })),
    ),
    ({ id }) => id,
  );
  return arms.map(({ path, summary, tries }, arm) => {
    const times = tries.map(({ agentSeconds }) => agentSeconds).sort((a, b) => a - b);
    return {
      ...summary,
      batch: path,
      tries,
      alone: [...resolvers].flatMap(([id, own]) => (own.length === 1 && own[0]?.arm === arm ? [id] : [])),
      falselyVerified: tries.filter((each) => isVerified(each) && !isResolved(each)),
      falselyDenied: tries.filter((each) => !isVerified(each) && isResolved(each)),
      otherRules: summariseRules(tries),
      measures: summariseMeasures(tries),
      seconds: { median: quantile(times, 0.5), p90: quantile(times, 0.9) },
    };
  });
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
    attempts: own.length,
  }));
}

export function triesOf({ tries }: BatchDocument, { strategy, model }: BatchArm): BatchTry[] {
  return tries.filter((each) => each.strategy === strategy && each.model === model);
}

export function nameOfArm({ strategy, model }: BatchArm): string {
  return model === null ? strategy : `${strategy},${model}`;
}

/** Nearest rank; 0 for an empty list. `sorted` is ascending. */
function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

export function isResolved({ outcome }: Pick<BatchTry, "outcome">): boolean {
  return outcome === "resolved";
}

export function isVerified({ verdict }: Pick<BatchTry, "verdict">): boolean {
  return verdict === "verified";
}

export function renderBatches(batches: readonly NamedBatch[]): string {
  return renderMarkdown("Report of a benchmark", sectionsOf(batches));
}

/** The report's parts, for Markdown and the HTML page. */
export function sectionsOf(batches: readonly NamedBatch[]): Section[] {
  const named = nameArms(reportArms(batches), batches.length > 1);
  return [
    { texts: batches.map(({ path, batch }) => describeBatch(path, batch)) },
    {
      title: "Arms",
      tables: [tellArms(named), ...tellPassAt(named)],
      charts: ["rates", "outcomes", "overlap"],
    },
    ...tellRules(named),
    ...tellMeasures(named),
    {
      title: "Verdicts",
      texts: ["What the agent said of its patch, beside what the tests said."],
      tables: [tellVerdicts(named)],
      charts: ["verdicts"],
      list: tellWrongVerdicts(named),
    },
    {
      title: "What an attempt takes",
      tables: [
        {
          head: [
            "arm",
            "seconds: median",
            "90 %",
            "model calls",
            "tokens in",
            "of these cached",
            "tokens out",
            "USD",
          ],
          rows: named.map(({ arm, name }) => [name, ...tellCost(arm)]),
        },
      ],
      charts: ["seconds"],
    },
    {
      title: "Tasks",
      tables: [
        { head: ["task", ...named.map(({ name }) => name)], rows: tellTasks(named.map(({ arm }) => arm)) },
      ],
    },
  ];
}

function tellArms(named: readonly NamedArm[]): Table {
  const whereSeveral = (cell: string): string[] => (named.length > 1 ? [cell] : []);
  return {
    head: [
      ...["arm", "resolved", "of", "%", "95 %", "agent errors", "infrastructure errors"],
      ...whereSeveral("by it alone"),
    ],
    rows: named.flatMap(({ arm, name }) =>
      arm.attempts.map((each) => [
        arm.attempts.length > 1 ? `${name}, attempt ${each.attempt}` : name,
        String(each.resolved),
        String(each.tasks),
        percent(each.rate),
        `${percent(each.interval.low)} to ${percent(each.interval.high)}`,
        String(each.agentErrors),
        String(each.infrastructureErrors),
        ...whereSeveral(String(arm.alone.length)),
      ]),
    ),
  };
}

function tellVerdicts(named: readonly NamedArm[]): Table {
  return {
    head: ["arm", "called verified", "of these resolved", "%", "resolved, not called verified"],
    rows: named.map(({ arm: { verified, falselyDenied }, name }) => [
      name,
      String(verified.count),
      String(verified.resolved),
      verified.count === 0 ? "–" : percent(verified.resolved / verified.count),
      String(falselyDenied.length),
    ]),
  };
}

function tellWrongVerdicts(named: readonly NamedArm[]): string[] {
  return named.flatMap(({ arm, name }) => [
    ...arm.falselyVerified.map(
      (each) =>
        `${name}: verified, and ${sayOutcome(each)}: ${idOf(each)}: ${each.reason.replaceAll(/\s+/g, " ")}`,
    ),
    ...arm.falselyDenied.map(
      (each) => `${name}: resolved, and ${each.verdict ?? "no verdict"}: ${idOf(each)}`,
    ),
  ]);
}

/** Arms with the same name are distinguished by their batch. */
export function nameArms(arms: readonly ReportedArm[], areSeveral: boolean): NamedArm[] {
  const names = arms.map(nameOfArm);
  return arms.map((arm, at) => {
    const name = names[at] ?? "";
    const isTwice = areSeveral && names.filter((each) => each === name).length > 1;
    return { arm, name: isTwice ? `${name} (${arm.batch})` : name };
  });
}

function describeBatch(path: string, { tasks, rules, sandbox, version }: BatchDocument): string {
  return `${path}: ${countOf(tasks.count, "task")} of ${tasks.file} (sha256 ${tasks.sha256.slice(0, 12)}…), rule ${rules.join(", ")}, sandbox ${sandbox}, Millwright ${version}`;
}

function tellPassAt(named: readonly NamedArm[]): Table[] {
  const several = named.filter(({ arm }) => arm.attempts.length > 1);
  if (several.length === 0) return [];
  const most = Math.max(...several.map(({ arm }) => arm.attempts.length));
  const counts = Array.from({ length: most }, (_, at) => at + 1);
  const rows = several.map(({ arm: { passAt }, name }) => [
    name,
    ...counts.map((k) => (passAt[k] === undefined ? "–" : percent(passAt[k]))),
  ]);
  return [{ head: ["arm", ...counts.map((k) => `pass@${k}, %`)], rows }];
}

function tellRules(named: readonly NamedArm[]): Section[] {
  const rows = named.flatMap(({ arm, name }) =>
    arm.otherRules.map(({ rule, resolved, attempts }) => {
      const { low, high } = wilsonInterval(resolved, attempts);
      const share = percent(attempts === 0 ? 0 : resolved / attempts);
      // Several attempts at one task are not independent.
      const interval = arm.attempts.length > 1 ? "–" : `${percent(low)} to ${percent(high)}`;
      return [name, rule, String(resolved), String(attempts), share, interval];
    }),
  );
  if (rows.length === 0) return [];
  const head = ["arm", "rule", "resolved", "of attempts", "%", "95 %"];
  return [{ title: "By other rules", tables: [{ head, rows }] }];
}

function tellMeasures(named: readonly NamedArm[]): Section[] {
  const rows = named.flatMap(({ arm, name }) =>
    arm.measures.map((each) => [
      name,
      each.name,
      percent(each.mean),
      `${each.attempts} of ${arm.tries.length}`,
    ]),
  );
  if (rows.length === 0) return [];
  return [{ title: "Partial scores", tables: [{ head: ["arm", "score", "mean, %", "of attempts"], rows }] }];
}

function tellCost({ tries, usage, seconds }: ReportedArm): string[] {
  const each = (total: number, digits: number): string => (total / Math.max(1, tries.length)).toFixed(digits);
  return [
    seconds.median.toFixed(1),
    seconds.p90.toFixed(1),
    each(usage.calls, 1),
    each(usage.inputTokens, 0),
    each(usage.cachedTokens, 0),
    each(usage.outputTokens, 0),
    `${each(usage.usd, 3)}${usage.unpriced === undefined ? "" : " and unpriced calls"}`,
  ];
}

function tellTasks(arms: readonly ReportedArm[]): string[][] {
  const ids = [...new Set(arms.flatMap(({ tries }) => tries.map(({ id }) => id)))];
  return ids.map((id) => [
    id,
    ...arms.map(({ tries }) => {
      const own = tries.filter((each) => each.id === id);
      return own.length === 0 ? "not attempted" : own.map(renderOutcome).join(", ");
    }),
  ]);
}

/** The outcome, and the agent's own verdict if it differs. */
function renderOutcome(each: BatchTry): string {
  const isTold = each.verdict !== null && isResolved(each) !== isVerified(each);
  return `${sayOutcome(each)}${isTold ? ` (${each.verdict})` : ""}`;
}

function sayOutcome({ outcome }: BatchTry): string {
  return outcome.replace("-", " ");
}

function idOf({ id, run }: BatchTry): string {
  return `${id} (${run})`;
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}
