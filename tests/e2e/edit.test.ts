import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlayground, fingerprint, type Playground } from "./millwright.ts";

let playground: Playground;
let repository = "";

beforeEach(() => {
  playground = createPlayground();
  repository = join(playground.folder, "repository");
  mkdirSync(repository);
  writeFileSync(join(repository, "run.py"), "#!/usr/bin/env python3\r\ndef f(a):\r\n    return a\r\n");
  chmodSync(join(repository, "run.py"), 0o755);
  writeFileSync(join(repository, "notes.txt"), "one\ntwo");
});

afterEach(() => playground.remove());

const block = (path: string, original: string, replacement: string): string =>
  `${path}\n<<<<<<< ORIGINAL\n${original}\n=======\n${replacement}\n>>>>>>> UPDATED\n`;

async function edit(reply: string, ...flags: readonly string[]) {
  const file = join(playground.folder, "reply.txt");
  writeFileSync(file, reply);
  return playground.start(["edit", file, "--repo", repository, ...flags]).ended;
}

test("the diff is printed and nothing written, until --apply; git takes the diff for the same files", async () => {
  const reply = block("run.py", "return a", "return -a") + block("notes.txt", "two", "three\nfour");
  const untouched = fingerprint(repository);
  const printed = await edit(reply, "--check", "off");
  expect(printed.exitCode).toBe(0);
  expect(fingerprint(repository)).toBe(untouched);

  const second = join(playground.folder, "second");
  execFileSync("cp", ["-a", repository, second]);
  execFileSync("git", ["init", "-q"], { cwd: second });
  execFileSync("git", ["apply", "-"], { cwd: second, input: printed.stdout });
  const applied = await edit(reply, "--apply", "--json", "--check", "off");
  expect(JSON.parse(applied.stdout)).toMatchObject({
    schema: "millwright.edit/1",
    ok: true,
    applied: true,
    files: [
      { path: "run.py", change: "changed" },
      { path: "notes.txt", change: "changed" },
    ],
    diff: printed.stdout,
  });
  for (const name of ["run.py", "notes.txt"])
    expect(readFileSync(join(repository, name))).toEqual(readFileSync(join(second, name)));
  expect(readFileSync(join(repository, "notes.txt"), "utf8")).toBe("one\nthree\nfour");
  expect(statSync(join(repository, "run.py")).mode & 0o777).toBe(0o755);
});

test("one edit that does not fit, or may not be made, keeps all from being written", async () => {
  writeFileSync(join(playground.folder, "secret.txt"), "secret\n");
  symlinkSync(join(playground.folder, "secret.txt"), join(repository, "out.txt"));
  writeFileSync(join(repository, "image.bin"), Buffer.from([1, 0, 2]));
  const untouched = fingerprint(playground.folder);
  const good = block("notes.txt", "two", "three");
  const bad = [
    [block("out.txt", "secret", "x"), "leads outside the repository through a link"],
    [block("../secret.txt", "secret", "x"), "could lead outside"],
    [block("image.bin", "a", "x"), "is binary"],
    [block("run.py", "return a", "return (a"), "causes a syntax error"],
    [block("notes.txt", "something else", "x"), "Read the file and copy the lines from it"],
  ] as const;
  for (const [reply, reason] of bad) {
    const { exitCode, stdout, stderr } = await edit(good + reply, "--apply");
    expect([exitCode, stdout]).toEqual([11, ""]);
    expect(stderr).toContain(reason);
  }
  const left = fingerprint(playground.folder)
    .split("\n")
    .filter((line) => /repository|secret/.test(line));
  expect(left).toEqual(untouched.split("\n").filter((line) => /repository|secret/.test(line)));
});

test("a language server's new errors keep an edit from being made, unless they are only to be reported", async () => {
  const server = join(import.meta.dirname, "../fixtures/odd-language-server.mjs");
  const odd = {
    command: [process.execPath, server, "good", "{scratch}"],
    languages: { ".txt": "text" },
    readiness: "at-once",
  };
  writeFileSync(join(repository, "millwright.config.json"), JSON.stringify({ languageServers: { odd } }));
  const reply = block("notes.txt", "two", "bad");
  const refused = await edit(reply, "--apply", "--json", "--sandbox", "local");
  expect(refused.exitCode).toBe(11);
  expect(JSON.parse(refused.stdout)).toMatchObject({
    ok: false,
    problems: [{ kind: "diagnostics", path: "notes.txt", message: expect.stringContaining("notes.txt:1") }],
    checkedBy: "odd",
    newErrors: [expect.stringContaining("bad")],
  });
  expect(readFileSync(join(repository, "notes.txt"), "utf8")).toBe("one\ntwo");
  const reported = await edit(reply, "--check", "report", "--sandbox", "local");
  expect(reported.exitCode).toBe(0);
  expect(reported.stderr).toMatch(/checked by odd\nnew error: notes\.txt:1/);
  const unasked = await edit(reply, "--apply", "--check", "off");
  expect(unasked.stderr).toBe("no language server checked the edits (--check off)\n");
  expect(readFileSync(join(repository, "notes.txt"), "utf8")).toBe("one\nbad");
});

test("where no server knows the file, that is said", async () => {
  const { exitCode, stderr } = await edit(block("notes.txt", "two", "three"));
  expect(exitCode).toBe(0);
  expect(stderr).toBe("checked by nobody: No language server is installed for .txt.\n");
});
