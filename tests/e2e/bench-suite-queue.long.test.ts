/** A suite whose variants run on the workers of a queue, and whose tables are the same without it. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openSmallBatch, type SmallBatch } from "../machine/small-batch.ts";
import { type PostgresServer, postgresProblem, startPostgres } from "../postgres-server.ts";

const why = postgresProblem === undefined ? "" : ` (skipped: ${postgresProblem})`;

describe.skipIf(postgresProblem !== undefined)(`a suite on a queue${why}`, () => {
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

  test("runs one variant after the other at two workers", { timeout: 300_000 }, async () => {
    const url = server.url("suite");
    const startSuite = (...flags: string[]) => {
      const places = ["--bench-dir", batch.path("asking"), "--out", batch.path("suite")];
      return batch.start([], ["bench", "suite", "mars-lite", ...places, ...flags]);
    };
    const given = [
      ...["--tasks", `swe-bench=${batch.path("tasks.jsonl")}`, "--repositories", batch.path("repositories")],
      ...[
        "--variant",
        "agentless",
        "--variant",
        "unified",
        "--model",
        `scripted:${batch.path("script.json")}`,
      ],
      ...["--batch-budget", batch.path("budget.json"), "--sandbox", "local"],
    ];
    const suite = startSuite(...given, "--queue", url, "--store", batch.path("store"));
    const workers = ["first", "second"].map((name) => {
      const own = ["--name", name, "--bench-dir", batch.path(name), "--least-disk", "1m"];
      return batch.start([], ["worker", ...own, "--least-memory", "1m"], {
        MILLWRIGHT_QUEUE: url,
        SMALL_SLEEP: "1500",
      });
    });
    expect(await suite.ended, `${suite.stderr()}\n${workers.map((each) => each.stderr()).join("\n")}`).toBe(
      0,
    );
    for (const worker of workers) worker.kill("SIGTERM");
    await Promise.all(workers.map(({ ended }) => ended));
    for (const variant of ["agentless", "unified"])
      expect(suite.stdout()).toMatch(new RegExp(String.raw`\| ours: ${variant}, \S+ \| 1 of 4 \(25\.0 %\)`));

    const counts = "SELECT batch, count(*), count(DISTINCT name) FROM millwright.ends GROUP BY batch";
    const batches = server.sql("suite", counts).trim().split("\n");
    expect(batches.map((row) => row.split("|").slice(1))).toEqual([
      ["4", "4"],
      ["4", "4"],
    ]);
    const byWorker = server.sql("suite", "SELECT DISTINCT worker FROM millwright.ends ORDER BY worker");
    expect(byWorker.trim().split("\n")).toEqual(["first", "second"]);

    const again = startSuite();
    expect(await again.ended, again.stderr()).toBe(0);
    expect(again.stdout()).toBe(suite.stdout());
  });
});
