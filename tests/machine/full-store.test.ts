/** A worker whose store has no space: it takes no more tries, and what it finished waits for space. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PostgresServer, postgresProblem, startPostgres } from "../postgres-server.ts";
import { checkResults, openSmallBatch, type SmallBatch } from "./small-batch.ts";
import { fill, mountSmallDisk, removeDisk } from "./small-disk.ts";

const problem = process.getuid?.() === 0 ? postgresProblem : "mounts need root";

describe.skipIf(problem !== undefined)(`a full store${problem ? ` (skipped: ${problem})` : ""}`, () => {
  let server: PostgresServer;
  let disk: string;
  let batch: SmallBatch;
  beforeAll(async () => {
    server = await startPostgres();
    disk = await mountSmallDisk("size=16m");
    batch = await openSmallBatch(6, "127.0.0.1");
  });
  afterAll(async () => {
    await batch.remove();
    server.remove();
    await removeDisk(disk);
  });

  test("holds the worker, and no finished try is made again", { timeout: 300_000 }, async () => {
    const url = server.url("store");
    const run = batch.startRun("--queue", url, "--store", join(disk, "store"));
    const room = ["--least-disk", "2m", "--least-memory", "1m", "--workers", "2"];
    const own = ["--bench-dir", batch.path("own"), "--name", "w", ...room];
    const worker = batch.start([], ["worker", ...own], { MILLWRIGHT_QUEUE: url, SMALL_SLEEP: "6000" });
    while (batch.asked() < 2) await sleep(100);
    const filler = join(disk, "filler");
    mkdirSync(filler);
    await fill(filler);
    await expect.poll(worker.stderr, { timeout: 60_000 }).toContain("finished work waits: the store");
    rmSync(filler, { recursive: true });
    expect(await run.ended, `${worker.stderr()}\n${run.stderr()}`).toBe(0);
    worker.kill("SIGTERM");
    await worker.ended;
    checkResults(run, batch);
    expect(server.sql("store", "SELECT count(*) FROM millwright.ends WHERE attempt = 0").trim()).toBe("6");
  });
});
