import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
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

test.each([
  ['[source.mirror]\nregistry = "sparse+https://mirror.example/index/"\n', true],
  ['[registries.own]\nindex = "ssh://git@host.example/index"\n', true],
  ['[registry]\ntoken = "abc"\n', false],
  ['registries.own = { index = "https://host.example", token = "abc" }\n', false],
  ['[registries.own]\nsecret-key = "k3.abc"\n', false],
  ['[http]\nproxy = "http://user:abc@proxy.example"\n', false],
])("Cargo's configuration %j is shown: %s", async (text, isShown) => {
  vi.stubEnv("HOME", folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  mkdirSync(join(folder, ".cargo"));
  writeFileSync(join(folder, ".cargo/config.toml"), text);
  const { folders } = await findHostView({ mounts: [], virtualEnvironment: undefined });
  expect(folders.some(({ target }) => target === join(folder, ".cargo/config.toml"))).toBe(isShown);
});
