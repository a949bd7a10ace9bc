import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
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
import { freezeEnvironment, thawEnvironment } from "./frozen.ts";

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
  return { root, store: join(root, "store"), checkOut };
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
  const { root, store, checkOut } = start();
  const first = checkOut("first");
  setUp(first);
  const size = await freezeEnvironment(store, "key", first);
  expect(size).toMatchObject({ files: 5 });
  expect(size.contents.size, "equal files are stored once").toBe(4);
  const binary = readFileSync(join(first, "src/compiled.bin"));
  rmSync(first, { recursive: true });

  const second = checkOut("second");
  const program = join(root, "here/python3.11");
  write(program, "");
  const found: string[] = [];
  const findProgram = (name: string) => {
    found.push(name);
    return program;
  };
  await thawEnvironment({ folder: store, key: "key", repository: second, findProgram });

  expect(found).toEqual(["python3.11"]);
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

test("a damaged content and a missing program are named", async () => {
  const { store, checkOut } = start();
  const first = checkOut("first");
  setUp(first);
  await freezeEnvironment(store, "key", first);
  const thaw = (name: string, key = "key") =>
    thawEnvironment({ folder: store, key, repository: checkOut(name), findProgram: () => undefined });
  await expect(thaw("second", "other")).rejects.toThrow("does not contain this environment");
  await expect(thaw("third")).rejects.toThrow("needs the program python3.11");
  const objects = readdirSync(join(store, "objects"), { recursive: true, withFileTypes: true });
  for (const entry of objects.filter((each) => each.isFile()))
    appendFileSync(join(entry.parentPath, entry.name), "x");
  await expect(thaw("fourth")).rejects.toThrow("is damaged");
});

test.each(["../outside", "/tmp/outside", ".git/hooks/post-checkout", "linked/outside"])(
  "a stored environment writes nothing outside of the project: %s",
  async (path) => {
    const { root, store, checkOut } = start();
    const folder = checkOut("first");
    write(join(folder, "extra"), "text");
    await freezeEnvironment(store, "key", folder);
    const manifest = join(store, "environments/key.json");
    writeFileSync(manifest, readFileSync(manifest, "utf8").replace('"path":"extra"', `"path":"${path}"`));
    const other = checkOut("other");
    symlinkSync(root, join(other, "linked"));
    const request = { folder: store, key: "key", repository: other, findProgram: () => undefined };
    await expect(thawEnvironment(request)).rejects.toThrow("outside of the project");
  },
);
