/**
 * The suite of MarsCode Agent in miniature: each variant on five tasks, a replayed model, and each table with its
 * numbers.
 */
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeRepository } from "./bench-fixture.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { ledgerScripts, writeFive } from "./suite-ledger.ts";
import { createMiniature, rowsOf } from "./suite-miniature.ts";

let playground: Playground;
beforeAll(() => {
  playground = createPlayground();
});
afterAll(() => playground.remove());

test("mars-lite replays all variants on five tasks, and prints each table with theirs and ours", {
  timeout: 600_000,
}, async () => {
  const suite = createMiniature(playground, "mars-lite");
  const dataset = "swe-bench";
  const tasks = writeFive(
    playground,
    makeRepository(playground, "repair-python", "acme/ledger", () => {}),
    dataset,
  );
  const { marscode, agentless, unified } = ledgerScripts;
  await suite.record(
    Object.entries({ marscode, agentless, unified }).map(([variant, answers]) => {
      return { variant, dataset, file: tasks.first, answers };
    }),
  );
  const tables = await suite.replay({ [dataset]: tasks.all });
  const [all, rate] = ["5 of 5 (100.0 %)", "3 of 5 (60.0 %)"];
  expect(rowsOf(tables, "Resolved tasks and localisation", "ours")).toEqual(
    ["marscode", "agentless", "unified"].map((variant) => [
      ...[`ours: ${variant}, replay:recording`, rate, all, all, "1.0 files, 3.0 lines"],
    ]),
  );
  expect(rowsOf(tables, "Table 2: dynamic and static repair", "ours")).toEqual([
    ["ours: marscode, replay:recording", "dynamic", "5", "3", "60.0"],
    ["ours: marscode, replay:recording", "static", "0", "0", "–"],
  ]);
  expect(await suite.print("out")).toEqual(tables);
});

test("a suite without tasks and without results prints the published figures, and says what to give", async () => {
  const start = (...args: readonly string[]) =>
    playground.start(["bench", "suite", "use-bench", "--out", "nothing", ...args], { cwd: playground.folder })
      .ended;
  const none = await start();
  expect(none.exitCode).toBe(0);
  expect(none.stdout).toMatch(/\| SWE-bench Verified \| 228 of 500 .*\| not run \|/);
  expect(none.stderr).toContain("To run the suite, give a file of tasks: --tasks swe-bench=FILE");
  const wrong = await start("--tasks", "quixbugs=a.jsonl");
  expect(wrong.stderr).toContain("the datasets are swe-bench, swt-bench");
});
