/** Workers keep to the repositories whose environments they have, and prepare few environments. */
import { globSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { checkResults, openSmallBatch, type StartedProcess } from "../machine/small-batch.ts";
import { type PostgresServer, postgresProblem, startPostgres } from "../postgres-server.ts";

const why = postgresProblem === undefined ? "" : ` (skipped: ${postgresProblem})`;

describe.skipIf(postgresProblem !== undefined)(`two repositories and two workers${why}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());

  test("each worker keeps to one, also after a restart, until the other needs help", {
    timeout: 300_000,
  }, async () => {
    const repositoryOf = (at: number): string => (at < 14 ? "acme/weights" : "acme/scales");
    const batch = await openSmallBatch(20, "127.0.0.1", repositoryOf);
    onTestFinished(() => batch.remove());
    const url = server.url("warm");
    const startWorker = (name: string): StartedProcess => {
      const own = ["--name", name, "--bench-dir", batch.path(name), "--workers", "2"];
      const flags = ["--lease", "10", "--least-disk", "1m", "--least-memory", "1m"];
      return batch.start([], ["worker", ...own, ...flags], { MILLWRIGHT_QUEUE: url, SMALL_SLEEP: "1000" });
    };
    const prepared = (name: string): string[] =>
      globSync("environments/*/environment.json", { cwd: batch.path(name) }).map(
        (path) => `acme/${/environments\/([a-z]+)-/.exec(path)?.[1]}`,
      );
    const names = ["a", "b"];
    const isKnown = (name: string): boolean => prepared(name).length > 0;

    const run = batch.startRun("--queue", url, "--store", batch.path("store"));
    const workers = names.map(startWorker);
    await expect.poll(() => names.filter(isKnown), { timeout: 60_000, interval: 100 }).toEqual(names);
    for (const worker of workers) worker.kill("SIGTERM");
    await Promise.all(workers.map(({ ended }) => ended));
    expect(names.flatMap(prepared).sort()).toEqual(["acme/scales", "acme/weights"]);

    // A worker without environments would begin with the repository that has more tries.
    const [few = "", many = ""] = names.toSorted((one) => (prepared(one)[0] === "acme/scales" ? -1 : 1));
    const again = startWorker(few);
    const firstTry = (): string | undefined => / scales-(\d+) .*: …/.exec(again.stderr())?.[1];
    await expect.poll(firstTry, { timeout: 60_000, interval: 100 }).toBeDefined();
    expect(repositoryOf(Number(firstTry()))).toBe("acme/scales");
    const other = startWorker(many);
    expect(await run.ended, `${again.stderr()}\n${other.stderr()}\n${run.stderr()}`).toBe(0);
    checkResults(run, batch);
    for (const worker of [again, other]) worker.kill("SIGTERM");
    await Promise.all([again.ended, other.ended]);
    expect(prepared(few).sort()).toEqual(["acme/scales", "acme/weights"]);
    expect(prepared(many)).toEqual(["acme/weights"]);
  });
});
