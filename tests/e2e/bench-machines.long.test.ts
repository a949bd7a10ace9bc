/** Machines that do not fit a batch on a queue: without its repositories, or with another store. */
import { readdirSync, renameSync, rmSync } from "node:fs";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  checkResults,
  openSmallBatch,
  type SmallBatch,
  type StartedProcess,
} from "../machine/small-batch.ts";
import { type PostgresServer, postgresProblem, startPostgres } from "../postgres-server.ts";

const why = postgresProblem === undefined ? "" : ` (skipped: ${postgresProblem})`;

describe.skipIf(postgresProblem !== undefined)(`a machine that does not fit a batch${why}`, () => {
  let server: PostgresServer;
  let batch: SmallBatch;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());
  beforeEach(async () => {
    batch = await openSmallBatch(3, "127.0.0.1");
  });
  afterEach(() => batch.remove());

  const startRun = (url: string) => batch.startRun("--queue", url, "--store", batch.path("store"));
  const startWorker = (url: string, name: string) => {
    const own = ["--name", name, "--bench-dir", batch.path(name), "--lease", "10"];
    return batch.start([], ["worker", "--queue", url, ...own, "--least-disk", "1m", "--least-memory", "1m"]);
  };
  const said = (program: StartedProcess) => expect.poll(program.stderr, { timeout: 60_000, interval: 100 });
  const stop = async (worker: StartedProcess): Promise<void> => {
    worker.kill("SIGTERM");
    await worker.ended;
  };

  test("a worker without the repositories skips the batch, and another one has all its tries", {
    timeout: 300_000,
  }, async () => {
    const url = server.url("lacking");
    const run = startRun(url);
    await said(run).toContain("works on it");
    const [there, moved] = [batch.path("repositories/acme__scales"), batch.path("repositories/moved")];
    renameSync(there, moved);
    const lacking = startWorker(url, "lacking");
    await said(lacking).toMatch(
      /this worker skips \S+: this machine lacks the base commit of 3 of 3 tasks\. The first problem: There is no git repository for acme\/scales/,
    );
    await stop(lacking);
    renameSync(moved, there);
    const whole = startWorker(url, "whole");
    expect(await run.ended, run.stderr()).toBe(0);
    checkResults(run, batch);
    await stop(whole);
    expect(server.sql("lacking", "SELECT DISTINCT worker FROM millwright.ends")).toBe("whole\n");
  });

  test("a worker with another store skips the batch; results that get lost are made again", {
    timeout: 300_000,
  }, async () => {
    const url = server.url("stores");
    const run = startRun(url);
    await said(run).toContain("works on it");
    // As if the store were not mounted.
    const [store, mounted] = [batch.path("store"), batch.path("mounted")];
    renameSync(store, mounted);
    const other = startWorker(url, "other");
    await said(other).toContain(`: ${store} on this machine is not the store of the batch`);
    await stop(other);
    renameSync(mounted, store);
    const whole = startWorker(url, "whole");
    expect(await run.ended, run.stderr()).toBe(0);
    checkResults(run, batch);

    const [lost] = readdirSync(`${store}/objects`);
    rmSync(`${store}/objects/${lost}`);
    const again = startRun(url);
    expect(await again.ended, again.stderr()).toBe(0);
    checkResults(again, batch);
    expect(again.stderr()).toContain("all its tries have ended, and their results are collected");
    expect(again.stderr()).toContain("is missing or damaged in the store");

    rmSync(store, { recursive: true });
    const anew = startRun(url);
    expect(await anew.ended, anew.stderr()).toBe(0);
    expect(anew.stderr()).toContain("has the same tasks and arms, but a store other than");
    await stop(whole);
  });
});
