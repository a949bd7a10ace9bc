import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { forgeOutside } from "./forge-session.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-forge-"));
  mkdirSync(join(folder, "target"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function forge(directory: string): Promise<unknown> {
  const target = join(folder, "target");
  const { signal } = new AbortController();
  return forgeOutside({ directory, target, packages: [], about: "", settingFlags: {}, signal });
}

test("nothing is written over, or into the target, and nothing is left where nothing was made", async () => {
  await expect(forge(folder)).rejects.toThrow(`${folder} exists`);
  const inside = join(folder, "target", "more", "try");
  await expect(forge(inside)).rejects.toThrow("is inside of the target");
  expect(existsSync(join(folder, "target", "more"))).toBe(false);
});
