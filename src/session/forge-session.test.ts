import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { forgeOutside } from "./forge-session.ts";
import { settingsSchema } from "./settings.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "millwright-forge-"));
  mkdirSync(join(folder, "target"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function forge(directory: string): Promise<unknown> {
  const target = join(realpathSync(folder), "target");
  const { signal } = new AbortController();
  const host = { environment: {}, onNotice() {} };
  return forgeOutside({
    host,
    directory,
    target,
    packages: [],
    about: "",
    settings: settingsSchema.parse({}),
    signal,
  });
}

test("nothing is written over, or into the target, and nothing is left where nothing was made", async () => {
  await expect(forge(folder)).rejects.toThrow(`${folder} already exists`);
  const inside = join(folder, "target", "more", "try");
  await expect(forge(inside)).rejects.toThrow("is inside the target");
  expect(existsSync(join(folder, "target", "more"))).toBe(false);
});
