import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { largestText, openTextFiles } from "./text-files.ts";

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
  truncateSync(join(repository, "huge.sql"), largestText + 1);
  symlinkSync("../secret.txt", join(repository, "link.txt"));
  symlinkSync("..", join(repository, "up"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readText = (path: string) => openTextFiles(repository, folder).read(path);

test("a text is read as it is", async () => {
  expect(await readText("src/ä b.py")).toEqual({ ok: true, value: "\ufeffx = 'ä'\r\n" });
});

test.for(["src/b.py", "lib/a.py"])("%s is not there", async (path) => {
  expect(await readText(path)).toEqual({ ok: true, value: undefined });
});

test.for([
  ["../secret.txt", "outside the repository"],
  ["/etc/passwd", "outside the repository"],
  ["src/../../secret.txt", "outside the repository"],
  ["link.txt", "outside the repository through a link"],
  ["up/secret.txt", "outside the repository through a link"],
  ["src/ä b.py/c", "is a file"],
  [".git/config", "belongs to git"],
  ["picture.png", "binary"],
  ["latin.txt", "UTF-8"],
  ["huge.sql", "too large"],
  ["src", "is a folder"],
  ["", "not a path"],
  ["src//b.py", "not a path"],
  ['"q".txt', "quotation mark"],
  [`src/${"n".repeat(300)}/b.py`, "too long"],
  ["a\tb.py", "control character"],
] as const)("%s is refused: %s", async ([path, reason]) => {
  const read = await readText(path);
  expect(read).toMatchObject({ ok: false, kind: "refused", message: expect.stringContaining(reason) });
});
