import { expect, test } from "vitest";
import { partOf } from "../../tests/part-of.ts";
import type { GradedTask } from "./graded-task.ts";
import { factsOf, sizeOfPatch } from "./task-facts.ts";

const patch = `diff --git a/src/a.ts b/src/a.ts
--- a/src/a.ts
+++ b/src/a.ts
@@ -1,3 +1,3 @@
 const one = 1;
-const two = 3;
+const two = 2;
 @@ is no hunk
@@ -9,1 +9,3 @@
 end();
+more();
+more();
diff --git a/lib/b.py b/lib/b.py
--- a/lib/b.py
+++ b/lib/b.py
@@ -1 +0,0 @@
-import os
`;

test("a patch's files, hunks and edited lines are counted", () => {
  expect(sizeOfPatch(patch)).toEqual({ files: 2, hunks: 3, lines: 5 });
  expect(sizeOfPatch(patch, (path) => path.endsWith(".py"))).toEqual({ files: 1, hunks: 1, lines: 1 });
  expect(sizeOfPatch("")).toEqual({ files: 0, hunks: 0, lines: 0 });
});

test("a task's language is the one of most edited lines of its known fix", () => {
  const task = {
    id: "t",
    kind: "repair",
    repository: "a/b",
    statement: "",
    baseCommit: "",
    version: "",
  } as const;
  const known = { id: "t", kind: "repair", dataset: "millwright", repository: "a/b" };
  const facts = (goldPatch: string, more: object = {}) =>
    factsOf(partOf<GradedTask>({ task, dataset: "millwright", hidden: { goldPatch, ...more } }));
  expect(facts(patch)).toEqual({ ...known, language: "typescript", fix: sizeOfPatch(patch) });
  expect(facts("")).toEqual({ ...known, language: null, fix: null });
  const discussion = { opened: "2024-01-01T00:00:00Z", merged: "2024-01-03T12:00:00Z", comments: 4 };
  const dated = { discussion, issueTypes: ["bug"], extra: { ids: ["x"] } };
  expect(facts("", dated)).toEqual({
    ...{ ...known, language: null, fix: null, days: 2.5, comments: 4 },
    ...{ issueTypes: ["bug"], hasExtraTests: true },
  });
  const before = { ...discussion, opened: "2024-02-01T00:00:00Z" };
  expect(facts("", { discussion: before }).days).toBe(0);
});
