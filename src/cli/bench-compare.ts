/** `bench compare`: compares two arms of one or two batches, task by task. */
import { join } from "node:path";
import { countOf } from "../base/count.ts";
import { MillwrightError } from "../base/errors.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { type DifferingSetting, findDifferences, settingsOfArm } from "../bench/arm-settings.ts";
import { type BatchArm, type BatchDocument, type BatchTry, readBatch } from "../bench/batch-document.ts";
import { hasVerdicts } from "../bench/batch-report.ts";
import { tellCancelled } from "../bench/cancelled-batch.ts";
import {
  type ArmComparison,
  type ArmSide,
  type ChangedTask,
  compareArms,
  type MeanDifference,
} from "../bench/compare-arms.ts";
import { describeMeasure } from "../bench/measure-names.ts";
import { nameOfArm, triesOf } from "../bench/reported-arms.ts";
import type { SequentialResult } from "../bench/sequential-test.ts";
import { findParting, type Parting } from "../bench/work/part-runs.ts";
import { openRunRecord } from "../bench/work/run-record.ts";

export interface CompareFlags {
  /** The first arm's name: STRATEGY or STRATEGY,MODEL. */
  readonly firstArm?: string;
  readonly secondArm?: string;
  readonly seed: number;
  /** The folder of both batches' runs; default: the folder in each batch's document. */
  readonly runsDir?: string;
  readonly json?: boolean;
}

export interface Side {
  readonly path: string;
  readonly batch: BatchDocument;
  readonly arm: BatchDocument["arms"][number];
}

/**
 * Compares two arms, prints the result, and returns the exit code 0. Throws MillwrightError("usage") if they have no
 * task in common.
 */
export async function compareBatches(paths: readonly string[], flags: CompareFlags): Promise<number> {
  const [path = "", other = path] = paths;
  const isOne = paths.length === 1;
  const batch = readBatch(path);
  const first = chooseArm({ path, batch, flag: "--first-arm", name: flags.firstArm, isOne });
  const second = isOne
    ? chooseArm({ path, batch, flag: "--second-arm", name: flags.secondArm, isOne, besides: first.arm })
    : chooseArm({ path: other, batch: readBatch(other), flag: "--second-arm", name: flags.secondArm, isOne });
  const found = compareArms(triesOf(first.batch, first.arm), triesOf(second.batch, second.arm), flags.seed);
  if (found.tasks === 0)
    throw new MillwrightError("usage", "The two arms have no task in common", {
      hint: "Compare arms that attempted the same tasks.",
    });
  const settings = findDifferences([first, second].map(({ batch, arm }) => settingsOfArm(batch, arm)));
  const partings = await findPartings(found, first, second, flags.runsDir);
  if (flags.json === true) {
    const name = ({ path: report, arm }: Side) => ({ report, ...arm });
    const { better, ...rest } = found;
    const describe = (task: ChangedTask) => ({ ...describeTask(task), parting: partings.get(task.id) });
    const differing = { first: better.first.map(describe), second: better.second.map(describe) };
    const sides = {
      first: { ...name(first), ...found.first },
      second: { ...name(second), ...found.second },
    };
    const different = settings.map(({ setting, values: [one, other], affects }) => ({
      ...{ setting, affects },
      ...{ first: one, second: other },
    }));
    const notices = [...tellPartial(first), ...tellPartial(second), ...settings.map(tellDifference)];
    const document = { schema: "millwright.bench-compare/1", seed: flags.seed, notices, settings: different };
    process.stdout.write(
      `${JSON.stringify({ ...document, ...rest, ...sides, better: differing }, null, 2)}\n`,
    );
  } else
    process.stdout.write(
      `${sanitizeForTerminal(describeComparison(found, first, second, { settings, partings }))}\n`,
    );
  return 0;
}

interface ArmChoice {
  readonly path: string;
  readonly batch: BatchDocument;
  readonly flag: string;
  readonly name: string | undefined;
  /**
   * True if both arms come from one batch. If that batch has two arms, an unnamed first arm is the first one listed.
   */
  readonly isOne: boolean;
  /** An arm to exclude. */
  readonly besides?: BatchArm;
}

