import { expect, test } from "vitest";
import { judgeAttempt } from "./from-changes.ts";

const diff = (...lines: string[]) =>
  ["diff --git a/shop.py b/shop.py", "--- a/shop.py", "+++ b/shop.py", ...lines, ""].join("\n");
const goldPatch = diff(
  "@@ -3,3 +3,2 @@",
  " class Shop:",
  "-",
  "     def net(self):",
  "@@ -20,2 +19,3 @@",
  " def tax(sum):",
  "+    sum = round(sum)",
  "     return sum",
);
const split = { codeFiles: ["shop.py"], goldPatch };
const lists = {
  failToPass: { success: [], failure: ["a"] },
  passToPass: { success: ["b"], failure: [] },
};
const patch = diff("@@ -20,2 +20,2 @@", " def tax(sum):", "-    return sum", "+    return int(sum)");

test("an attempt failed if it builds and changes a place of the fix; a broken sandbox says nothing", () => {
  const judge = (outcome: "resolved" | "unresolved" | "infrastructure-error") =>
    judgeAttempt({ outcome, reason: "the sandbox broke", ...lists }, split, patch);
  expect(judge("unresolved")).toEqual({ verdict: "kept", value: true });
  expect(judge("resolved")).toEqual({ verdict: "kept", value: false });
  expect(judge("infrastructure-error")).toEqual({
    ...{ verdict: "error", cause: "infrastructure", detail: "the sandbox broke" },
  });
});

test.each([
  ["only the layout", diff("@@ -3,3 +3,2 @@", " class Shop:", "-", "     def net(self):")],
  ["only a comment", diff("@@ -20,2 +20,3 @@", " def tax(sum):", "+    # round it", "     return sum")],
  ["only white space", diff("@@ -20,2 +20,2 @@", " def tax(sum):", "-    return sum", "+    return  sum")],
  ["another function", diff("@@ -40,2 +40,3 @@", " def name():", "+    x = 1", "     return None")],
])("an attempt that changes %s is no attempt", (_, attempt) => {
  const graded = { outcome: "unresolved", reason: "", ...lists } as const;
  expect(judgeAttempt(graded, split, attempt)).toEqual({ verdict: "kept", value: false });
});
