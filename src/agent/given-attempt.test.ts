import { expect, test } from "vitest";
import type { Task } from "../domain/task.ts";
import { withAttemptInStatement } from "./given-attempt.ts";

test("the benchmark's form: the attempt stands in the statement, in a fence that it cannot close", () => {
  const task: Task = { id: "t", kind: "partial-fix", statement: "It fails.", repository: "/r" };
  expect(withAttemptInStatement(task)).toBe(task);
  const partialPatch = "--- a/x.md\n+++ b/x.md\n@@ -1 +1 @@\n-a\n+```\n";
  expect(withAttemptInStatement({ ...task, partialPatch }).statement).toBe(
    `It fails.\n\nAn earlier attempt, which does not solve it:\n\n\`\`\`\`diff\n${partialPatch.trimEnd()}\n\`\`\`\``,
  );
});