/** Finds the named arm, or the only possible one. */
function chooseArm({ path, batch, flag, name, isOne, besides }: ArmChoice): Side {
  const matching = batch.arms
    .filter((arm) => arm !== besides)
    .filter((arm) => name === undefined || nameOfArm(arm) === name || arm.strategy === name);
  const [arm] = matching;
  // In one batch of two arms, the first listed arm is the first.
  const isClear = matching.length === 1 || (isOne && name === undefined && batch.arms.length === 2);
  if (arm !== undefined && isClear) return { path, batch, arm };
  const known = batch.arms.map((each) => `\`${nameOfArm(each)}\``).join(", ");
  throw new MillwrightError("usage", `${flag} must name one arm of ${path}. Its arms: ${known || "none"}`, {
    hint: isOne ? `Name an arm with ${flag}, or give a second batch.` : `Name an arm with ${flag}.`,
  });
}

function tellPartial({ path, batch: { cancelled } }: Side): string[] {
  return cancelled === undefined ? [] : [`${path} is ${tellCancelled(cancelled)}`];
}

function tellDifference({ setting, values }: DifferingSetting): string {
  return `${setting}: ${values.join(" and ")}`;
}

function describeTask({ id, first, second }: ChangedTask) {
  const say = (tries: readonly BatchTry[]) =>
    tries.map(({ attempt, outcome, reason, verdict, run }) => ({ attempt, outcome, reason, verdict, run }));
  return { id, first: say(first), second: say(second) };
}

/**
 * The first different step of both runs, by task. `same`: the runs took the same steps, and only the gradings differ.
 * Omits tasks with several attempts of an arm or a missing run.
 */
export type Partings = ReadonlyMap<string, Parting | "same">;

async function findPartings(
  { better }: ArmComparison,
  first: Side,
  second: Side,
  runsDir: string | undefined,
): Promise<Partings> {
  const found = new Map<string, Parting | "same">();
  const open = async ({ batch }: Side, tries: readonly BatchTry[]) => {
    const [only, ...others] = tries;
    const runs = runsDir ?? batch.runs;
    if (only === undefined || only.run === "" || others.length > 0 || runs === undefined) return undefined;
    return openRunRecord(join(runs, only.run));
  };
  for (const { id, first: ours, second: theirs } of [...better.first, ...better.second]) {
    const [one, other] = [await open(first, ours), await open(second, theirs)];
    if (one === undefined || other === undefined) continue;
    found.set(id, findParting(one.events, other.events) ?? "same");
  }
  return found;
}

export interface Remarks {
  readonly settings: readonly DifferingSetting[];
  readonly partings: Partings;
}

/** Renders the comparison as text. */
export function describeComparison(
  found: ArmComparison,
  first: Side,
  second: Side,
  { settings, partings }: Remarks,
): string {
  const { tasks, attempts, better, both, neither, onlyInFirst, onlyInSecond } = found;
  const only = [...onlyInFirst, ...onlyInSecond].length;
  // With several attempts, both arms may resolve a task, and one more often.
  const how = attempts > 1 ? "more often" : "only";
  return [
    `first:  ${nameOfArm(first.arm)} (${first.path})`,
    `second: ${nameOfArm(second.arm)} (${second.path})`,
    ...new Set([...tellPartial(first), ...tellPartial(second)].map((text) => `note: ${text}`)),
    ...renderSettings(settings, "results"),
    ...renderSettings(settings, "times"),
    `${countOf(tasks, "task")} that both arms attempted${attempts > 1 ? `, at least ${attempts} times each` : ""}${only === 0 ? "" : `; without ${countOf(only, "task")} that only one arm attempted`}`,
    `first:  ${renderSide(found.first, tasks, hasVerdicts(triesOf(first.batch, first.arm)))}`,
    `second: ${renderSide(found.second, tasks, hasVerdicts(triesOf(second.batch, second.arm)))}`,
    `tasks resolved by both: ${both}, by neither: ${neither}, ${how} by the first: ${better.first.length}, ${how} by the second: ${better.second.length}`,
    `resolved, second minus first: ${points(found.rate.difference)} percentage points (95 % interval: ${points(found.rate.interval.low)} to ${points(found.rate.interval.high)})`,
    ...renderP(found),
    ...renderSequential(found.sequential),
    ...found.measures.map(({ name, tasks: measured, ...mean }) => {
      const scaled = (share: number): number => share * 100;
      const shown = {
        ...{ first: scaled(mean.first), second: scaled(mean.second), difference: scaled(mean.difference) },
        interval: { low: scaled(mean.interval.low), high: scaled(mean.interval.high) },
      };
      return renderMean(`${describeMeasure(name)}, %, mean of ${countOf(measured, "task")}`, shown, 1);
    }),
    ...[
      { what: "seconds per task", mean: found.seconds, digits: 1 },
      { what: "tokens per task", mean: found.tokens, digits: 0 },
      { what: "USD per task", mean: found.usd, digits: 3 },
    ].flatMap(({ what, mean, digits }) =>
      mean.first === 0 && mean.second === 0 ? [] : [renderMean(what, mean, digits)],
    ),
    ...renderChanged(`resolved ${how} by the first`, better.first, partings),
    ...renderChanged(`resolved ${how} by the second`, better.second, partings),
  ].join("\n");
}

