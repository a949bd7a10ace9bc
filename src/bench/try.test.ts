import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { ResultStore } from "./result-store.ts";
import { executeTry, type Try, type TryOptions } from "./try.ts";

test("a try that something holds up for ever is given up, and what it does is stopped", async () => {
  const tried = partOf<Try>({
    task: { task: { id: "t" }, environment: {}, hidden: { tests: {} } },
    arm: { strategy: "react", model: "openai/any", settings: {} },
    attempt: 2,
  });
  const store = partOf<ResultStore>({ find: () => new Promise(() => {}) });
  const { signal } = new AbortController();
  const options = partOf<TryOptions>({
    ...{ store, longestMs: () => 50, grading: { signal } },
    attempts: { rules: [], conditions: [], environment: { signal } },
  });
  expect(await executeTry(tried, options)).toMatchObject({
    ...{ id: "t", strategy: "react", model: "openai/any", attempt: 2, patch: "" },
    outcome: "infrastructure-error",
    reason: expect.stringContaining("had not ended after"),
  });
});
