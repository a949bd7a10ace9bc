import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import {
  hunkTexts,
  isImport,
  listTellingLines,
  readHolders,
  search,
  searchSqueezed,
  tellSearch,
  weighHolders,
} from "./leaked-environment.ts";

const lines = Array.from({ length: 5 }, (_, at) => `line ${at} of the fix`);
const committed = new Set([
  "src/sibling.py",
  "docs/faq.rst",
  "debian/patches/1.patch",
  "tools/vendor/lib.go",
  "vendor/cache/lib-2.gem",
]);

const holders = [
  { path: "dist/lib.js", count: 3, isBad: true, why: "a file of the setup with most lines" },
  { path: "dist/lib.js", count: 2, isBad: false, why: "less than half of the lines" },
  { path: "src/sibling.py", count: 3, isBad: false, why: "similar code of the commit" },
  { path: "tools/vendor/lib.go", count: 4, isBad: true, why: "a newer copy in the commit" },
  { path: "vendor/cache/lib-2.gem", count: 3, isBad: true, why: "an archive in the commit" },
  { path: "debian/patches/1.patch", count: 3, isBad: true, why: "a patch in the commit" },
  { path: "docs/faq.rst", count: 3, isBad: true, why: "a document with most lines" },
  { path: "docs/faq.rst", count: 2, isBad: false, why: "a document with less than half of the lines" },
];

test.each(holders)("$path with $count of 5 lines of the fix leaks it: $isBad ($why)", (held) => {
  expect(
    weighHolders([{ path: held.path, lines: held.count, characters: 17 * held.count }], lines, committed)
      .isBad,
  ).toBe(held.isBad);
});

test("a document with the fix leaks it, even with other comments", () => {
  const goldPatch = `diff --git a/net.py b/net.py
--- a/net.py
+++ b/net.py
@@ -1,2 +1,6 @@ def join(host):
-    parts.append(host.encode("idna"))
+    if ":" in host_name:
+        # The parser strips the brackets of an address.
+        parts.append(f"[{host_name}]".encode("ascii"))
+    else:
+        parts.append(host.encode("idna"))
`;
  const before = 'parts.append(host.encode("idna"))';
  const telling = listTellingLines({ goldPatch, codeFiles: ["net.py"] }, before);
  expect(telling).toEqual(['if ":" in host_name:', 'parts.append(f"[{host_name}]".encode("ascii"))']);
  expect(
    weighHolders([{ path: "docs/faq.rst", lines: 2, characters: 66 }], telling, committed),
  ).toMatchObject({
    isBad: true,
    reason: "docs/faq.rst contains 2 of 2 distinctive lines of the fix",
  });
});

test("the reason names a file that contains too few lines of the fix", () => {
  const held = { path: "src/sibling.py", lines: 2, characters: 34 };
  expect(weighHolders([held], lines, committed)).toMatchObject({
    ...{ isBad: false, score: 1 },
    reason: "src/sibling.py contains 2 of 5 distinctive lines of the fix",
  });
});

test("one short line is no leak in a file of the setup", () => {
  const held = { path: "dist/lib.js", lines: 1, characters: 16 };
  expect(weighHolders([held], ["return undefined"], committed).isBad).toBe(false);
  expect(weighHolders([held], ["return undefined", "return undefined + 1"], committed).isBad).toBe(false);
});

test("a hunk is searched with one line before and after", () => {
  const patch = `diff --git a/a.rb b/a.rb
--- a/a.rb
+++ b/a.rb
@@ -1,4 +1,4 @@ class A
 def ready?
-  true
+  false
 end
 def other
diff --git a/test.rb b/test.rb
@@ -1 +1 @@
+x
`;
  expect(hunkTexts(patch, ["a.rb"])).toEqual(["def ready?\n  false\nend"]);
});

test("a hunk of imports is not searched", () => {
  const patch = `diff --git a/a.py b/a.py
--- a/a.py
+++ b/a.py
@@ -1,2 +1,3 @@
 import os
+import re
 import sys
@@ -9,2 +10,2 @@ def read(text):
-    return text
+    return re.sub(" ", "", text)
`;
  expect(hunkTexts(patch, ["a.py"])).toEqual(['    return re.sub(" ", "", text)']);
});

test.each([
  ["import os", true],
  ["from a.b import (c, d)", true],
  ['const a = require("a");', true],
  ["require_relative 'a'", true],
  ["use std::fmt::{self, Debug};", true],
  ["#include <vector>", true],
  ['\t"strings"', true],
  ["} from './a.js';", true],
  ["return importer(a);", false],
  ["user = read(a)", false],
  ["const a = read(b);", false],
])("%s only imports: %s", (text, expected) => {
  expect(isImport(text)).toBe(expected);
});

test("a search that was stopped says so", () => {
  const found = weighHolders([], lines, committed);
  expect(tellSearch(found, { isWhole: true })).toEqual(found);
  expect(tellSearch(found, { isWhole: false })).toMatchObject({
    score: 0.5,
    isBad: false,
    reason: "no other file contains a distinctive line of the fix, but the search ended early, after 90 s",
  });
});

const line = "return amount <= available";

function makeFolder() {
  const folder = mkdtempSync(join(tmpdir(), "leak-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const run = (...command: readonly string[]): string =>
    execFileSync(command[0] ?? "", command.slice(1), { cwd: folder, encoding: "utf8" });
  return { folder, run };
}

test("the fix is found in archives, and in commits and dangling files that the base does not have", () => {
  const { folder, run } = makeFolder();
  const git = (directory: string, ...more: readonly string[]): string =>
    run("git", "-C", directory, "-c", "user.name=A", "-c", "user.email=a@example.invalid", ...more);
  writeFileSync(join(folder, "lines"), `${line}\n`);
  mkdirSync(join(folder, "inner"));
  writeFileSync(join(folder, "inner", "a.py"), `def f():\n    ${line}\n`);
  run("tar", "-czf", "inner.tgz", "inner");
  run("python3", "-m", "zipfile", "-c", "inner.whl", "inner/a.py");
  run("tar", "-czf", "old.tgz", "--exclude=a.py", "inner");
  git(".", "init", "-q", "mirror");
  run("cp", "inner/a.py", "mirror/a.py");
  git("mirror", "add", "-A");
  git("mirror", "commit", "-qm", "Fix it");
  git(".", "init", "-q", "dropped");
  run("cp", "inner/a.py", "dropped/a.py");
  git("dropped", "add", "-A");
  git("dropped", "reset", "-q");
  run("rm", "-r", "inner", "mirror/a.py", "dropped/a.py");
  const found = readHolders(run("sh", "-c", search, "sh", "lines"));
  expect(found.map(({ path }) => path).sort()).toEqual([
    "dropped/.git",
    "inner.tgz",
    "inner.whl",
    "lines",
    "mirror/.git",
  ]);
});

test("a copy in another layout is found by its name", () => {
  const { folder, run } = makeFolder();
  writeFileSync(join(folder, "texts"), "functionready(){returnfalse;}\n");
  writeFileSync(join(folder, "ledger.min.js"), "function ready(){return false;}function other(){}");
  writeFileSync(join(folder, "unrelated.js"), "function ready(){return false;}");
  expect(readHolders(run("sh", "-c", searchSqueezed, "sh", "texts", "ledger"))).toEqual([
    { path: "ledger.min.js", lines: 1, characters: 29 },
  ]);
});
