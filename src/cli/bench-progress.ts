/** Shows the progress of a batch: one updated line in a terminal, plain lines elsewhere. */
import { countOf } from "../base/count.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { formatDuration } from "../base/units.ts";
import { countOutcomes, type OutcomeCounts, sumUsage } from "../bench/batch-report.ts";
import { wilsonInterval } from "../bench/statistics.ts";
import type { Try, TryResult } from "../bench/try.ts";

export interface BatchProgress {
  readonly start: (tried: Try) => void;
  /** Shows that a try ended. `print` writes the result's own lines above the updated line. */
  readonly end: (result: TryResult, print: () => void) => void;
  /** Begins or ends a pause. The progress's duration excludes pauses. */
  readonly pause: (isPaused: boolean) => void;
  close(): void;
}

export async function createBatchProgress(stream: NodeJS.WriteStream, total: number): Promise<BatchProgress> {
  const paint = stream.isTTY === true ? (await import("log-update")).createLogUpdate(stream) : undefined;
  let started = Date.now();
  let pausedAt: number | undefined;
  /** The last result of each try. A repeated try has a further result, which replaces the first one. */
  const done = new Map<string, TryResult>();
  const running = new Map<string, Try>();
  const show = (): void => {
    const text = sanitizeForTerminal(
      describeBatch({
        total,
        done: [...done.values()],
        running: running.size,
        ms: (pausedAt ?? Date.now()) - started,
        isPaused: pausedAt !== undefined,
      }),
    );
    if (paint === undefined) stream.write(`${text}\n`);
    else paint(text);
  };
  return {
    start(tried) {
      running.set(keyOf(tried.task.task.id, tried), tried);
      if (paint === undefined) stream.write(`${sanitizeForTerminal(tried.task.task.id)} …\n`);
      else show();
    },
    end(result, print) {
      const key = keyOf(result.id, { arm: result, attempt: result.attempt });
      running.delete(key);
      done.set(key, result);
      paint?.clear();
      print();
      show();
    },
    pause(isPaused) {
      if (isPaused) pausedAt ??= Date.now();
      else if (pausedAt !== undefined) [started, pausedAt] = [started + Date.now() - pausedAt, undefined];
    },
    close: () => paint?.done(),
  };
}

function keyOf(
  id: string,
  { arm, attempt }: { arm: Pick<TryResult, "strategy" | "model">; attempt: number },
): string {
  return JSON.stringify([id, arm.strategy, arm.model, attempt]);
}

interface BatchState {
  readonly total: number;
  readonly done: readonly TryResult[];
  readonly running: number;
  readonly ms: number;
  readonly isPaused?: boolean;
}

export function describeBatch({ total, done, running, ms, isPaused = false }: BatchState): string {
  const { usd, calls } = sumUsage(done);
  const made = done.filter(({ known }) => !known).length;
  const left = total - done.length;
  const parts = [
    `${done.length} of ${total} done, ${running} running`,
    ...(done.length === 0 ? [] : [describeCounts(countOutcomes(done))]),
    ...(calls === 0 ? [] : [`$${usd.toFixed(2)}`]),
    ...(isPaused && left > 0 ? ["paused"] : []),
    ...(left === 0 || made === 0 || isPaused ? [] : [`about ${formatDuration((ms / made) * left)} left`]),
  ];
  return parts.join("; ");
}

/**
 * Describes counts: `7 of 10 resolved (70.0 %, 95 % interval: 39.7 to 89.2 %), 2 unresolved, …`. Every outcome counts in the
 * denominator.
 */
export function describeCounts(counts: OutcomeCounts): string {
  const { tasks, resolved, unresolved, agentErrors, infrastructureErrors } = counts;
  const { low, high } = wilsonInterval(resolved, tasks);
  const percent = (share: number): string => (share * 100).toFixed(1);
  const share = tasks === 0 ? 0 : resolved / tasks;
  return `${resolved} of ${tasks} resolved (${percent(share)} %, 95 % interval: ${percent(low)} to ${percent(high)} %), ${unresolved} unresolved, ${countOf(agentErrors, "agent error")}, ${countOf(infrastructureErrors, "infrastructure error")}`;
}
