import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { findPython } from "./find-python.ts";

function start() {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "python-")));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };
  const link = (target: string, path: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    symlinkSync(target, join(root, path));
  };
  return { root, write, link };
}

test("an old path is kept only if its Python has the environment's version", () => {
  const { root, write, link } = start();
  write("usr/bin/python3.13", "");
  link("python3.13", "usr/bin/python3");
  const named = join(root, "usr/bin/python3");
  expect(findPython(named, "3.13", "")).toBe(named);
  expect(findPython(named, "3.11", "")).toBeUndefined();
  expect(findPython(named, "3.1", "")).toBeUndefined();
  write("opt/bin/python3.11", "");
  expect(findPython(named, "3.11", `relative:${root}/usr/bin:${root}/opt/bin`)).toBe(
    join(root, "opt/bin/python3.11"),
  );
});

test("scripts, folders, other versions and other kinds are passed over, and links are resolved", () => {
  const { root, write, link } = start();
  write("a/python3.11/readme", "");
  write("b/python3.11", "#!/bin/sh\n");
  write("c/python3.12", "");
  link("python3.12", "c/python3.11");
  write("d/python3.11t", "");
  link("python3.11t", "d/python3");
  write("e/pypy3.11", "");
  write("real/bin/python3.11", "");
  link("../real/bin/python3.11", "venv/python3.11");
  const path = ["missing", "a", "b", "c", "d", "e", "venv"].map((name) => join(root, name)).join(":");
  expect(findPython("/gone/python3", "3.11", path)).toBe(join(root, "real/bin/python3.11"));
  expect(findPython("/gone/pypy3", "3.11", path)).toBe(join(root, "e/pypy3.11"));
  expect(findPython("/gone/python3.11t", "3.11", path)).toBe(join(root, "d/python3.11t"));
});
