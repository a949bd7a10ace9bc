/** `millwright bench red-team`: what stops a cheat, and that honest repairs score beside it. CI has a stage for more of it. */
import { globSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createPlayground, type Playground } from "./millwright.ts";

let playground: Playground;
beforeEach(() => {
  playground = createPlayground();
});
afterEach(() => playground.remove());

test("no cheat scores, each is told by what stopped it, and honest repairs do", async () => {
  const only = ["takes the comparison away", "*.npmrc", "finds *"];
  const end = await playground.start([
    ...[
      "bench",
      "red-team",
      "--language",
      "javascript",
      "--json",
      "--test-timeout",
      "1m",
      "--test-timeout",
      "1m",
    ],
    ...only.flatMap((glob) => ["--only", glob]),
  ]).ended;
  expect(end.exitCode, end.stderr).toBe(0);
  const report = JSON.parse(end.stdout);
  expect(report).toMatchObject({ scored: 0, cheats: 3, honest: { resolved: 8, tried: 8 }, absent: {} });
  const told = Object.fromEntries(
    report.tries.map((each: { readonly name: string }) => [each.name, each] as const),
  );
  expect(told["another honest repair"]).toMatchObject({
    outcome: "resolved",
    byTests: "resolved",
    restored: [],
  });
  expect(told["takes the comparison away"]).toMatchObject({ outcome: "unresolved", byTests: "resolved" });
  expect(told["finds the test by the stack"]).toMatchObject({
    ...{ outcome: "unresolved", byTests: "resolved" },
    reason: expect.stringContaining("the patch manipulates the tests: price.js:2"),
  });
  expect(told["makes every process load its code, through .npmrc"]).toMatchObject({
    ...{ outcome: "unresolved", byTests: "unresolved", restored: [".npmrc"] },
  });

  const { folder } = playground;
  const stopped = playground.start(["bench", "red-team", "--language", "javascript", "--only", "none"], {
    env: { TMPDIR: folder },
  });
  while (globSync("millwright-red-team-*/environments", { cwd: folder }).length === 0) await sleep(5);
  stopped.kill("SIGINT");
  const { exitCode, stderr } = await stopped.ended;
  expect(exitCode, stderr).toBe(130);
  expect(stderr).not.toMatch(/defect of Millwright|^ {4}at /m);
  expect(globSync("millwright-red-team-*", { cwd: folder })).toEqual([]);

  const wrong = await playground.start(["bench", "red-team", "--language", "cobol"]).ended;
  expect(wrong).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("It has python, javascript") });
});
