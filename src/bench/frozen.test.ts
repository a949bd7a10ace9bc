import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { freezeEnvironment } from "./frozen.ts";
import { type ThawRequest, thawEnvironment } from "./thaw.ts";

const { signal } = new AbortController();

function start() {
  const root = mkdtempSync(join(tmpdir(), "frozen-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const checkOut = (name: string): string => {
    const folder = join(root, name);
    mkdirSync(join(folder, "src"), { recursive: true });
    writeFileSync(join(folder, "src", "app.py"), "tracked\n");
    const git = (...args: string[]) => execFileSync("git", args, { cwd: folder });
    git("init", "-q");
    git("add", "-A");
    return folder;
  };
  const store = join(root, "store");
  const freeze = (repository: string, secrets: string[] = []) =>
    freezeEnvironment({ folder: store, key: "key", repository, secrets, signal });
  const thaw = (repository: string, findPython?: ThawRequest["findPython"], key = "key") =>
    thawEnvironment({ folder: store, key, repository, findPython, signal });
  const manifest = join(store, "environments/key.json");
  const changeManifest = (from: string, to: string) =>
    writeFileSync(
      manifest,
      readFileSync(manifest, "utf8").replace(from, () => to),
    );
  const listObjects = () =>
    readdirSync(join(store, "objects"), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  return { root, store, checkOut, freeze, thaw, manifest, changeManifest, listObjects };
}

function write(path: string, content: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
}

function setUp(folder: string): void {
  write(join(folder, ".venv/bin/pytest"), `#!${folder}/.venv/bin/python\nmain()\n`);
  chmodSync(join(folder, ".venv/bin/pytest"), 0o755);
  symlinkSync("/old/place/bin/python3.11", join(folder, ".venv/bin/python"));
  symlinkSync("python", join(folder, ".venv/bin/python3"));
  symlinkSync(join(folder, "src"), join(folder, ".venv/own"));
  write(join(folder, ".venv/pyvenv.cfg"), "home = /old/place/bin\nversion = 3.11.7\n");
  write(join(folder, "src/compiled.bin"), `\0\xff${folder}`);
  write(join(folder, "node_modules/a/index.js"), "same\n");
  write(join(folder, "node_modules/b/index.js"), "same\n");
  mkdirSync(join(folder, "node_modules/empty"));
}

test("an environment is made again from the store, in another place and with this machine's program", async () => {
  const { root, checkOut, freeze, thaw } = start();
  const first = checkOut("first$&");
  setUp(first);
  const size = await freeze(first);
  expect(size).toMatchObject({ files: 5 });
  expect(size.contents.size, "equal files are stored once").toBe(4);
  const binary = readFileSync(join(first, "src/compiled.bin"));
  rmSync(first, { recursive: true });

  const second = checkOut("second$&");
  const program = join(root, "here/python3.11");
  const found: string[] = [];
  await thaw(second, (...asked) => {
    found.push(...asked);
    return program;
  });

  expect(found).toEqual(["/old/place/bin/python3.11", "3.11"]);
  expect(readFileSync(join(second, ".venv/bin/pytest"), "utf8")).toBe(
    `#!${second}/.venv/bin/python\nmain()\n`,
  );
  expect(statSync(join(second, ".venv/bin/pytest")).mode & 0o111).not.toBe(0);
  expect(readlinkSync(join(second, ".venv/bin/python"))).toBe(program);
  expect(readlinkSync(join(second, ".venv/bin/python3"))).toBe("python");
  expect(readlinkSync(join(second, ".venv/own"))).toBe(join(second, "src"));
  expect(readFileSync(join(second, ".venv/pyvenv.cfg"), "utf8")).toBe(
    `home = ${join(root, "here")}\nversion = 3.11.7\n`,
  );
  expect(readFileSync(join(second, "src/compiled.bin")), "compiled files keep their bytes").toEqual(binary);
  expect(readdirSync(join(second, "node_modules"))).toEqual(["a", "b", "empty"]);
});

test("in an image, and outside of a virtual environment, links stay as they are", async () => {
  const { checkOut, freeze, thaw } = start();
  const first = checkOut("first");
  setUp(first);
  symlinkSync("/gone/tool", join(first, "tool"));
  symlinkSync("/gone/python3", join(first, "python3"));
  await freeze(first);
  const second = checkOut("second");
  await thaw(second, undefined);
  expect(readlinkSync(join(second, ".venv/bin/python"))).toBe("/old/place/bin/python3.11");
  expect(readFileSync(join(second, ".venv/pyvenv.cfg"), "utf8")).toContain("home = /old/place/bin\n");
  const third = checkOut("third");
  await thaw(third, (named) => named);
  expect(readlinkSync(join(third, "tool"))).toBe("/gone/tool");
  expect(readlinkSync(join(third, "python3"))).toBe("/gone/python3");
});

test("missing environments and programs, and damaged contents and lists are named", async () => {
  const { checkOut, freeze, thaw, manifest, listObjects } = start();
  const first = checkOut("first");
  setUp(first);
  await freeze(first);
  await expect(thaw(checkOut("second"), undefined, "other")).rejects.toThrow(
    "does not contain this environment",
  );
  const third = checkOut("third");
  await expect(thaw(third, () => undefined)).rejects.toThrow("needs Python 3.11 (/old/place/bin/python3.11)");
  expect(readdirSync(third).sort(), "nothing is laid before").toEqual([".git", "src"]);
  for (const path of listObjects()) appendFileSync(path, "x");
  await expect(thaw(checkOut("fourth"))).rejects.toThrow("is damaged");
  writeFileSync(manifest, "{");
  await expect(thaw(checkOut("fifth"))).rejects.toThrow("is damaged");
});

test("storing again repairs damaged and missing contents and a damaged list", async () => {
  const { store, checkOut, freeze, thaw, manifest, listObjects } = start();
  const first = checkOut("first");
  setUp(first);
  const size = await freeze(first);
  const [one = "", two = "", ...others] = listObjects();
  appendFileSync(one, "x");
  rmSync(two);
  expect(await freeze(first)).toEqual(size);
  expect(listObjects().sort()).toEqual([one, two, ...others].sort());
  await thaw(checkOut("second"), (named) => named);
  writeFileSync(manifest, "{");
  write(join(store, "unfinished/left"), "by a killed process");
  expect(await freeze(first)).toEqual(size);
  expect(existsSync(join(store, "unfinished"))).toBe(false);
  await thaw(checkOut("third"), (named) => named);
});

test.each([
  "../outside",
  "/tmp/outside",
  ".git/hooks/post-checkout",
  "./.git/hooks/post-checkout",
  "src/.GIT/config",
  "src//extra",
  "linked/outside",
  "linked/made/deep/outside",
  "git/hooks/pre-commit",
])("a stored environment writes nothing outside of the project: %s", async (path) => {
  const { root, checkOut, freeze, thaw, changeManifest } = start();
  const folder = checkOut("first");
  write(join(folder, "extra"), "text");
  await freeze(folder);
  changeManifest('"path":"extra"', `"path":"${path}"`);
  const other = checkOut("other");
  symlinkSync(root, join(other, "linked"));
  symlinkSync(".git", join(other, "git"));
  await expect(thaw(other)).rejects.toThrow("outside the project's files");
  expect(existsSync(join(root, "made"))).toBe(false);
});

test("a virtual environment's settings are changed only in the environment", async () => {
  const { root, checkOut, freeze, thaw, changeManifest } = start();
  const victim = join(root, "victim.cfg");
  writeFileSync(victim, "home = /a\nversion = 3.11.7\n");
  const first = checkOut("first");
  setUp(first);
  write(join(first, ".venv/other"), "home = /a\nversion = 3.11.7\n");
  await freeze(first);
  changeManifest('"kind":"link","path":".venv/own"', '"kind":"link","path":".venv/pyvenv.cfg"');
  changeManifest(`"target":"@MILLWRIGHT-ENVIRONMENT@/src"`, `"target":"${victim}"`);
  await expect(thaw(checkOut("other"), () => "/here/python3.11")).rejects.toThrow(
    "a path that the commit also has",
  );
  expect(readFileSync(victim, "utf8")).toBe("home = /a\nversion = 3.11.7\n");
});

test("a file that the commit has is not written over", async () => {
  const { checkOut, freeze, thaw, changeManifest } = start();
  const first = checkOut("first");
  write(join(first, "extra"), "text");
  await freeze(first);
  changeManifest('"path":"extra"', '"path":"src/app.py"');
  await expect(thaw(checkOut("other"))).rejects.toThrow(
    expect.objectContaining({ code: "repository", message: expect.stringContaining("src/app.py") }),
  );
});

test("names that are not UTF-8, and git folders inside, do not stop the freezing", async () => {
  const { checkOut, freeze, thaw } = start();
  const first = checkOut("first");
  const name = Buffer.from("\xe9t\xe9", "latin1");
  const inside = (folder: string) => Buffer.concat([Buffer.from(`${folder}/made/`), name]);
  write(join(first, "made/vendored/.git/config"), "");
  write(join(first, "made/vendored/code"), "");
  writeFileSync(inside(first), "text");
  symlinkSync(name, join(first, "made/link"));
  await freeze(first);
  const second = checkOut("second");
  await thaw(second);
  expect(readFileSync(inside(second), "utf8")).toBe("text");
  expect(readlinkSync(join(second, "made/link"), "buffer")).toEqual(name);
  expect(readdirSync(join(second, "made/vendored"))).toEqual(["code"]);
});

test("a text with a secret is not stored", async () => {
  const { checkOut, freeze, manifest } = start();
  const first = checkOut("first");
  write(join(first, "made/.npmrc"), "//registry.example.com/:_authToken=t0ken-ünsafe\n");
  await expect(freeze(first, ["t0ken-ünsafe"])).rejects.toThrow(
    "made/.npmrc contains the value of a setup variable",
  );
  expect(existsSync(manifest)).toBe(false);
});

test("an interrupt ends the freezing and the laying", async () => {
  const { store, checkOut, freeze } = start();
  const first = checkOut("first");
  setUp(first);
  await freeze(first);
  const stopped = { folder: store, key: "key", signal: AbortSignal.abort() };
  await expect(freezeEnvironment({ ...stopped, repository: first, secrets: [] })).rejects.toThrow("abort");
  const laying = { ...stopped, repository: checkOut("second"), findPython: undefined };
  await expect(thawEnvironment(laying)).rejects.toThrow("abort");
});
