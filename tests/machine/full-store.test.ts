/** Batches whose store has no space: no further try begins, and what is finished waits for space. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { postgresProblem, startPostgres } from "../postgres-server.ts";
import { checkResults, openSmallBatch, type SmallBatch } from "./small-batch.ts";
import { fill, mountSmallDisk, removeDisk } from "./small-disk.ts";

const mountProblem = process.getuid?.() === 0 ? undefined : "mounts need root";
const problem = mountProblem ?? postgresProblem;
const room = ["--least-disk", "2m", "--least-memory", "1m", "--workers", "2"];

/** Fills the disk while the first attempts work. Returns the function that frees it again. */
async function fillEarly(batch: SmallBatch, disk: string): Promise<() => void> {
  while (batch.asked() < 2) await sleep(100);
  const filler = join(disk, "filler");
  mkdirSync(filler);
  await fill(filler);
  return () => rmSync(filler, { recursive: true });
}

describe.skipIf(mountProblem !== undefined)(
  `a full store${mountProblem ? ` (skipped: ${mountProblem})` : ""}`,
  () => {
    let disk: string;
    let batch: SmallBatch;
    beforeEach(async () => {
      disk = await mountSmallDisk("size=16m");
      batch = await openSmallBatch(6, "127.0.0.1");
    });
    afterEach(async () => {
      vi.unstubAllEnvs();
      await batch.remove();
      await removeDisk(disk);
    });

    test("holds `bench run`, and no finished try is made again", { timeout: 300_000 }, async () => {
      vi.stubEnv("SMALL_SLEEP", "6000");
      const run = batch.startRun("--results", join(disk, "results"), ...room);
      const free = await fillEarly(batch, disk);
      await expect
        .poll(run.stderr, { timeout: 60_000 })
        .toContain("a finished result waits, because the store");
      await sleep(3000);
      // Two tries at the same time, with two calls each.
      expect(batch.asked()).toBe(4);
      free();
      expect(await run.ended, run.stderr()).toBe(0);
      checkResults(run, batch);
    });

    test("is no place to begin a try, and the batch says so until there is room", {
      timeout: 300_000,
    }, async () => {
      const filler = join(disk, "filler");
      writeFileSync(filler, Buffer.alloc(15 * 2 ** 20));
      const run = batch.startRun("--bench-dir", disk, ...room);
      const waits = `attempts wait: the disk of ${disk} has`;
      await expect.poll(run.stderr, { timeout: 60_000 }).toContain(waits);
      await sleep(2000);
      expect(batch.asked()).toBe(0);
      rmSync(filler);
      expect(await run.ended, run.stderr()).toBe(0);
      checkResults(run, batch);
    });

    test.skipIf(problem !== undefined)(
      "holds a worker, and no finished try is made again",
      { timeout: 300_000 },
      async () => {
        const server = await startPostgres();
        onTestFinished(() => server.remove());
        const url = server.url("store");
        const run = batch.startRun("--queue", url, "--store", join(disk, "store"));
        const own = ["--bench-dir", batch.path("own"), "--name", "w", ...room];
        const worker = batch.start([], ["worker", ...own], { MILLWRIGHT_QUEUE: url, SMALL_SLEEP: "6000" });
        const free = await fillEarly(batch, disk);
        await expect
          .poll(worker.stderr, { timeout: 60_000 })
          .toContain("a finished result waits, because the store");
        free();
        expect(await run.ended, `${worker.stderr()}\n${run.stderr()}`).toBe(0);
        worker.kill("SIGTERM");
        await worker.ended;
        checkResults(run, batch);
        expect(server.sql("store", "SELECT count(*) FROM millwright.ends WHERE attempt = 0").trim()).toBe(
          "6",
        );
      },
    );
  },
);
