import { expect, test } from "vitest";
import { partOf } from "../../../tests/part-of.ts";
import type { Task } from "../../domain/task.ts";
import type { ActionContext } from "../action.ts";
import { emptyState } from "../state/task-state.ts";
import { describeGiven, touchedByGiven, withAttemptInStatement } from "./given-attempt.ts";

test("the benchmark's form: the attempt stands in the statement, in a fence that it cannot close", () => {
  const task: Task = { id: "t", kind: "partial-fix", statement: "It fails.", repository: "/r" };
  expect(withAttemptInStatement(task)).toBe(task);
  const partialPatch = "--- a/x.md\n+++ b/x.md\n@@ -1 +1 @@\n-a\n+```\n";
  expect(withAttemptInStatement({ ...task, partialPatch }).statement).toBe(
    `It fails.\n\nAn earlier attempt, which does not solve the task:\n\n\`\`\`\`diff\n${partialPatch.trimEnd()}\n\`\`\`\``,
  );
});

const given = { id: "c1", tree: "t", kind: "code" as const, origin: "the given attempt" };
const diffOf = (lines: number): string =>
  [
    "diff --git a/a.py b/a.py",
    "index 1..2 100644",
    "--- a/a.py",
    "+++ b/a.py",
    `@@ -5,1 +5,${lines} @@`,
    "-old",
    ...Array.from({ length: lines }, (_, at) => `+new ${at}`),
    "",
  ].join("\n");
const contextWith = (diff: string): Pick<ActionContext, "workspace"> =>
  partOf<ActionContext>({ workspace: { base: "b", trees: { diff: async () => diff } } });

test("an attempt is shown by its diff, or by its places where that is long, and compared with what was found", async () => {
  expect(await describeGiven(contextWith(diffOf(1)), given)).toMatch(
    /^c1 is the given attempt\. It may be wrong.*\n\n--- a\/a\.py\n\+\+\+ b\/a\.py\n@@ -5,1 \+5,1 @@\n-old\n\+new 0$/,
  );
  const long = await describeGiven(contextWith(diffOf(90)), given);
  expect(long).toMatch(/It changes a\.py:5\.$/);
  const state = { ...emptyState, candidates: [given] };
  const touched = (startLine: number) =>
    touchedByGiven(contextWith(diffOf(1)), state, [{ file: "a.py", startLine, endLine: 9 }]);
  expect(await touched(3)).toBe("The given attempt, c1, changes a.py:5.");
  expect(await touched(7)).toBe("The given attempt, c1, changes none of these places.");
  expect(await touchedByGiven(contextWith(""), emptyState, [])).toBe("");
});
