import { expect, test } from "vitest";
import { conditionsOf } from "./work.prompt.ts";

test("an author of regression tests learns that a fix may stay, and that nobody delivers it", () => {
  expect(conditionsOf("regression-test")).toContain("Leave your fix");
  for (const kind of ["repair", "feature", "test-generation", "code-generation"] as const)
    expect(conditionsOf(kind)).not.toContain("fix of the code");
});
