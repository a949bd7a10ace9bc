import { expect, test } from "vitest";
import { describeCancelled, tellCancelled } from "./cancelled-batch.ts";

test("a cancelled batch counts its tries without a result by arm", () => {
  const [search, react] = [
    { strategy: "search-repair", model: null },
    { strategy: "react", model: "replay:a" },
  ];
  const planned = [search, react, search, react, search].map((arm) => ({ arm }));
  const cancelled = describeCancelled(planned, [search, search, search, react]);
  expect(cancelled).toEqual({ planned: 5, missing: [{ ...react, tries: 1 }] });
  expect(tellCancelled(cancelled)).toBe(
    "partial, because the batch was cancelled: 4 of 5 tries have a result (without a result: react,replay:a: 1)",
  );
  expect(tellCancelled({ planned: 2, missing: [] })).toBe(
    "partial, because the batch was cancelled: 2 of 2 tries have a result",
  );
});
