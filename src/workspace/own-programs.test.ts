import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { keepOwnPrograms } from "./own-programs.ts";

const environment = { PATH: process.env["PATH"] ?? "/usr/bin:/bin" };

/** A runtime whose program for Go is made by these lines. */
function open(build: string) {
  const root = mkdtempSync(join(tmpdir(), "own-programs-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const runtimeDirectory = join(root, "runtime");
  mkdirSync(join(runtimeDirectory, "go"), { recursive: true });
  const script = `[ $# -gt 0 ] || { echo 1; exit; }\necho built >>${root}/log\n${build}\n`;
  writeFileSync(join(runtimeDirectory, "go", "build.sh"), script);
  const folder = join(root, "programs");
  return {
    root,
    folder,
    sources: join(runtimeDirectory, "go"),
    openAgain: () => keepOwnPrograms({ folder, runtimeDirectory, environment }),
    builds: () => readFileSync(join(root, "log"), "utf8").split("\n").length - 1,
  };
}

test("a program is compiled once for all that ask, now and later, and again when a source changes", async () => {
  const { folder, sources, openAgain, builds } = open('echo hello >"$1/driver"');
  const programs = openAgain();
  const names = await Promise.all([programs?.find("go"), programs?.find("go"), openAgain()?.find("go")]);
  const [name = ""] = names;
  expect(new Set(names).size).toBe(1);
  expect(readFileSync(join(folder, name, "driver"), "utf8")).toBe("hello\n");
  const before = builds();
  mkdirSync(join(sources, "__pycache__")); // what an interpreter leaves beside them is no source
  expect(await openAgain()?.find("go")).toBe(name);
  expect(builds()).toBe(before);
  writeFileSync(join(sources, "main.go"), "package main");
  expect(await openAgain()?.find("go")).not.toBe(name);
  expect(builds()).toBe(before + 1);
});

test("what cannot be compiled is not there, and leaves nothing", async () => {
  const { folder, openAgain } = open('echo half >"$1/driver"; exit 1');
  expect(await openAgain()?.find("go")).toBeUndefined();
  expect(await openAgain()?.find("rust")).toBeUndefined();
  expect(readdirSync(folder)).toEqual([]);
});

test("a folder that cannot be made is no error", () => {
  const { root } = open("true");
  writeFileSync(join(root, "file"), "");
  expect(
    keepOwnPrograms({ folder: join(root, "file", "programs"), runtimeDirectory: root, environment }),
  ).toBeUndefined();
});
