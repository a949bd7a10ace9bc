/**
 * A batch on a queue, while everything fails in turn: two workers in networks of their own share a server. One worker is
 * killed, one is cut off, the server crashes, a disk fills up. MILLWRIGHT_MACHINE_TASKS sets the number of tasks.
 */
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type PostgresServer, postgresProblem, startPostgres } from "../postgres-server.ts";
import { type Network, networkProblem, openNetwork } from "./network.ts";
import { checkResults, openSmallBatch, type SmallBatch, type StartedProcess } from "./small-batch.ts";
import { fill, mountSmallDisk, removeDisk } from "./small-disk.ts";

const problem = networkProblem ?? postgresProblem;
const tasks = Number(process.env["MILLWRIGHT_MACHINE_TASKS"] ?? 40);

describe.skipIf(problem !== undefined)(`a batch on a queue${problem ? ` (skipped: ${problem})` : ""}`, () => {
  let network: Network;
  let server: PostgresServer;
  let disk: string;
  let batch: SmallBatch;
  beforeAll(async () => {
    network = openNetwork(["one", "two"]);
    server = await startPostgres({ host: network.host });
    disk = await mountSmallDisk("size=64m");
    batch = await openSmallBatch(tasks, network.host);
  });
  afterAll(async () => {
    await batch.remove();
    server.remove();
    network.remove();
    await removeDisk(disk);
  });

  const count = (what: string): number => Number(server.sql("faults", `SELECT count(*) FROM ${what}`).trim());
  const isTable = (name: string): boolean =>
    server.sql("faults", `SELECT to_regclass('${name}')`).trim() !== "";
  const tables = ["millwright.ends", "millwright_jobs.job"];
  /** A worker with `--once` that starts earlier finds no batch, and ends. */
  const isQueued = (): boolean => tables.every(isTable) && count("millwright_jobs.job") > 0;
  /** Counts the tries that a worker took after another one. */
  const countRetaken = (): number => count("millwright_jobs.job WHERE retry_count > 0");
  /** Waits until this share of the tasks ended. */
  const reach = async (share: number): Promise<void> => {
    while (!isQueued() || count("millwright.ends") < share * tasks) await sleep(250);
  };

  test("each task ends once, and the limit of cost holds, whatever breaks", {
    timeout: 1_800_000,
  }, async () => {
    const url = server.url("faults");
    const startWorker = (name: string, namespace: string, folder: string): StartedProcess => {
      const own = ["--name", name, "--bench-dir", folder, "--lease", "10", "--workers", "4", "--once"];
      const room = ["--least-disk", "8m", "--least-memory", "1m"];
      // Tasks last long enough that some are left for each fault, however quick the machine is.
      const env = { MILLWRIGHT_QUEUE: url, SMALL_SLEEP: "4000" };
      return batch.start(network.enter(namespace), ["worker", ...own, ...room], env);
    };
    const run = batch.startRun("--queue", url, "--store", batch.path("store"));
    await reach(0);
    const killed = startWorker("killed", "one", disk);
    const cutOff = startWorker("cut off", "two", batch.path("two"));
    await reach(0.1);
    killed.kill("SIGKILL");
    await killed.ended;
    const short = startWorker("short", "one", disk);

    await reach(0.3);
    const retaken = countRetaken();
    network.setLink("two", "down");
    while (countRetaken() === retaken) await sleep(250);
    network.setLink("two", "up");

    await reach(0.5);
    server.stop("immediate");
    await sleep(2000);
    server.start();

    await reach(0.7);
    const filler = join(disk, "filler");
    mkdirSync(filler);
    await fill(filler);
    await reach(0.9);
    rmSync(filler, { recursive: true });

    const exitCodes = [await cutOff.ended, await short.ended, await run.ended];
    expect(exitCodes, `${cutOff.stderr()}\n${short.stderr()}\n${run.stderr()}`).toEqual([0, 0, 0]);
    checkResults(run, batch);
    // A full disk may end a try with an infrastructure error, and its task is tried again under a name of its own.
    expect(count("millwright.ends WHERE output->>'outcome' <> 'infrastructure-error'")).toBe(tasks);
    expect(readdirSync(join(batch.path("asking"), "runs"))).toHaveLength(tasks);
    // The faults were felt: tries began again, and the worker without room took nothing.
    expect(count("millwright.ends WHERE attempt > 0")).toBeGreaterThan(0);
    expect(cutOff.stderr()).toContain("this worker lost the lease");
    expect(short.stderr()).toContain("short waits: the disk");
  });
});
