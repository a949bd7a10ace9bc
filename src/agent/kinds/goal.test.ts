import { expect, test } from "vitest";
import { describeGoal } from "./goal.ts";
import { rulesOf } from "./rules-of.ts";

test("no step is told that nobody can choose", () => {
  const all = describeGoal(rulesOf("repair"), () => true);
  expect(all).toMatch(/No previously passing test breaks\. Work in this order: find .* \(code-retrieval\); /);
  const some = describeGoal(rulesOf("repair"), (action) => action !== "reproduction");
  expect(some).not.toMatch(/reproduction|see a test fail/);
  expect(some).toContain("(code-retrieval); change the code (edit-code)");
});
