import { expect, test } from "vitest";
import { filesOf } from "./patch-files.ts";

const hunk = "@@ -1,2 +1,2 @@\n-old\n+new\n same\n";

test("counts the lines of a diff in git's format, and of one with only the lines of the files' names", () => {
  const file = { path: "lib/a.py", hunks: 1, added: 1, removed: 1 };
  const names = "--- a/lib/a.py\t2024-01-01\n+++ b/lib/a.py\t2024-01-02\n";
  expect(filesOf(`diff --git a/lib/a.py b/lib/a.py\nindex 1..2 100644\n${names}${hunk}`)).toEqual([file]);
  expect(filesOf(`${names}${hunk}--- lib/b.py\n+++ /dev/null\n${hunk}${hunk}`)).toEqual([
    file,
    { path: "lib/b.py", hunks: 2, added: 2, removed: 2 },
  ]);
  expect(filesOf("a text about --- and +++\n")).toEqual([]);
});
