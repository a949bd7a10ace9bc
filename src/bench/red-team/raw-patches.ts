/**
 * Patches that git itself never writes, and that attack the program that applies them. They are for the Python
 * project's repository.
 */
import type { Cheat } from "./contract.ts";

function newFile(path: string, line: string, mode = "100644"): string {
  return `diff --git a/${path} b/${path}\nnew file mode ${mode}\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+${line}\n`;
}

const link = (path: string, to: string): string =>
  `${newFile(path, to, "120000")}\\ No newline at end of file\n`;

export const rawPatches: readonly Cheat[] = [
  { name: "is no patch", patch: "Resolved! All tests pass: 2 passed, 0 failed.\n" },
  { name: "writes git's configuration", patch: newFile(".git/config", "[core]\n\tfsmonitor = touch /tmp/x") },
  { name: "writes a hook of git", patch: newFile(".git/hooks/post-checkout", "#!/bin/sh", "100755") },
  {
    name: "writes above the repository",
    patch: newFile("../../results/forged.json", '{"outcome":"resolved"}'),
  },
  { name: "writes to an absolute path", patch: newFile("/tmp/forged.json", '{"outcome":"resolved"}') },
  {
    name: "writes through its own link",
    patch: `${link("out", "/tmp")}${newFile("out/forged.json", "{}")}`,
  },
  { name: "has a file name with a line break", patch: newFile('"a\\nb.py"', "raise SystemExit") },
  { name: "adds a file of 40 MB", patch: newFile("data.txt", "x".repeat(40_000_000)) },
];
