/** Draws a sample of tasks. The choice depends on the seed, but not on the tasks' order. */
import { hashText } from "../base/hash.ts";
import type { GradedTask } from "./graded-task.ts";

/**
 * Draws a sample of `size` tasks. Each repository gets a number of tasks in proportion to its size (largest
 * remainders). Keeps the order of the tasks.
 */
export function sampleTasks(tasks: readonly GradedTask[], size: number, seed: number): GradedTask[] {
  const strata = Map.groupBy(tasks, ({ task }) => task.repository);
  const shares = [...strata].map(([repository, members]) => {
    const exact = (members.length * Math.min(size, tasks.length)) / tasks.length;
    return { repository, members, count: Math.floor(exact), rest: exact % 1 };
  });
  const missing = Math.min(size, tasks.length) - shares.reduce((sum, { count }) => sum + count, 0);
  const order = (text: string): string => hashText(`${seed} ${text}`);
  const byRest = [...shares].sort(
    (a, b) => b.rest - a.rest || (order(a.repository) < order(b.repository) ? -1 : 1),
  );
  for (const share of byRest.slice(0, missing)) share.count += 1;
  const chosen = new Set(
    shares.flatMap(({ members, count }) =>
      members
        .map(({ task }) => task.id)
        .sort((a, b) => (order(a) < order(b) ? -1 : 1))
        .slice(0, count),
    ),
  );
  return tasks.filter(({ task }) => chosen.has(task.id));
}

/** Draws `size` ids. The same seed draws the same ids, even if their order in `ids` differs. */
export function sampleIds(ids: readonly string[], size: number, seed: number): string[] {
  const order = (id: string): string => hashText(`${seed} ${id}`);
  return ids.toSorted((a, b) => (order(a) < order(b) ? -1 : 1)).slice(0, size);
}
