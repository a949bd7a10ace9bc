import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { collectChanges } from "./collect.ts";
import { openHistoryTrees } from "./history-trees.ts";
import { splitChange } from "./split-change.ts";

let folder = "";
let clone = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-split-"));
  clone = join(folder, "clone");
  mkdirSync(join(clone, "tests"), { recursive: true });
  git("init", "-q");
  write("shop.py", "price = 1\n");
  commit();
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function git(...args: string[]): string {
  const person = ["-c", "user.name=Test", "-c", "user.email=test@example.invalid"];
  return execFileSync("git", [...person, ...args], { cwd: clone, encoding: "utf8" }).trim();
}

function write(path: string, text: string): void {
  writeFileSync(join(clone, path), text);
}

function commit(): string {
  git("add", "-A");
  git("commit", "-q", "-m", "Change the price");
  return git("rev-parse", "HEAD");
}

/** The verdict on the newest commit. */
async function splitNewest() {
  const gitDirectory = join(clone, ".git");
  const [change] = await collectChanges({
    ...{ gitDirectory, repository: "acme/shop", since: undefined, issues: new Map() },
  });
  if (change === undefined) throw new Error("the history has a change");
  const trees = await openHistoryTrees(join(folder, "history"), gitDirectory);
  try {
    return await splitChange(change, trees, { mostFiles: 15, mostLines: 500 });
  } finally {
    trees.close();
  }
}

test("splits a change into its fix and its tests", async () => {
  write("shop.py", "price = 2\n");
  write("tests/test_shop.py", "def test_price():\n    assert True\n");
  commit();
  expect(await splitNewest()).toMatchObject({
    verdict: "kept",
    value: { codeFiles: ["shop.py"], testFiles: ["tests/test_shop.py"], lines: 2 },
  });
});

test("drops a change of a submodule, because a clone does not contain its files", async () => {
  write("shop.py", "price = 2\n");
  write("tests/test_shop.py", "def test_price():\n    assert True\n");
  git("update-index", "--add", "--cacheinfo", `160000,${"1".repeat(40)},tests/data`);
  git("add", "shop.py", "tests/test_shop.py");
  git("commit", "-q", "-m", "Change the price");
  expect(await splitNewest()).toMatchObject({
    verdict: "dropped",
    cause: "submodule",
    detail: expect.stringContaining("tests/data"),
  });
});

test("drops a change that only removes tests: no test can fail without the fix", async () => {
  write("tests/test_shop.py", "def test_price():\n    assert True\n\n\ndef test_tax():\n    assert True\n");
  commit();
  write("shop.py", "price = 2\n");
  write("tests/test_shop.py", "def test_price():\n    assert True\n");
  commit();
  expect(await splitNewest()).toMatchObject({ verdict: "dropped", cause: "no-tests" });
});
