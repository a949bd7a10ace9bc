import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readRepositoryText } from "./repository-texts.ts";

let folder: string;
let repository: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "texts-"));
  repository = join(folder, "repository");
  mkdirSync(join(repository, "src"), { recursive: true });
  writeFileSync(join(folder, "secret.txt"), "secret");
  writeFileSync(join(repository, "src/ä b.py"), "\ufeffx = 'ä'\r\n");
  writeFileSync(join(repository, "picture.png"), Buffer.from([137, 80, 0, 1]));
  writeFileSync(join(repository, "latin.txt"), Buffer.from([0x66, 0xfc, 0x72]));
  writeFileSync(join(repository, "huge.sql"), "");
  truncateSync(join(repository, "huge.sql"), 6 * 2 ** 20);
  symlinkSync("../secret.txt", join(repository, "link.txt"));
  symlinkSync("..", join(repository, "up"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("a text is read as it is", () => {
  expect(readRepositoryText(repository, "src/ä b.py")).toEqual({ ok: true, value: "\ufeffx = 'ä'\r\n" });
});

test.for(["src/b.py", "lib/a.py", "src/ä b.py/c"])("%s is not there", (path) => {
  expect(readRepositoryText(repository, path)).toEqual({ ok: true, value: undefined });
});

test.for([
  ["../secret.txt", "does not lie in the repository"],
  ["/etc/passwd", "does not lie in the repository"],
  ["src/../../secret.txt", "does not lie in the repository"],
  ["link.txt", "symbolic link"],
  ["up/secret.txt", "behind a symbolic link"],
  [".git/config", "belongs to git"],
  ["picture.png", "binary"],
  ["latin.txt", "UTF-8"],
  ["huge.sql", "larger than 5 MiB"],
  ["src", "is a folder"],
  ["", "no path"],
  ["src//b.py", "no path from"],
] as const)("%s is refused: %s", ([path, reason]) => {
  const read = readRepositoryText(repository, path);
  expect(read).toMatchObject({ ok: false, kind: "refused", message: expect.stringContaining(reason) });
});
