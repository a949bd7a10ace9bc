import { expect, test } from "vitest";
import type { BatchTry } from "./batch-document.ts";
import { compareArms } from "./compare-arms.ts";

function made(id: string, resolved: boolean, more: Partial<BatchTry> = {}): BatchTry {
  return {
    ...{
      id,
      strategy: "react",
      model: null,
      attempt: 1,
      reason: "",
      run: id,
      agentSeconds: 10,
      gradingSeconds: 1,
    },
    outcome: resolved ? "resolved" : "unresolved",
    verdict: resolved ? "verified" : "unverified",
    usage: { calls: 1, inputTokens: 900, cachedTokens: 0, outputTokens: 100, usd: 0.5 },
    ...more,
  };
}

test("tasks are paired, and what differs is told by name", () => {
  const first = [
    made("a", true),
    made("b", true),
    made("c", false),
    made("d", false, { verdict: "verified" }),
  ];
  const second = [
    made("a", true, { agentSeconds: 40 }),
    made("b", false),
    made("c", true, { verdict: "unverified" }),
    made("d", true),
    made("e", true),
  ];
  const found = compareArms(first, second, 1);
  expect(found).toMatchObject({
    ...{ tasks: 4, onlyInFirst: [], onlyInSecond: ["e"], attempts: 1, both: 1, neither: 0 },
    first: { resolved: 2, rate: 0.5, verified: 3, falselyVerified: ["d"], falselyDenied: [] },
    second: { resolved: 3, rate: 0.75, verified: 2, falselyVerified: [], falselyDenied: ["c"] },
    rate: { first: 0.5, second: 0.75, difference: 0.25 },
    seconds: { first: 10, second: 17.5, difference: 7.5 },
    tokens: { first: 1000, second: 1000, difference: 0, interval: { low: 0, high: 0 } },
    p: 1, // one against two
  });
  expect(found.better.first.map(({ id }) => id)).toEqual(["b"]);
  expect(found.better.second.map(({ id }) => id)).toEqual(["c", "d"]);
});

test("of several attempts a task has its share, and no test for single ones is made", () => {
  const attempts = (...ends: boolean[]) => ends.map((end, at) => made("a", end, { attempt: at + 1 }));
  const found = compareArms(attempts(true, false), attempts(true, true), 1);
  expect(found).toMatchObject({ attempts: 2, first: { resolved: 0.5 }, second: { resolved: 1 } });
  expect(found).not.toHaveProperty("p");
  expect(found.first).not.toHaveProperty("interval");
});

test("partial scores are compared on the tasks of which both have them", () => {
  const scored = (id: string, patchCoverage: number) => made(id, false, { measures: { patchCoverage } });
  const first = [scored("a", 0.5), scored("b", 1), scored("c", 0)];
  const { measures } = compareArms(first, [scored("a", 1), scored("b", 1), made("c", false)], 1);
  expect(measures).toMatchObject([
    { name: "patchCoverage", tasks: 2, first: 0.75, second: 1, difference: 0.25 },
  ]);
});

test("an infrastructure error is in the denominator of rates, but no evidence for the other arm", () => {
  const ids = Array.from("abcdefghij");
  const broken = ids.map((id) => made(id, false, { outcome: "infrastructure-error", verdict: null }));
  const found = compareArms(
    broken,
    ids.map((id) => made(id, true)),
    1,
  );
  expect(found).toMatchObject({ first: { resolved: 0, rate: 0 }, second: { rate: 1 }, broken: 10 });
  expect(found).toMatchObject({ p: 1, sequential: { tasks: 0 } });
});
