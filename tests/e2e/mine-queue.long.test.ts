/** Mining on a queue: workers decide the slow steps, and each of the processes can be killed. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type PostgresServer, postgresProblem, startPostgres } from "../postgres-server.ts";
import { createPlayground, type Playground } from "./millwright.ts";
import { makeMinedRepository, readLines } from "./mine-fixture.ts";

const why = postgresProblem === undefined ? "" : ` (skipped: ${postgresProblem})`;

describe.skipIf(postgresProblem !== undefined)(`mining on a queue${why}`, () => {
  let server: PostgresServer;
  let playground: Playground;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.remove());
  beforeEach(() => {
    playground = createPlayground();
  });
  afterEach(() => playground.remove());

  test("makes the tasks although somebody kills a worker and the command", async () => {
    const { folder, issues } = makeMinedRepository(playground);
    const url = server.url("mining");
    const mine = (out: string, ...more: string[]) => {
      const flags = ["--name", "acme/ledger", "--issues", issues, "--linked-only", ...more];
      return playground.start(["bench", "mine", folder, "--out", join(playground.folder, out), ...flags]);
    };
    const startWorker = (name: string, ...flags: string[]) => {
      const own = ["--bench-dir", join(playground.folder, name), "--name", name, "--lease", "10"];
      return playground.start(["worker", ...own, ...flags], { env: { MILLWRIGHT_QUEUE: url } });
    };
    const killed = startWorker("killed");
    const first = mine("mined", "--queue", url);
    while (!existsSync(join(playground.folder, "killed/work"))) await sleep(20);
    killed.kill("SIGKILL");
    first.kill("SIGKILL");
    await Promise.all([killed.ended, first.ended]);
    expect(readLines(join(playground.folder, "mined/ledger.jsonl")).map(({ step }) => step)).not.toContain(
      "validate",
    );

    const again = mine("mined", "--queue", url);
    const worker = startWorker("second");
    const end = await again.ended;
    expect(end.exitCode, end.stderr).toBe(0);
    worker.kill("SIGINT");
    const worked = await worker.ended;
    expect(worked.stderr).toMatch(/mine-mined-[0-9a-f]{8} acme__ledger-3 \(validate\): kept \(/);
    expect(server.sql("mining", "SELECT worker, output->>'outcome' FROM millwright.ends ORDER BY name")).toBe(
      "second|kept\n".repeat(4),
    );
    const listed = await playground.start(["bench", "batches"], { env: { MILLWRIGHT_QUEUE: url } }).ended;
    expect(listed.stdout).toMatch(/finished; 4 of 4 tries ended[\s\S]*mining of /);

    // Without the queue, all results of the workers are known.
    const alone = await mine("mined").ended;
    expect(alone.exitCode, alone.stderr).toBe(0);
    expect(alone.stderr).not.toMatch(/^validate acme/m);
    expect(readLines(join(playground.folder, "mined/tasks.jsonl")).map(({ id }) => id)).toEqual([
      "acme__ledger-3",
    ]);
  }, 900_000);
});
