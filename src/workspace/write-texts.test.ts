import {
  chmodSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { largestText, openTextFiles } from "./text-files.ts";
import { writeTexts } from "./write-texts.ts";

let folder = "";
let repository = "";
let directory = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-texts-"));
  repository = join(folder, "repository");
  directory = join(folder, "ours");
  mkdirSync(repository);
  mkdirSync(directory);
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function put(path: string, content: string | Buffer, mode = 0o644): void {
  mkdirSync(join(repository, path, ".."), { recursive: true });
  writeFileSync(join(repository, path), content);
  chmodSync(join(repository, path), mode);
}

const read = (path: string): string => readFileSync(join(repository, path), "utf8");
const write = (changes: Parameters<typeof writeTexts>[0]["changes"]) =>
  writeTexts({ repository, directory, changes });

test("texts are written with the bytes that they have, and files keep their modes", async () => {
  put("run.sh", "\ufeffa\r\nb", 0o750);
  const written = await write([{ path: "run.sh", before: "\ufeffa\r\nb", after: "\ufeffa\r\nc" }]);
  expect(written).toMatchObject({ ok: true, value: ["run.sh"] });
  expect(read("run.sh")).toBe("\ufeffa\r\nc");
  expect(statSync(join(repository, "run.sh")).mode & 0o777).toBe(0o750);
  expect(readdirSync(repository)).toEqual(["run.sh"]);
  expect(readdirSync(directory)).toEqual([]);
});

test("files are made with their folders, renamed with their mode, and removed with folders that are empty then", async () => {
  put("old/a.sh", "a\n", 0o755);
  put("gone/b", "b\n");
  const written = await write([
    { path: "new/deep/a.sh", from: "old/a.sh", before: "a\n", after: "z\n" },
    { path: "gone/b", before: "b\n", after: undefined },
    { path: "c/d", before: undefined, after: "d\n" },
  ]);
  expect(written).toMatchObject({ ok: true });
  expect(readdirSync(repository).sort()).toEqual(["c", "new"]);
  expect([read("new/deep/a.sh"), read("c/d")]).toEqual(["z\n", "d\n"]);
  expect(statSync(join(repository, "new/deep/a.sh")).mode & 0o111).toBe(0o111);
});

test("nothing is written when one of the files has changed meanwhile", async () => {
  put("a", "a\n");
  put("b", "other\n");
  const written = await write([
    { path: "a", before: "a\n", after: "x\n" },
    { path: "b", before: "b\n", after: "y\n" },
  ]);
  expect(written).toMatchObject({ ok: false, kind: "changed-since" });
  expect(read("a")).toBe("a\n");
});

test.each([
  ["../outside", /could lead outside/],
  ["/etc/passwd", /is outside/],
  [".git/config", /belongs to git/],
  ["link", /leads outside the repository through a link/],
  ["linked/file", /leads outside the repository through a link/],
  ["inner", /leads through the link inner to a: edit the file there/],
  ["folder", /is a folder/],
  ["a/b", /a is a file/],
  ["binary", /is binary/],
  ["latin1", /is binary, or not UTF-8/],
  ["large", /is too large/],
  ["a//b", /is not a path/],
])("%s is neither read nor written", async (path, reason) => {
  put("a", "a\n");
  put("binary", Buffer.from([65, 0, 66]));
  put("latin1", Buffer.from([0xe9, 0x0a]));
  put("large", Buffer.alloc(largestText + 1, 65));
  mkdirSync(join(repository, "folder"));
  mkdirSync(join(folder, "elsewhere"));
  writeFileSync(join(folder, "secret"), "s\n");
  symlinkSync(join(folder, "secret"), join(repository, "link"));
  symlinkSync("../elsewhere", join(repository, "linked"));
  symlinkSync("a", join(repository, "inner"));
  const answer = await openTextFiles(repository, directory).read(path);
  expect(answer).toMatchObject({ ok: false, kind: "refused", message: expect.stringMatching(reason) });
  if (!/binary|large/.test(path) && path !== "latin1")
    expect(await write([{ path, before: undefined, after: "x\n" }])).toMatchObject({ ok: false });
});

test("a file that is not there is no failure, and other names of a file keep its old text", async () => {
  put("a", "a\n");
  linkSync(join(repository, "a"), join(folder, "second"));
  const files = openTextFiles(repository, directory);
  expect(await files.read("b")).toEqual({ ok: true, value: undefined });
  expect(await files.list()).toEqual(["a"]);
  await write([{ path: "a", before: "a\n", after: "x\n" }]);
  expect(readFileSync(join(folder, "second"), "utf8")).toBe("a\n");
});
