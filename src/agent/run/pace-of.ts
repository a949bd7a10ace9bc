import type { RunDescription } from "./run-store.ts";

/**
 * Returns the data that distinguish the runs of one recording, as JSON. Excludes the model and the repository's folder,
 * because they differ in a replay.
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
