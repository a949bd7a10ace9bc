/** A shell in a checkout, in every sandbox that works here. */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { runShell } from "../../src/workspace/run-shell.ts";
import {
  makeFolder,
  makeRepository,
  openTestWorkspace,
  usableSandboxes,
  writeFiles,
} from "./workspace-fixture.ts";

const isThere = (program: string): boolean => spawnSync("which", [program]).status === 0;
/** Shown read-only where the sandbox has walls. */
const userCache = "/etc/skel";

test.runIf(isThere("go")).each(usableSandboxes)(
  "in $name Go has a build cache that it can write: without one it builds nothing that depends on another module",
  async (sandbox) => {
    const workspace = await openTestWorkspace(makeRepository({ "part/go.mod": "module part\n" }), sandbox, {
      runtimeDirectory: join(import.meta.dirname, "../../src/languages/runtime"),
      hostEnvironment: { ...process.env, GOCACHE: userCache },
    });
    const checkout = await workspace.openCheckout();
    const text = 'cache=$(go env GOCACHE); touch "$cache/own" && rm "$cache/own"';
    const { signal } = new AbortController();
    const limits = { timeoutMs: 60_000, outputBytes: 10_000, signal };
    const ended = await runShell(checkout, { text, directory: "part", ...limits });
    expect(ended.exitCode, ended.stderr).toBe(0);
    expect(ended.directory).toBe("part");
  },
);

test.each(usableSandboxes.filter(({ mounts }) => mounts === "overlay"))(
  "in $name a checkout of a Go project changes the user's build cache for itself alone",
  async (sandbox) => {
    const home = makeFolder();
    const cache = join(home, ".cache/go-build");
    writeFiles(cache, { "00/entry": "user's\n" });
    vi.stubEnv("HOME", home);
    const workspace = await openTestWorkspace(makeRepository({ "part/go.mod": "module part\n" }), sandbox);
    const checkout = await workspace.openCheckout();
    const own = async (text: string) => {
      const { signal } = new AbortController();
      return runShell(checkout, { text, directory: "", timeoutMs: 60_000, outputBytes: 10_000, signal });
    };
    const changed = await own(`cd ${cache} && cat 00/entry && echo ours >> 00/entry && ls`);
    expect(changed).toMatchObject({ exitCode: 0, stdout: "user's\n00\ntrim.txt\n" });
    expect((await own(`cat ${cache}/00/entry`)).stdout).toBe("user's\nours\n");
    expect(readdirSync(cache)).toEqual(["00"]);
    expect(readFileSync(join(cache, "00/entry"), "utf8")).toBe("user's\n");
  },
);
