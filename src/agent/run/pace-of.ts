import type { RunDescription } from "./run-store.ts";

/**
 * The data that distinguish the runs of one recording, as JSON. Not the model or the repository's folder: a replay has
 * others.
 */
export function paceOf(
  {
    task,
    strategy,
    switches,
    samples,
    arms,
  }: Pick<RunDescription, "task" | "strategy"> & Partial<RunDescription>,
  base: string | undefined,
): unknown {
  const { kind, statement, target, failingTests, partialPatch } = task;
  const asked = { kind, statement, target, failingTests, partialPatch };
  return JSON.parse(JSON.stringify({ base, asked, strategy, switches, samples, arms }));
}
