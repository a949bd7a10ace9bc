import { expect, test } from "vitest";
import { judgeAttempt } from "./from-changes.ts";

const split = { codeFiles: ["shop.py"] };
const lists = {
  failToPass: { success: [], failure: ["a"] },
  passToPass: { success: ["b"], failure: [] },
};
const patch = "--- a/shop.py\n+++ b/shop.py\n";

test("an attempt failed if it builds and changes the fix's files; a broken sandbox says nothing", () => {
  const judge = (outcome: "resolved" | "unresolved" | "infrastructure-error") =>
    judgeAttempt({ outcome, reason: "the sandbox broke", ...lists }, split, patch);
  expect(judge("unresolved")).toEqual({ verdict: "kept", value: true });
  expect(judge("resolved")).toEqual({ verdict: "kept", value: false });
  expect(judge("infrastructure-error")).toEqual({
    ...{ verdict: "error", cause: "infrastructure", detail: "the sandbox broke" },
  });
});
