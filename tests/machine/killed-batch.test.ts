/**
 * A batch on one machine, without a database: the only process is killed again and again. MILLWRIGHT_MACHINE_KILLS sets
 * how often; MILLWRIGHT_MACHINE_SEED moves the moments.
 */
import { globSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { random } from "../e2e/crash.ts";
import { checkResults, openSmallBatch, type SmallBatch, type StartedProcess } from "./small-batch.ts";

const kills = Number(process.env["MILLWRIGHT_MACHINE_KILLS"] ?? 5);
const seed = Number(process.env["MILLWRIGHT_MACHINE_SEED"] ?? 1) * 1000;

let batch: SmallBatch;
beforeAll(async () => {
  batch = await openSmallBatch(10 + kills * 2, "127.0.0.1");
});
afterAll(() => batch.remove());

const countResults = (): number => globSync("asking/results/*.json", { cwd: batch.path(".") }).length;

/** Until there are so many results more, and for some time after that; at once where it ended. */
async function waitIn(run: StartedProcess, more: number, ms: number): Promise<void> {
  let isOver = false;
  void run.ended.then(() => (isOver = true));
  const enough = countResults() + more;
  while (!isOver && !run.stderr().includes("…")) await sleep(5);
  while (!isOver && countResults() < enough) await sleep(5);
  if (!isOver) await sleep(ms);
}

test("each task ends once, and the limit of cost holds, however often the process is killed", {
  timeout: 1_800_000,
}, async () => {
  const start = (): StartedProcess => batch.startRun("--workers", "3");
  for (let at = 1; at <= kills; at += 1) {
    const run = start();
    await waitIn(run, Math.floor(random(seed + at) * 4), random(seed + 500 + at) * 400);
    run.kill("SIGKILL");
    expect(await run.ended, "the batch ended before it was killed as often as asked").toBeNull();
  }
  const last = start();
  expect(await last.ended, last.stderr()).toBe(0);
  checkResults(last, batch);
  const [results, asked] = [countResults(), batch.asked()];

  const again = start();
  expect(await again.ended).toBe(0);
  expect([countResults(), batch.asked()]).toEqual([results, asked]);
  checkResults(again, batch);
});
