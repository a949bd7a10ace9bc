/**
 * Compares two arms on the same tasks: their differences, with intervals and significance tests. Uses only the tries,
 * paired by task.
 */
import type { BatchTry } from "./batch-document.ts";
import { isResolved, isVerified } from "./batch-report.ts";
import { decideInOrder, type SequentialResult } from "./sequential-test.ts";
import { bootstrapMean, type Interval, mcnemarExact, wilsonInterval } from "./statistics.ts";

export interface ArmSide {
  /** The sum of each task's share of resolved attempts. With one attempt per task, the number of resolved tasks. */
  readonly resolved: number;
  readonly rate: number;
  /** Wilson's 95 % interval; absent if a task has several attempts, which are not independent. */
  readonly interval?: Interval;
  /**
   * Number of attempts that the agent called verified. `falselyVerified`: the task ids of the unresolved attempts among
   * them.
   */
  readonly verified: number;
  readonly falselyVerified: readonly string[];
  /** Task ids of the resolved attempts that the agent did not call verified. */
  readonly falselyDenied: readonly string[];
}

export interface MeanDifference {
  readonly first: number;
  readonly second: number;
  /** The mean over tasks of the second arm's result minus the first's. `interval`: 95 %, by a bootstrap over tasks. */
  readonly difference: number;
  readonly interval: Interval;
}

export interface ChangedTask {
  readonly id: string;
  readonly first: readonly BatchTry[];
  readonly second: readonly BatchTry[];
}

export interface ArmComparison {
  /** Number of tasks that both arms attempted. */
  readonly tasks: number;
  readonly onlyInFirst: readonly string[];
  readonly onlyInSecond: readonly string[];
  /** The lowest number of attempts per task; 0 without common tasks. */
  readonly attempts: number;
  readonly first: ArmSide;
  readonly second: ArmSide;
  /** Tasks whose shares of resolved attempts differ: larger with the first arm, larger with the second. */
  readonly better: { readonly first: readonly ChangedTask[]; readonly second: readonly ChangedTask[] };
  readonly both: number;
  readonly neither: number;
  readonly rate: MeanDifference;
  /** Number of common tasks with an infrastructure error. The two tests omit these tasks. */
  readonly broken: number;
  /** The p-value of McNemar's exact test; absent if a task has several attempts. */
  readonly p?: number;
  /** The sequential test, valid however often the results are tested; absent if a task has several attempts. */
  readonly sequential?: SequentialResult;
  readonly seconds: MeanDifference;
  readonly tokens: MeanDifference;
  readonly usd: MeanDifference;
  /** Partial scores by name, over the tasks for which both arms have them. */
  readonly measures: readonly MeasureDifference[];
}

export interface MeasureDifference extends MeanDifference {
  readonly name: string;
  readonly tasks: number;
}

/**
 * Compares two arms over the tasks that both tried. `seed`: seeds the bootstrap's random numbers; the same seed gives
 * the same intervals.
 */
export function compareArms(
  firstTries: readonly BatchTry[],
  secondTries: readonly BatchTry[],
  seed: number,
): ArmComparison {
  const [firsts, seconds] = [groupTasks(firstTries), groupTasks(secondTries)];
  const ids = [...firsts.keys()].filter((id) => seconds.has(id));
  const pairs = ids.map((id) => ({ id, first: firsts.get(id) ?? [], second: seconds.get(id) ?? [] }));
  const attempts = Math.min(...pairs.flatMap(({ first, second }) => [first.length, second.length]));
  const isSingle = pairs.every(({ first, second }) => first.length === 1 && second.length === 1);
  const mean = (of: (tries: readonly BatchTry[]) => number, among = pairs): MeanDifference => {
    const each = among.map(({ first, second }) => [of(first), of(second)] as const);
    const differences = each.map(([first, second]) => second - first);
    return {
      first: average(each.map(([first]) => first)),
      second: average(each.map(([, second]) => second)),
      difference: average(differences),
      interval: bootstrapMean(differences, seed),
    };
  };
  const changed = (sign: number): ChangedTask[] =>
    pairs.filter(({ first, second }) => Math.sign(shareResolved(second) - shareResolved(first)) === sign);
  const better = { first: changed(-1), second: changed(1) };
  const equal = pairs.filter(({ first, second }) => shareResolved(first) === shareResolved(second));
  return {
    tasks: pairs.length,
    onlyInFirst: [...firsts.keys()].filter((id) => !seconds.has(id)),
    onlyInSecond: [...seconds.keys()].filter((id) => !firsts.has(id)),
    attempts: Number.isFinite(attempts) ? attempts : 0,
    first: describeSide(pairs.map(({ first }) => first)),
    second: describeSide(pairs.map(({ second }) => second)),
    better,
    both: equal.filter(({ first }) => shareResolved(first) > 0).length,
    neither: equal.filter(({ first }) => shareResolved(first) === 0).length,
    rate: mean(shareResolved),
    broken: pairs.filter(isBroken).length,
    ...(isSingle ? { p: mcnemarExact(counted(better.first), counted(better.second)) } : {}),
    ...(isSingle ? { sequential: decideInOrder(ids, firstTries, secondTries) } : {}),
    seconds: mean((tries) => average(tries.map(({ agentSeconds }) => agentSeconds))),
    tokens: mean((tries) => average(tries.map(({ usage }) => usage.inputTokens + usage.outputTokens))),
    usd: mean((tries) => average(tries.map(({ usage }) => usage.usd))),
    measures: namesOfMeasures([...firstTries, ...secondTries]).flatMap((name) => {
      const has = (tries: readonly BatchTry[]): boolean => scoresOf(tries, name).length > 0;
      const among = pairs.filter(({ first, second }) => has(first) && has(second));
      if (among.length === 0) return [];
      return { name, tasks: among.length, ...mean((tries) => average(scoresOf(tries, name)), among) };
    }),
  };
}

function namesOfMeasures(tries: readonly BatchTry[]): string[] {
  return [...new Set(tries.flatMap(({ measures = {} }) => Object.keys(measures)))];
}

function scoresOf(tries: readonly BatchTry[], name: string): number[] {
  return tries.flatMap(({ measures }) => measures?.[name] ?? []);
}

type Pair = Pick<ChangedTask, "first" | "second">;

function isBroken({ first, second }: Pair): boolean {
  return [...first, ...second].some(({ outcome }) => outcome === "infrastructure-error");
}

function counted(pairs: readonly Pair[]): number {
  return pairs.filter((pair) => !isBroken(pair)).length;
}

function groupTasks(tries: readonly BatchTry[]): Map<string, BatchTry[]> {
  return Map.groupBy(tries, ({ id }) => id);
}

function shareResolved(tries: readonly BatchTry[]): number {
  return tries.filter(isResolved).length / tries.length;
}

function describeSide(tasks: readonly (readonly BatchTry[])[]): ArmSide {
  const tries = tasks.flat();
  const resolved = tasks.reduce((sum, own) => sum + shareResolved(own), 0);
  const verified = tries.filter(isVerified);
  const isSingle = tasks.every(({ length }) => length === 1);
  return {
    resolved,
    rate: tasks.length === 0 ? 0 : resolved / tasks.length,
    ...(isSingle ? { interval: wilsonInterval(resolved, tasks.length) } : {}),
    verified: verified.length,
    falselyVerified: verified.filter((each) => !isResolved(each)).map(({ id }) => id),
    falselyDenied: tries.filter((each) => isResolved(each) && !isVerified(each)).map(({ id }) => id),
  };
}

function average(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : numbers.reduce((sum, each) => sum + each, 0) / numbers.length;
}
