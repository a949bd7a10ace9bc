/** A whole batch whose workers share nothing but the queue and a bucket. */
import { globSync } from "node:fs";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import {
  checkResults,
  openSmallBatch,
  type SmallBatch,
  type StartedProcess,
} from "../machine/small-batch.ts";
import { type PostgresServer, postgresProblem, startPostgres } from "../postgres-server.ts";
import { type S3Server, s3Problem, startS3 } from "../s3-server.ts";

const problem = postgresProblem ?? s3Problem;

describe.skipIf(problem !== undefined)(
  `a batch with a bucket${problem ? ` (skipped: ${problem})` : ""}`,
  () => {
    let server: PostgresServer;
    let s3: S3Server;
    let batch: SmallBatch;
    beforeAll(async () => {
      server = await startPostgres();
      s3 = await startS3("batches");
      batch = await openSmallBatch(12, "127.0.0.1");
    });
    afterEach(() => vi.unstubAllEnvs());
    afterAll(async () => {
      await batch.remove();
      await s3.close();
      server.remove();
    });

    test("has each task once where a worker is killed, and each run at home", {
      timeout: 300_000,
    }, async () => {
      vi.stubEnv("AWS_ENDPOINT_URL", s3.url);
      vi.stubEnv("AWS_ACCESS_KEY_ID", "tests");
      vi.stubEnv("AWS_SECRET_ACCESS_KEY", "tests");
      const url = server.url("bucket");
      const startWorker = (name: string): StartedProcess => {
        const own = ["--name", name, "--bench-dir", batch.path(name), "--workers", "2", "--lease", "10"];
        const env = { MILLWRIGHT_QUEUE: url, SMALL_SLEEP: "1500" };
        return batch.start([], ["worker", ...own, "--least-disk", "1m", "--least-memory", "1m"], env);
      };
      const queued = ["--queue", url, "--store", "s3://batches/team/first"];
      const run = batch.startRun(...queued);
      const [killed, other] = [startWorker("killed"), startWorker("other")];
      // It has ended a try and works on the next one.
      await expect.poll(killed.stderr, { timeout: 120_000, interval: 50 }).toMatch(/resolved.*: …/s);
      killed.kill("SIGKILL");
      expect(await run.ended, `${other.stderr()}\n${run.stderr()}`).toBe(0);
      checkResults(run, batch);
      const ends = server.sql("bucket", "SELECT worker, attempt FROM millwright.ends").trim().split("\n");
      expect(ends).toHaveLength(12);
      expect(ends).toContain("killed|0");
      expect(ends).toContain("other|1");
      const runs = globSync("runs/*/report.json", { cwd: batch.path("asking") });
      expect(runs).toHaveLength(12);
      other.kill("SIGTERM");
      await other.ended;

      // The same command without a queue knows all of it, and asks no model.
      const asked = batch.asked();
      const again = batch.startRun();
      expect(await again.ended, again.stderr()).toBe(0);
      checkResults(again, batch);
      expect(batch.asked()).toBe(asked);
    });
  },
);
