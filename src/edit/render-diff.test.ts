import { expect, test } from "vitest";
import { mostChangedLines } from "./line-diff.ts";
import { renderDiff } from "./render-diff.ts";

const many = "x = 1\n".repeat(mostChangedLines + 10);

test.each([
  ["a new file", undefined, "a\n", "@@ -0,0 +1 @@\n+a\n"],
  ["a deleted file", "a\nb\n", undefined, "@@ -1,2 +0,0 @@\n-a\n-b\n"],
  ["a file that was empty", "", "a\n", "@@ -0,0 +1 @@\n+a\n"],
  ["a change", "a\nb\n", "a\nc\n", "@@ -1,2 +1,2 @@\n a\n-b\n+c\n"],
  ["a large new file", undefined, many, `@@ -0,0 +1,${mostChangedLines + 10} @@\n+x = 1\n`],
  ["a large file that is deleted", many, undefined, `@@ -1,${mostChangedLines + 10} +0,0 @@\n-x = 1\n`],
])("the hunk of %s begins with its lines as git counts them", (_, before, after, hunk) => {
  const diff = renderDiff([{ path: "a.py", before, after }]);
  expect(diff.slice(diff.indexOf("@@"))).toMatch(new RegExp(`^${hunk.replaceAll(/[+.*]/g, "\\$&")}`));
  expect(diff).not.toContain("\n-\n");
});
