/** A worker that hangs for longer than its lease and then goes on, and tries that take several lease times. */
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PostgresServer, postgresProblem, startPostgres } from "../postgres-server.ts";
import { checkResults, openSmallBatch, type SmallBatch, type StartedProcess } from "./small-batch.ts";

const why = postgresProblem === undefined ? "" : ` (skipped: ${postgresProblem})`;

describe.skipIf(postgresProblem !== undefined)(`a worker that hangs${why}`, () => {
  let server: PostgresServer;
  let batch: SmallBatch;
  beforeAll(async () => {
    server = await startPostgres();
    batch = await openSmallBatch(4, "127.0.0.1");
  });
  afterAll(async () => {
    await batch.remove();
    server.remove();
  });

  test("loses its try to another one, whose long tries keep their leases", { timeout: 300_000 }, async () => {
    const url = server.url("hanging");
    const startWorker = (name: string, workers: number, sleepMs: number): StartedProcess => {
      const own = ["--name", name, "--bench-dir", batch.path(name), "--workers", String(workers)];
      const flags = ["--lease", "10", "--least-disk", "1m", "--least-memory", "1m"];
      const env = { MILLWRIGHT_QUEUE: url, SMALL_SLEEP: String(sleepMs) };
      return batch.start([], ["worker", ...own, ...flags], env);
    };
    const run = batch.startRun("--queue", url, "--store", batch.path("store"));
    const hanging = startWorker("hanging", 1, 6000);
    while (batch.asked() < 1) await sleep(50);
    hanging.kill("SIGSTOP");
    const other = startWorker("other", 4, 25_000);
    await sleep(25_000);
    hanging.kill("SIGCONT");
    await expect.poll(hanging.stderr, { timeout: 30_000 }).toContain("this worker lost the lease");
    hanging.kill("SIGTERM");
    expect(await run.ended, `${hanging.stderr()}\n${other.stderr()}\n${run.stderr()}`).toBe(0);
    checkResults(run, batch);
    const ends = server.sql("hanging", "SELECT worker, attempt FROM millwright.ends ORDER BY attempt, name");
    expect(ends.trim().split("\n")).toEqual(["other|0", "other|0", "other|0", "other|1"]);
    for (const worker of [hanging, other]) worker.kill("SIGTERM");
  });
});
