/** A shell in a checkout, in every sandbox that works here. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { runShell } from "../../src/workspace/run-shell.ts";
import { makeRepository, openTestWorkspace, usableSandboxes } from "./workspace-fixture.ts";

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
