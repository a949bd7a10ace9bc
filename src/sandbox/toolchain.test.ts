import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { findHostView } from "./toolchain.ts";

let folder: string;
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "toolchain-")));
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

test("the virtual environment that is active is shown, wherever it stands, and no other folder of that variable", async () => {
  const [active, other] = [join(folder, "active"), join(folder, "other")];
  for (const each of [active, other]) mkdirSync(each);
  writeFileSync(join(active, "pyvenv.cfg"), "");
  const shown = async (path: string): Promise<boolean> => {
    const { folders } = await findHostView({ mounts: [], virtualEnvironment: path });
    return folders.some(({ target }) => target === path);
  };
  expect([await shown(active), await shown(other), await shown("relative")]).toEqual([true, false, false]);
});
