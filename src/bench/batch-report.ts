/** Computes the results of a batch from its tries alone. Each rate counts all requested tasks in its denominator. */
import type { noUsage, StatedUsage } from "../domain/solve-report.ts";
import { type Interval, passAtK, wilsonInterval } from "./statistics.ts";
import type { TryResult } from "./try.ts";

/** The fields of a try from which the results are computed. Saved batches have these fields too. */
export type CountedTry = Pick<
  TryResult,
  | "id"
  | "strategy"
  | "model"
  | "attempt"
  | "outcome"
  | "verdict"
  | "usage"
  | "agentSeconds"
  | "gradingSeconds"
>;

export interface OutcomeCounts {
  readonly tasks: number;
  readonly resolved: number;
  readonly unresolved: number;
  readonly agentErrors: number;
  readonly infrastructureErrors: number;
}

export interface AttemptSummary extends OutcomeCounts {
  readonly attempt: number;
  readonly rate: number;
  /** Wilson's 95 % interval. */
  readonly interval: Interval;
}

export interface ArmSummary {
  readonly strategy: string;
  readonly model: string | null;
  readonly attempts: readonly AttemptSummary[];
  /** pass@k by k: the unbiased estimate, averaged over the tasks with at least k attempts. */
  readonly passAt: Readonly<Record<number, number>>;
  /** Patches that the agent called verified, and the number of resolved ones among them. */
  readonly verified: { readonly count: number; readonly resolved: number };
  readonly usage: StatedUsage;
  readonly agentSeconds: number;
  readonly gradingSeconds: number;
}

export function isResolved({ outcome }: Pick<CountedTry, "outcome">): boolean {
  return outcome === "resolved";
}

export function isVerified({ verdict }: Pick<CountedTry, "verdict">): boolean {
  return verdict === "verified";
}

/** True if any try has the agent's own verdict. Imported reports of official harnesses have none. */
export function hasVerdicts(tries: readonly Pick<CountedTry, "verdict">[]): boolean {
  return tries.some(({ verdict }) => verdict !== null);
}

export function countOutcomes(tries: readonly Pick<CountedTry, "outcome">[]): OutcomeCounts {
  const count = (outcome: CountedTry["outcome"]): number =>
    tries.filter((each) => each.outcome === outcome).length;
  return {
    tasks: tries.length,
    resolved: count("resolved"),
    unresolved: count("unresolved"),
    agentErrors: count("agent-error"),
    infrastructureErrors: count("infrastructure-error"),
  };
}

/** Summarises each arm. The arms are in the order of their first tries. */
export function summariseArms(tries: readonly CountedTry[]): ArmSummary[] {
  const arms = Map.groupBy(tries, ({ strategy, model }) => JSON.stringify([strategy, model]));
  return [...arms.values()].flatMap((members) => {
    const [first] = members;
    if (first === undefined) return [];
    const { strategy, model } = first;
    const attempts = [...Map.groupBy(members, ({ attempt }) => attempt)].sort(([a], [b]) => a - b);
    const verified = members.filter(isVerified);
    return {
      strategy,
      model,
      attempts: attempts.map(([attempt, own]) => summariseAttempt(attempt, own)),
      passAt: passAt(members, attempts.length),
      verified: { count: verified.length, resolved: verified.filter(isResolved).length },
      usage: sumUsage(members),
      agentSeconds: sum(members.map(({ agentSeconds }) => agentSeconds)),
      gradingSeconds: sum(members.map(({ gradingSeconds }) => gradingSeconds)),
    };
  });
}

function summariseAttempt(attempt: number, tries: readonly CountedTry[]): AttemptSummary {
  const counts = countOutcomes(tries);
  return {
    attempt,
    ...counts,
    rate: counts.tasks === 0 ? 0 : counts.resolved / counts.tasks,
    interval: wilsonInterval(counts.resolved, counts.tasks),
  };
}

function passAt(tries: readonly CountedTry[], attempts: number): Record<number, number> {
  const tasks = [...Map.groupBy(tries, ({ id }) => id).values()];
  const estimates = Array.from({ length: attempts }, (_, at) => {
    const each = tasks
      .map((own) => passAtK(own.length, own.filter(isResolved).length, at + 1))
      .filter((share) => share !== undefined);
    return [at + 1, each] as const;
  });
  const known = estimates.filter(([, each]) => each.length > 0);
  return Object.fromEntries(known.map(([k, each]) => [k, sum(each) / each.length]));
}

export function sumUsage(tries: readonly Pick<CountedTry, "usage">[]): StatedUsage {
  const unpriced = sum(tries.map(({ usage }) => usage.unpriced ?? 0));
  const total = (name: keyof typeof noUsage): number => sum(tries.map(({ usage }) => usage[name]));
  return {
    calls: total("calls"),
    inputTokens: total("inputTokens"),
    cachedTokens: total("cachedTokens"),
    outputTokens: total("outputTokens"),
    usd: total("usd"),
    ...(unpriced === 0 ? {} : { unpriced }),
  };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
