import { expect, test } from "vitest";
import { challengeOf } from "./challenge.ts";

const patch = (line: string): string =>
  `diff --git a/src/a.rs b/src/a.rs\n--- a/src/a.rs\n+++ b/src/a.rs\n@@ -1,1 +1,1 @@\n-old\n+${line}\n`;
const fixOf = (line: string, files = 1) => ({
  goldPatch: patch(line),
  codeFiles: ["src/a.rs", "src/b.rs", "src/c.rs", "src/d.rs"].slice(0, files),
});

test.each([
  ["a fix of four files", "The total is wrong", fixOf("let a = spawn(b);", 4), "many-places"],
  ["a word of the code", "The total is wrong", fixOf("let a = lock.mutex();"), "concurrency"],
  ["a word of the title", "Rounding loses a cent", fixOf("let a = 1;"), "numbers-and-time"],
  [
    "a word of the statement's later lines",
    "A total\n\nWe use async code.",
    fixOf("let a = 1;"),
    "single-place",
  ],
])("%s", (_, statement, split, challenge) => {
  expect(challengeOf({ subject: "", statement }, split)).toBe(challenge);
});
