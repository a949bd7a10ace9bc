import { expect, test } from "vitest";
import { rejectedIn } from "./recheck.ts";

test("a retired task says that its environment was a stored one", () => {
  const results = [
    { id: "a", state: "unfit" as const, exceptions: ["the gold patch resolves nothing"] },
    { id: "b", state: "fit" as const, exceptions: [] },
  ];
  const cause = { id: "a", cause: "unfit" };
  expect(rejectedIn(results, "unfit", false)).toEqual([
    { ...cause, detail: "the gold patch resolves nothing" },
  ]);
  expect(rejectedIn(results, "unfit", true)).toEqual([
    { ...cause, detail: "in its stored environment: the gold patch resolves nothing" },
  ]);
});
