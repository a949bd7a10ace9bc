import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeFolders } from "./make-folders.ts";

test("folders are made as deep as needed, and those that are there are taken", async () => {
  const root = mkdtempSync(join(tmpdir(), "millwright-folders-"));
  try {
    await makeFolders(join(root, "a", "b", "c"));
    await makeFolders(join(root, "a", "b"));
    expect(existsSync(join(root, "a", "b", "c"))).toBe(true);
    writeFileSync(join(root, "file"), "");
    await expect(makeFolders(join(root, "file", "below"))).rejects.toMatchObject({ code: "ENOTDIR" });
    await expect(makeFolders(join(root, "file"))).rejects.toMatchObject({ code: "EEXIST" });
  } finally {
    rmSync(root, { recursive: true });
  }
});

test("a place where no folder can be made is an error, not an endless loop", async () => {
  await expect(makeFolders("/proc/millwright/runs")).rejects.toMatchObject({ code: "ENOENT" });
});
