import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readHunks, reverseHunk, spansOfDiff } from "./diff-spans.ts";

const before = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);

/** git's own diff of the changed file. */
function diffAfter(change: (lines: string[]) => void): { diff: string; folder: string } {
  const folder = mkdtempSync(join(tmpdir(), "millwright-hunks-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const git = (...args: string[]) => execFileSync("git", args, { cwd: folder, encoding: "utf8" });
  writeFileSync(join(folder, "a b.txt"), `${before.join("\n")}\n`);
  git("init", "-q");
  git("add", "-A");
  const lines = [...before];
  change(lines);
  writeFileSync(join(folder, "a b.txt"), `${lines.join("\n")}\n`);
  writeFileSync(join(folder, "new.txt"), "one\n");
  git("add", "-N", "new.txt");
  return { diff: git("diff"), folder };
}

test("the lines of the base that a diff changes, removed, replaced or added before", () => {
  const { diff } = diffAfter((lines) => {
    lines.splice(27, 0, "added");
    lines.splice(14, 2);
    lines.splice(1, 1, "-- two", "++ more");
  });
  const file = "a b.txt";
  expect(spansOfDiff(diff)).toEqual([
    { file, startLine: 2, endLine: 2 },
    { file, startLine: 15, endLine: 16 },
    { file, startLine: 28, endLine: 28 },
    { file: "new.txt", startLine: 1, endLine: 1 },
  ]);
});

test("a hunk is taken back by itself, and a file that is made is not", () => {
  const { diff, folder } = diffAfter((lines) => {
    lines[1] = "two";
    lines[27] = "twenty-eight";
  });
  const [first, , made] = readHunks(diff);
  if (first === undefined || made === undefined) throw new Error("three hunks");
  expect(reverseHunk(made)).toBeUndefined();
  execFileSync("git", ["apply", "-"], { cwd: folder, input: reverseHunk(first) });
  const lines = readFileSync(join(folder, "a b.txt"), "utf8").split("\n");
  expect([lines[1], lines[27]]).toEqual(["line 2", "twenty-eight"]);
});
