/**
 * Decides between two arms while a batch runs, however often the results are tested. Counts only tasks that exactly one
 * arm resolves, as in McNemar's test. For equal arms, each such task is the toss of a fair coin. The evidence against a
 * fair coin is a mixture likelihood ratio (H. Robbins, 1970), which is a martingale for equal arms. By Ville's
 * inequality (J. Ville, 1939), the probability that the evidence ever reaches 1 / `error` is therefore at most `error`.
 */
import type { BatchTry } from "./batch-document.ts";
import { isResolved } from "./batch-report.ts";
import { coinEvidence } from "./statistics.ts";

type ComparedTry = Pick<BatchTry, "id" | "outcome">;

export interface SequentialResult {
  /** Number of tasks that count: both arms attempted them, without an infrastructure error. */
  readonly tasks: number;
  /** Number of counted tasks that only the first arm resolves. `onlySecond`: that only the second resolves. */
  readonly onlyFirst: number;
  readonly onlySecond: number;
  /** The evidence at the last test of the results, or at the first test that decides. */
  readonly evidence: number;
  /** The evidence that decides: 1 / `error`. */
  readonly needed: number;
  /** The arm that resolves more; undefined if it is not decided. */
  readonly better: "first" | "second" | undefined;
}

export const usualError = 0.05;

/**
 * Decides between two arms, with one attempt per task and arm. Takes the tasks in the order of `tasks`, and tests the
 * results after each one. Stops at the first task that decides, or before the first task without a result. Does not use
 * the order in which results arrive: it would favour the arm with faster successes. Ignores tasks with an
 * infrastructure error.
 */
export function decideInOrder(
  tasks: readonly string[],
  firsts: readonly ComparedTry[],
  seconds: readonly ComparedTry[],
  error = usualError,
): SequentialResult {
  const [first, second] = [byId(firsts), byId(seconds)];
  const needed = 1 / error;
  let seen: SequentialResult = {
    ...{ tasks: 0, onlyFirst: 0, onlySecond: 0, evidence: 1, needed, better: undefined },
  };
  for (const id of tasks) {
    const [one, other] = [first.get(id), second.get(id)];
    if (one === undefined || other === undefined) break;
    if ([one, other].some(({ outcome }) => outcome === "infrastructure-error")) continue;
    const [won, lost] = [isResolved(one) && !isResolved(other), !isResolved(one) && isResolved(other)];
    const onlyFirst = seen.onlyFirst + (won ? 1 : 0);
    const onlySecond = seen.onlySecond + (lost ? 1 : 0);
    const evidence = coinEvidence(onlyFirst, onlySecond);
    seen = { ...seen, tasks: seen.tasks + 1, onlyFirst, onlySecond, evidence };
    if (evidence >= needed) return { ...seen, better: onlyFirst > onlySecond ? "first" : "second" };
  }
  return seen;
}

function byId(tries: readonly ComparedTry[]): ReadonlyMap<string, ComparedTry> {
  return new Map(tries.map((each) => [each.id, each]));
}
