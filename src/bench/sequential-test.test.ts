import { expect, test } from "vitest";
import type { BatchTry } from "./batch-document.ts";
import { decideInOrder } from "./sequential-test.ts";
import { seededRandom } from "./statistics.ts";

const tried = (id: string, outcome: BatchTry["outcome"]) => ({ id, outcome });
const side = (letters: string) =>
  [...letters].map((letter, at) =>
    tried(String(at), letter === "+" ? "resolved" : letter === "!" ? "infrastructure-error" : "unresolved"),
  );
const ids = (count: number): string[] => Array.from({ length: count }, (_, at) => String(at));

test("eight tasks that only one arm resolves decide, and later ones are not looked at", () => {
  // 2^7 / 8 = 16 and 2^8 / 9 = 28.4, of 20 that are needed.
  expect(decideInOrder(ids(7), side("+++++++"), side("-------"))).toMatchObject({
    ...{ onlyFirst: 7, evidence: expect.closeTo(16), better: undefined },
  });
  expect(decideInOrder(ids(9), side("--------+"), side("++++++++-"))).toEqual({
    ...{ tasks: 8, onlyFirst: 0, onlySecond: 8, evidence: expect.closeTo(256 / 9), needed: 20 },
    better: "second",
  });
});

test("tasks that both or neither resolve, and infrastructure errors, say nothing", () => {
  expect(decideInOrder(ids(5), side("+-!-+"), side("+--!-"))).toMatchObject({
    ...{ tasks: 3, onlyFirst: 1, onlySecond: 0, evidence: 1, better: undefined },
  });
});

test("a result that arrives before that of an earlier task waits for it", () => {
  const late = side("++++++++").filter(({ id }) => id !== "2");
  expect(decideInOrder(ids(8), late, side("--------"))).toMatchObject({ tasks: 2, onlyFirst: 2 });
});

interface Batch {
  /** Shares of tasks that only the one, or only the other, resolves. */
  readonly only: readonly [number, number];
  readonly tasks: number;
}

/** The shares of simulated batches that are decided for each arm, and the mean number of tasks. */
function simulate({ only: [first, second], tasks }: Batch, seed: number) {
  const batches = 1_000;
  const random = seededRandom(seed);
  const counts = { first: 0, second: 0, looked: 0 };
  for (let batch = 0; batch < batches; batch += 1) {
    const drawn = ids(tasks).map((id) => ({ id, at: random() }));
    const isFirst = (at: number): boolean => at < first;
    const isSecond = (at: number): boolean => at >= first && at < first + second;
    const result = decideInOrder(
      ids(tasks),
      drawn.map(({ id, at }) => tried(id, isFirst(at) ? "resolved" : "unresolved")),
      drawn.map(({ id, at }) => tried(id, isSecond(at) ? "resolved" : "unresolved")),
    );
    if (result.better !== undefined) counts[result.better] += 1;
    counts.looked += result.tasks;
  }
  return {
    first: counts.first / batches,
    second: counts.second / batches,
    tasks: counts.looked / batches,
  };
}

test("in simulated batches of equal arms, a look after each task decides in at most 5 %", () => {
  const { first, second } = simulate({ only: [0.15, 0.15], tasks: 300 }, 1);
  expect(first + second).toBeLessThanOrEqual(0.05);
  // It is not merely deaf.
  expect(first + second).toBeGreaterThan(0.005);
});

test("in simulated batches of unequal arms, the better one is found, with fewer tasks", () => {
  const { first, second, tasks } = simulate({ only: [0.25, 0.05], tasks: 300 }, 2);
  expect(first).toBeGreaterThan(0.95);
  expect(second).toBe(0);
  expect(tasks).toBeLessThan(150);
});
