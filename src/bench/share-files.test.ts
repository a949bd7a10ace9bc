import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { shareFiles, sweepShared } from "./share-files.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-share-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", ...args], {
    cwd,
    encoding: "utf8",
  });

/** Two environments with the same commit, whose setups wrote the same files. */
function makeTwo(): [one: string, two: string] {
  const [one, two] = [join(folder, "one"), join(folder, "two")];
  execFileSync("git", ["init", "-q", one]);
  for (const name of ["a.txt", "b.txt", "ü.txt"]) writeFileSync(join(one, name), "the same text\n");
  git(one, "add", "-A");
  git(one, "commit", "-q", "-m", "Begin");
  for (const name of ["built.o", "package.js"]) writeFileSync(join(one, name), `of the setup: ${name}\n`);
  for (const name of ["built.o", "package.js"]) utimesSync(join(one, name), 1, 1);
  cpSync(one, two, { recursive: true, preserveTimestamps: true });
  utimesSync(join(two, "a.txt"), 1, 1);
  utimesSync(join(two, "built.o"), 2, 2);
  return [one, two];
}

const inode = (...path: string[]): number => statSync(join(...path)).ino;

test("equal files of two environments become one, and files of one environment stay apart", async () => {
  const [one, two] = makeTwo();
  const store = join(folder, "store");
  const [first, second] = [await shareFiles(one, store), await shareFiles(two, store)];
  for (const name of ["a.txt", "b.txt", "ü.txt", "package.js"])
    expect(inode(one, name)).toBe(inode(two, name));
  expect(new Set(["a.txt", "b.txt", "ü.txt"].map((name) => inode(one, name))).size).toBe(3);
  expect(second).toBeLessThan(first);
  // A build compares the times of what it built.
  expect(statSync(join(two, "built.o")).mtimeMs).toBe(2000);
  expect(git(two, "status", "--porcelain", "--untracked-files=no")).toBe("");
  expect(git(two, "fsck", "--full")).toBe("");
});

test("a shared file stays until its last environment is gone", async () => {
  const [one, two] = makeTwo();
  const store = join(folder, "store");
  for (const each of [one, two]) await shareFiles(each, store);
  rmSync(one, { recursive: true });
  await sweepShared(store);
  expect(readFileSync(join(two, "a.txt"), "utf8")).toBe("the same text\n");
  expect(statSync(join(two, "a.txt")).nlink).toBe(2);
  rmSync(two, { recursive: true });
  await sweepShared(store);
  expect(execFileSync("find", [store, "-type", "f"], { encoding: "utf8" })).toBe("");
  expect(existsSync(store)).toBe(true);
});