function renderSettings(settings: Remarks["settings"], affected: DifferingSetting["affects"]): string[] {
  const own = settings.filter(({ affects }) => affects === affected);
  if (own.length === 0) return [];
  const note = `note: the arms differ in these settings, which may cause different ${affected}:`;
  return [note, ...own.map((each) => `  ${tellDifference(each)}`)];
}

function renderSide(
  { resolved, rate, interval, verified, falselyVerified, falselyDenied }: ArmSide,
  tasks: number,
  isJudged: boolean,
) {
  const count = (ids: readonly string[], what: string): string =>
    `${ids.length} ${what}${ids.length === 0 ? "" : ` (${ids.join(", ")})`}`;
  return [
    `${Number(resolved.toFixed(2))} of ${tasks} resolved (${percent(rate)} %${interval === undefined ? "" : `, 95 % interval: ${percent(interval.low)} to ${percent(interval.high)} %`})`,
    ...(isJudged
      ? [
          `${verified} called verified, ${count(falselyVerified, "of them not resolved")}`,
          count(falselyDenied, "resolved but not called verified"),
        ]
      : []),
  ].join("; ");
}

function renderP({ p, broken }: Pick<ArmComparison, "p" | "broken">): string[] {
  if (p === undefined) return [];
  const [value, share] = p < 0.001 ? ["< 0.001", "less than 0.1"] : [`= ${p.toFixed(3)}`, percent(p)];
  const without = broken === 0 ? "" : `, without ${countOf(broken, "task")} with an infrastructure error`;
  return [
    `McNemar's exact test${without}: p ${value}. Equally good arms would differ at least this much in ${share} % of comparisons`,
  ];
}

function renderMean(
  what: string,
  {
    first,
    second,
    difference,
    interval,
  }: Pick<MeanDifference, "first" | "second" | "difference" | "interval">,
  digits: number,
): string {
  const show = (value: number): string => value.toFixed(digits);
  return `${what}: first ${show(first)}, second ${show(second)}, difference ${signed(difference, digits)} (95 % interval: ${signed(interval.low, digits)} to ${signed(interval.high, digits)})`;
}

/** Describes the sequential test, for a batch whose results are read repeatedly. */
function renderSequential(result: SequentialResult | undefined): string[] {
  if (result === undefined) return [];
  const { tasks, evidence, needed, better } = result;
  const verdict =
    better === undefined
      ? "not decided"
      : `decided after ${countOf(tasks, "task")}: the ${better} arm resolves more`;
  return [
    `sequential test, valid after each task: ${verdict}. The evidence is ${evidence.toPrecision(3)}; the test decides at ${needed}, with an error rate of at most ${percent(1 / needed)} %`,
  ];
}

function renderParting(parting: Parting | "same" | undefined): string[] {
  if (parting === undefined) return [];
  if (parting === "same") return [" both runs take the same steps; only the gradings differ"];
  const { step, first = "its run has ended", second = "its run has ended" } = parting;
  return [`  the runs first differ at step ${step}:`, `    first:  ${first}`, `    second: ${second}`];
}

function renderChanged(title: string, tasks: readonly ChangedTask[], partings: Partings): string[] {
  const say = ({ outcome, reason, run }: BatchTry): string =>
    `${outcome}: ${reason.replaceAll(/\s+/g, " ")}${run === "" ? "" : ` (${run})`}`;
  return tasks.flatMap(({ id, first, second }) => [
    `${title}: ${id}`,
    ...first.map((each) => `  first:  ${say(each)}`),
    ...second.map((each) => `  second: ${say(each)}`),
    ...renderParting(partings.get(id)),
  ]);
}

function percent(share: number): string {
  return (share * 100).toFixed(1);
}

function points(share: number): string {
  return signed(share * 100, 1);
}

function signed(value: number, digits: number): string {
  return `${value > 0 ? "+" : ""}${value.toFixed(digits)}`;
}
