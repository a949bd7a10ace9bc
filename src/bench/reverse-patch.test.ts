import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { reversePatch } from "./reverse-patch.ts";

const numbered = Array.from({ length: 40 }, (_, at) => `line ${at}`);

test("what git makes of changes, turned around, leads back to the same tree", () => {
  const folder = mkdtempSync(join(tmpdir(), "millwright-reverse-"));
  const git = (input: string, ...args: string[]): string =>
    execFileSync("git", ["-c", "user.name=T", "-c", "user.email=t@example.invalid", ...args], {
      cwd: folder,
      encoding: "utf8",
      input,
    });
  const write = (name: string, ...lines: string[]) => writeFileSync(join(folder, name), lines.join("\n"));
  try {
    git("", "init", "-q");
    write("changed.py", ...numbered, "");
    write("cut short.py", "one", "two");
    write("removed.py", "gone", "");
    write("old.py", ...numbered, "");
    write("ünïcode.py", "a", "");
    git("", "add", "-A");
    git("", "commit", "-q", "-m", "before");
    const swapped = ["-- a", "++ b", "line 2", ...numbered.slice(4, 30), "", "line 30", "more"];
    write("changed.py", ...numbered.slice(0, 2), ...swapped, ...numbered.slice(35), "");
    write("cut short.py", "one", "two", "");
    rmSync(join(folder, "removed.py"));
    write("new.sh", "made");
    git("", "mv", "old.py", "moved.py");
    write("moved.py", ...numbered.slice(3), "");
    write("ünïcode.py", "b", "");
    git("", "add", "-A");
    git("", "update-index", "--chmod=+x", "changed.py");
    const patch = git("", "diff", "--cached");
    const turned = reversePatch(patch) ?? "";
    const after = git("", "write-tree");
    git(turned, "apply", "--cached", "-");
    expect(git("", "write-tree")).toBe(git("", "rev-parse", "HEAD^{tree}"));
    expect(reversePatch(turned)).toBe(patch);
    // Git's own reverse diff sorts a rename's files by their other name; everything else is the same, line by line.
    const sorted = (text: string) => text.split(/^(?=diff --git )/m).sort();
    expect(sorted(turned)).toEqual(sorted(git("", "diff", after.trim(), "HEAD")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("says of what it cannot turn around that it cannot", () => {
  const head = "diff --git a/x b/y\n";
  const hunk = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n";
  expect(reversePatch(`${hunk}-b\n+c\n`)).toBe("--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n a\n-c\n+b\n");
  expect(
    reversePatch(`${head}similarity index 100%\ncopy from x\ncopy to y\n${hunk}-b\n+c\n`),
  ).toBeUndefined();
  expect(reversePatch(`${head}Binary files a/x and b/y differ\n`)).toBeUndefined();
  expect(reversePatch(`${hunk}-b\n`)).toBeUndefined();
  expect(reversePatch("change x to y")).toBeUndefined();
  expect(reversePatch("")).toBeUndefined();
});
