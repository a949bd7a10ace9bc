/** Work behind other work, in each real sandbox that keeps it apart. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { putBehind, turnsIn } from "../../src/workspace/behind.ts";
import { makeRepository, openTestWorkspace, usableSandboxes } from "./workspace-fixture.ts";

const apart = usableSandboxes.filter(({ provider }) => provider.boundary);

test.runIf(apart.length === 0)("there is no sandbox here that keeps work apart", ({ skip }) => {
  skip("neither bubblewrap nor Docker works here");
});

test.for(apart)(
  "in $name a command behind others stops while one of them runs, goes on after it, and keeps its exit code",
  async (sandbox) => {
    const workspace = await openTestWorkspace(makeRepository({ "a.txt": "a\n" }), sandbox);
    const checkout = await workspace.openCheckout();
    const { inside, host } = checkout.scratch;
    const count = (): number => {
      const path = join(host, "count");
      return existsSync(path) ? readFileSync(path, "utf8").length : 0;
    };
    const script = `while [ ! -e ${inside}/stop ]; do printf x >>${inside}/count; sleep 0.05; done; exit 7`;
    const { run, env } = putBehind({ run: script, env: {} }, checkout);
    const turns = turnsIn(workspace.directory);
    const ended = turns.behind(checkout, () => checkout.execute({ run, env, timeoutMs: 120_000 }));
    while (count() === 0) await sleep(20);
    await turns.first(async () => {
      for (let before = -1; before !== count(); await sleep(1_000)) before = count();
    });
    const stopped = count();
    while (count() === stopped) await sleep(20);
    writeFileSync(join(host, "stop"), "");
    expect((await ended).exitCode).toBe(7);
  },
);

test.runIf(process.getuid?.() === 0).for(apart)(
  "in $name a command behind others has the usual priority while somebody waits for it",
  async (sandbox) => {
    const workspace = await openTestWorkspace(makeRepository({ "a.txt": "a\n" }), sandbox);
    const checkout = await workspace.openCheckout();
    const { inside, host } = checkout.scratch;
    const niceness = `cut -d " " -f 19 /proc/$$/stat >${inside}/nice`;
    const script = `while [ ! -e ${inside}/stop ]; do ${niceness}; sleep 0.05; done`;
    const { run, env } = putBehind({ run: ["sh", "-c", script], env: {} }, checkout);
    const turns = turnsIn(workspace.directory);
    const ended = turns.behind(checkout, () => checkout.execute({ run, env, timeoutMs: 120_000 }));
    const path = join(host, "nice");
    const reach = async (value: string): Promise<void> => {
      while (!existsSync(path) || readFileSync(path, "utf8").trim() !== value) await sleep(20);
    };
    await reach("10");
    await turns.awaited(() => reach("0"));
    writeFileSync(join(host, "stop"), "");
    expect((await ended).exitCode).toBe(0);
  },
);
