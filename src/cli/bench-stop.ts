/** `bench run --stop-when-decided`: ends a batch of two arms once one of them is better. */
import { InvalidArgumentError } from "commander";
import { countOf } from "../base/count.ts";
import { MillwrightError } from "../base/errors.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import type { Arm } from "../bench/attempt.ts";
import type { BatchDocument } from "../bench/batch-document.ts";
import type { GradedTask } from "../bench/graded-task.ts";
import { nameOfArm } from "../bench/reported-arms.ts";
import { decideInOrder } from "../bench/sequential-test.ts";
import type { TryResult } from "../bench/try.ts";

type Stop = NonNullable<BatchDocument["stopped"]>;

/**
 * Parses an error rate in percent, and returns it as a share: `5` becomes 0.05. Throws InvalidArgumentError unless it
 * is above 0 and below 50.
 */
export function errorPercent(text: string): number {
  const share = Number(text) / 100;
  if (share > 0 && share < 0.5) return share;
  throw new InvalidArgumentError("Give the error rate in percent, above 0 and below 50, such as 5.");
}

/** Throws MillwrightError("usage") unless the batch has two arms and one attempt at each task. */
export function refuseUndecidable(arms: readonly Arm[], attempts: number): void {
  if (arms.length === 2 && attempts === 1) return;
  const has = `${countOf(arms.length, "arm")}, with ${countOf(attempts, "attempt")} at each task`;
  throw new MillwrightError("usage", `--stop-when-decided compares two arms, and this batch has ${has}`, {
    hint: "Give two strategies or two models, and --attempts 1.",
  });
}

export interface DecisionWatch {
  add(result: TryResult): void;
  isDecided(): boolean;
  stopped(): Stop | undefined;
}

/**
 * Makes a watch that takes results and decides whether one arm is better. Reads the results in the order of the tasks,
 * not of arrival.
 */
export function watchDecision(
  tasks: readonly GradedTask[],
  arms: readonly Arm[],
  error: number,
): DecisionWatch {
  const ids = tasks.map(({ task }) => task.id);
  /** The last result of each try. A repeated try has a further result, which replaces the first one. */
  const results = new Map<string, TryResult>();
  const triesOf = (arm: Arm | undefined): TryResult[] =>
    [...results.values()].filter(({ strategy, model }) => strategy === arm?.strategy && model === arm.model);
  const stopped = (): Stop | undefined => {
    const { tasks: seen, evidence, better } = decideInOrder(ids, triesOf(arms[0]), triesOf(arms[1]), error);
    const arm = better === undefined ? undefined : arms[better === "first" ? 0 : 1];
    if (arm === undefined) return undefined;
    const { strategy, model } = arm;
    return { tasks: seen, evidence, error, better: { strategy, model } };
  };
  const add = (result: TryResult): void =>
    void results.set(JSON.stringify([result.id, result.strategy, result.model]), result);
  return { add, isDecided: () => stopped() !== undefined, stopped };
}

export function tellStop({ tasks, evidence, error, better }: Stop, all: number): string {
  const text = `decided after ${tasks} of ${countOf(all, "task")}: ${nameOfArm(better)} resolves more (evidence ${evidence.toPrecision(3)}, needed ${Number((1 / error).toPrecision(3))}; the error rate is at most ${Number((error * 100).toPrecision(3))} %)`;
  return `${sanitizeForTerminal(text)}\n`;
}
