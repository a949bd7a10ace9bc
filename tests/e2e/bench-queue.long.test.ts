/** A batch on a queue: workers with folders of their own, a real server, and the results of `bench run` as without one. */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { serve } from "../model-fixture.ts";
import { type PostgresServer, postgresProblem, startPostgres } from "../postgres-server.ts";
import { makeLedger, startBench, writeLedgerScript, writeTasks } from "./bench-fixture.ts";
import { createPlayground, type Playground } from "./millwright.ts";

const key = (name: string): string => `tests/test_transfer.py::TransferTest.${name}`;
const lists = {
  failToPass: [key("test_empties_an_account"), key("test_uses_the_whole_overdraft")],
  passToPass: [key("test_moves_the_amount")],
};
const documentSchema = z.object({
  tries: z.array(z.object({ id: z.string(), outcome: z.string(), run: z.string(), known: z.boolean() })),
});
const why = postgresProblem === undefined ? "" : ` (skipped: ${postgresProblem})`;

describe.skipIf(postgresProblem !== undefined)(`a batch on a queue${why}`, () => {
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

  const startWorker = (url: string, name: string, ...flags: string[]) => {
    const own = ["--bench-dir", join(playground.folder, name), "--name", name, "--lease", "10"];
    return playground.start(["worker", ...own, ...flags], { env: { MILLWRIGHT_QUEUE: url } });
  };

  test("goes on at another worker where one is killed, and each try is once in the results", async () => {
    const { repository, goldPatch, testPatch } = makeLedger(playground);
    const hidden = { goldPatch, testPatch, lists };
    const tasks = writeTasks(playground, repository, [
      { id: "ledger-1", hidden },
      { id: "ledger-2", hidden },
    ]);
    const url = server.url("killed").replace("postgres@", "postgres:s3cret-of-the-queue@");
    const store = join(playground.folder, "store");
    const model = ["--strategy", "react", "--model", `scripted:${writeLedgerScript(playground)}`, "--json"];
    const run = startBench(playground, "run", tasks, ...model, "--queue", url, "--store", store);

    const killed = startWorker(url, "killed");
    const startedRun = (): string | undefined =>
      globSync("killed/runs/*/*/events.jsonl", { cwd: playground.folder }).at(0);
    while (startedRun() === undefined) await sleep(20);
    killed.kill("SIGKILL");
    await killed.ended;
    const worker = startWorker(url, "second", "--once");
    const [end, second] = [await run.ended, await worker.ended];

    expect(end.stderr).toContain("2 of 2 done");
    const { tries } = documentSchema.parse(JSON.parse(end.stdout));
    expect(tries.map(({ id, outcome }) => [id, outcome])).toEqual([
      ["ledger-1", "resolved"],
      ["ledger-2", "resolved"],
    ]);
    for (const each of tries)
      expect(existsSync(join(playground.folder, "bench", "runs", each.run, "report.json"))).toBe(true);
    expect(second.exitCode).toBe(0);
    expect(server.sql("killed", "SELECT name, worker FROM millwright.ends ORDER BY name")).toBe(
      "0/1/0/ledger-1|second\n0/1/0/ledger-2|second\n",
    );
    for (const text of [end.stderr, end.stdout, second.stderr]) expect(text).not.toContain("s3cret-of");

    // The same command, without the queue: what the workers made is known here.
    const again = await startBench(playground, "run", tasks, ...model).ended;
    const known = documentSchema.parse(JSON.parse(again.stdout)).tries;
    expect(known.map(({ outcome, known: isKnown }) => [outcome, isKnown])).toEqual([
      ["resolved", true],
      ["resolved", true],
    ]);
    const [result = ""] = globSync("results/*.json", { cwd: store });
    expect(JSON.parse(readFileSync(join(store, result), "utf8"))).toHaveProperty("result");
  });

  test("reports the results so far once somebody cancels it, and says what is missing", async () => {
    const { repository, goldPatch, testPatch } = makeLedger(playground);
    const hidden = { goldPatch, testPatch, lists };
    const tasks = writeTasks(playground, repository, [{ id: "ledger-1", hidden }]);
    const env = { MILLWRIGHT_QUEUE: server.url("cancelled") };
    const store = join(playground.folder, "store");
    const out = join(playground.folder, "out");
    const flags = ["--strategy", "search-repair", "--queue", env.MILLWRIGHT_QUEUE, "--store", store];
    const run = startBench(playground, "run", tasks, ...flags, "--out", out, "--fresh");
    const bench = (...args: string[]) => playground.start(["bench", ...args], { env }).ended;
    const listed = z.object({
      batches: z.array(z.object({ id: z.string(), waiting: z.number(), state: z.string() })),
    });
    let id = "";
    await expect
      .poll(
        async () => {
          const [row] = listed.parse(JSON.parse((await bench("batches", "--json")).stdout)).batches;
          id = row?.id ?? "";
          return row?.waiting;
        },
        { timeout: 60_000 },
      )
      .toBe(1);
    expect((await bench("cancel", id)).exitCode).toBe(0);
    const end = await run.ended;
    const partial = "partial, because the batch was cancelled: 0 of 1 tries have a result";
    expect([end.exitCode, end.stderr]).toEqual([130, expect.stringContaining(partial)]);
    const report = await bench("report", out);
    expect([report.exitCode, report.stdout]).toEqual([0, expect.stringContaining(partial)]);
    expect(end.stderr).toContain("Run the same command without --fresh to continue");
    expect((await bench("resume", id)).stderr).toContain(
      "`bench run --queue …` command that started the batch, without --fresh",
    );

    const again = startBench(playground, "run", tasks, ...flags, "--out", out);
    await expect
      .poll(async () => listed.parse(JSON.parse((await bench("batches", "--json")).stdout)).batches, {
        timeout: 60_000,
      })
      .toEqual([{ id, waiting: 1, state: "running" }]);
    again.kill("SIGKILL");
    await again.ended;
  });

  test("waits as a whole where one attempt meets a rate limit, with a queue and without", async () => {
    const { repository, goldPatch, testPatch } = makeLedger(playground);
    const hidden = { goldPatch, testPatch, lists };
    const ids = ["ledger-1", "ledger-2", "ledger-3", "ledger-4"];
    const tasks = writeTasks(
      playground,
      repository,
      ids.map((id) => ({ id, hidden })),
    );
    const waitMs = 12_000;
    const startRun = async (...flags: string[]) => {
      const asked: number[] = [];
      const chat = await serve((_, count) => {
        asked.push(performance.now());
        return count === 0
          ? { status: 429, headers: { "retry-after": String(waitMs / 1000) } }
          : { text: "I cannot mend it." };
      });
      const model = ["--model", "openai-compatible/test", "--model-url", chat.address, "--max-steps", "2"];
      const run = startBench(playground, "run", tasks, "--strategy", "react", ...model, "--json", ...flags);
      return { run, asked };
    };
    const check = async ({ run, asked }: Awaited<ReturnType<typeof startRun>>) => {
      const { tries } = documentSchema.parse(JSON.parse((await run.ended).stdout));
      expect(tries.map(({ outcome }) => outcome)).toEqual(ids.map(() => "unresolved"));
      // Calls may have been under way; and a worker reads the pauses of others once a second.
      const [refused = 0] = asked;
      const later = asked.filter((at) => at - refused > 2000);
      expect(later.length).toBeGreaterThan(0);
      expect(Math.min(...later) - refused).toBeGreaterThan(waitMs - 100);
    };
    await check(await startRun("--workers", "3"));

    const url = server.url("limited");
    const started = await startRun("--fresh", "--queue", url, "--store", join(playground.folder, "store"));
    const workers = ["first", "second"].map((name) => startWorker(url, name));
    await check(started);
    for (const worker of workers) worker.kill("SIGKILL");
  });
});
