/** The commands that control a queued batch, on a real server. */
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { JobQueue } from "../../src/queue/contract.ts";
import { openQueue } from "../../src/queue/open-queue.ts";
import { openBenchFolder } from "../../src/session/bench-session.ts";
import { type PostgresServer, postgresProblem, startPostgres } from "../postgres-server.ts";
import { createPlayground, type Playground } from "./millwright.ts";

const why = postgresProblem === undefined ? "" : ` (skipped: ${postgresProblem})`;

describe.skipIf(postgresProblem !== undefined)(`the control of a batch${why}`, () => {
  let server: PostgresServer;
  let queue: JobQueue;
  let playground: Playground;
  const url = () => server.url("control");
  beforeAll(async () => {
    server = await startPostgres();
    queue = await openQueue(url(), { onNotice: () => {} });
  });
  afterAll(async () => {
    await queue.close();
    server.remove();
  });
  beforeEach(() => {
    playground = createPlayground();
  });
  afterEach(() => playground.remove());

  const bench = (...args: string[]) =>
    playground.start(["bench", ...args], { env: { MILLWRIGHT_QUEUE: url() } }).ended;
  const put = async (id: string, ...tasks: string[]) => {
    await queue.openBatch({ id, spec: {}, limits: {} });
    const jobs = tasks.map((task) => ({ name: `0/1/0/${task}`, data: {}, group: 7, lane: "0" }));
    await queue.put(id, jobs);
  };
  const end = async (id: string, outcome: string): Promise<void> => {
    const lease = await queue.take(id, "w");
    const kept = { try: "", run: null, results: {}, logs: {} };
    await lease?.end({ outcome, group: lease.group, ...kept });
  };

  test("pauses, resumes and lists it", async () => {
    await put("steered", "t1", "t2");
    await end("steered", "resolved");
    expect((await bench("pause", "steered")).stdout).toContain("steered: paused");
    expect(await queue.take("steered", "w")).toBeUndefined();
    expect((await bench("batches")).stdout).toContain(
      "steered: paused; 1 of 2 tries ended; 1 waiting, 0 at workers",
    );
    expect(await bench("resume", "steered")).toMatchObject({ exitCode: 0, stdout: "steered: running\n" });
    const lease = await queue.take("steered", "w");
    expect(lease?.name).toMatch(/^0\/1\/0\/t[12]$/);
    await lease?.giveBack("the test ends");
  });

  test("queues the tries again that had an infrastructure error, and no others", async () => {
    await put("retried", "t1", "t2", "t3");
    for (const outcome of ["resolved", "infrastructure-error", "unresolved"]) await end("retried", outcome);
    const { stdout, exitCode } = await bench("retry", "retried", "--infrastructure");
    expect([exitCode, stdout.split("\n").slice(0, 2)]).toEqual([
      0,
      [
        "retried: 1 of 3 tries is queued again, because it ended with an infrastructure error",
        "  not queued again: 2 ended without an infrastructure error",
      ],
    ]);
    const again = await bench("retry", "retried", "--infrastructure");
    expect(again.stdout).toContain("retried: no try is queued again");
    expect(again.stdout).toContain("2 ended without an infrastructure error, 1 already waits");
    const lease = await queue.take("retried", "w");
    expect(lease).toMatchObject({ group: 7, name: expect.stringMatching(/^0\/1\/1\//) });
    await lease?.end({ outcome: "resolved", group: 7, try: "", run: null, results: {}, logs: {} });
    expect((await bench("retry", "retried", "--infrastructure")).stdout).toContain(
      "retried: no try is queued again",
    );
  });

  test("says in a line that a queue has nothing, and which flag gives a folder of its own", async () => {
    const env = { MILLWRIGHT_QUEUE: server.url("empty") };
    const run = (...args: string[]) => playground.start(args, { env }).ended;
    expect((await run("bench", "batches")).stdout).toBe("The queue has no batches.\n");
    const own = ["worker", "--bench-dir", join(playground.folder, "worker")];
    const once = await run(...own, "--once");
    expect([once.exitCode, once.stderr]).toEqual([0, expect.stringContaining("has no tries for it\n")]);
    const unlock = await openBenchFolder(join(playground.folder, "worker"));
    const locked = await run(...own, "--once");
    unlock();
    expect([locked.exitCode, locked.stderr]).toEqual([2, expect.stringContaining("folder with --bench-dir")]);
  });

  test("changes nothing about a batch that has finished, and says so", async () => {
    await put("finished", "t1", "t2");
    await end("finished", "resolved");
    await end("finished", "infrastructure-error");
    for (const command of ["pause", "cancel"]) {
      const { exitCode, stdout, stderr } = await bench(command, "finished");
      expect([exitCode, stdout], command).toEqual([2, ""]);
      expect(stderr).toContain("The batch finished has finished: all tries (2) have ended");
      expect(stderr).toContain("again with `millwright bench retry finished --infrastructure`");
    }
    expect((await bench("resume", "finished")).stdout).toBe("finished: already running\n");
    expect(await queue.findState("finished")).toBe("running");
  });

  test("cancels it, and says how it continues where nothing else can", async () => {
    await put("dropped", "t1", "t2");
    const lease = await queue.take("dropped", "w");
    expect((await bench("cancel", "dropped")).stdout).toContain("dropped: cancelled");
    await expect(lease?.end({})).rejects.toThrow("lost");
    for (const command of [["resume"], ["pause"], ["retry", "--infrastructure"]]) {
      const [name = "", ...flags] = command;
      const { exitCode, stdout, stderr } = await bench(name, "dropped", ...flags);
      expect([exitCode, stdout], name).toEqual([2, ""]);
      expect(stderr).toContain("Repeat the `bench run --queue …` command that started the batch");
    }
    expect((await bench("cancel", "another")).stderr).toContain("The queue has no batch another");
  });
});
