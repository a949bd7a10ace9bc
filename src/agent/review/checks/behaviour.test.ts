import { expect, test } from "vitest";
import { reachedComparison } from "./behaviour.ts";

const measured = { inputs: 30, trusted: 10, kept: 9, broken: 0, near: 0, nearKept: 0, differing: 1 };
const recorded = { measured };

test("a replay keeps recorded figures only if its own comparison says the same kind of thing", () => {
  const { only } = reachedComparison;
  const more = { measured: { ...measured, inputs: 40, kept: 8 } };
  expect(only(more, recorded)).toEqual(recorded);
  const narrow = {
    measured: {
      ...{ ...measured, kept: 10, given: { inputs: 2, differing: 2 } },
      made: { inputs: 20, differing: 0 },
    },
  };
  const breaks = { measured: { ...measured, broken: 2 } };
  for (const own of [narrow, breaks, { because: "it could not run" }]) expect(only(own, recorded)).toBe(own);
  const kept = { measured: { ...measured, kept: 10 } };
  expect(only({ because: "it could not run" }, kept)).toEqual({ because: "it could not run" });
});
