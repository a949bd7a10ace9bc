import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { indexFolderOf, noteUse, ownerName } from "./index-folder.ts";
import { openStore } from "./store/open-store.ts";
import { takeWriterLock } from "./store/writer-lock.ts";
import { sweepIndexes } from "./sweep-indexes.ts";

let folder: string;
let indexes: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "millwright-sweep-")));
  indexes = join(folder, "indexes");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Creates an index of a repository with that name, last used this many days ago. */
function makeIndex(name: string, days: number): { repository: string; directory: string } {
  const repository = join(folder, name);
  mkdirSync(repository);
  const directory = indexFolderOf({ repository, indexes, environment: {} });
  openStore({ directory, version: "1" }).close();
  noteUse(directory, repository);
  const used = new Date(Date.now() - days * 24 * 3600 * 1000);
  utimesSync(join(directory, ownerName), used, used);
  return { repository, directory };
}

test("what is left: indexes in use, of repositories that are there, of ones that went away just now", () => {
  const used = makeIndex("used", 0);
  const kept = makeIndex("kept", 30);
  const moved = makeIndex("moved", 1);
  rmSync(moved.repository, { recursive: true });
  const left = sweepIndexes(indexes, Date.now());
  expect(left).toMatchObject({ swept: [], count: 3 });
  for (const { directory } of [used, kept, moved]) expect(existsSync(directory)).toBe(true);
});

test("what goes: indexes whose repository is gone, or that nobody has used for long", () => {
  const gone = makeIndex("gone", 8);
  rmSync(gone.repository, { recursive: true });
  const unused = makeIndex("unused", 100);
  const { swept, count } = sweepIndexes(indexes, Date.now());
  expect(swept.map(({ repository, why }) => [repository, why]).sort()).toEqual([
    [gone.repository, "gone"],
    [unused.repository, "unused"],
  ]);
  expect(swept.every(({ bytes }) => bytes > 0)).toBe(true);
  expect(count).toBe(0);
  expect([gone, unused].some(({ directory }) => existsSync(directory))).toBe(false);
});

test("nothing is touched that is not surely ours, or that a process writes", () => {
  const busy = makeIndex("busy", 100);
  const lock = takeWriterLock(busy.directory);
  const renamed = join(indexes, "somebody-else");
  mkdirSync(renamed);
  writeFileSync(join(renamed, "graph.sqlite"), "theirs");
  writeFileSync(join(renamed, ownerName), "/nowhere\n");
  const old = new Date(0);
  utimesSync(join(renamed, ownerName), old, old);
  writeFileSync(join(indexes, "a-file"), "theirs");
  expect(sweepIndexes(indexes, Date.now()).swept).toEqual([]);
  lock?.release();
  expect(sweepIndexes(indexes, Date.now()).swept).toMatchObject([{ repository: busy.repository }]);
  expect(existsSync(join(renamed, "graph.sqlite"))).toBe(true);
  expect(sweepIndexes(join(folder, "nowhere"), Date.now())).toEqual({ swept: [], count: 0, bytes: 0 });
});

test("an index that is used again says so", () => {
  const { repository, directory } = makeIndex("again", 100);
  noteUse(directory, repository);
  expect(sweepIndexes(indexes, Date.now()).swept).toEqual([]);
});
