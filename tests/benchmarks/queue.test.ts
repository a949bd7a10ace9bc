import { spawn } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { postgresProblem } from "../postgres-server.ts";

const root = join(import.meta.dirname, "..", "..");
const why = postgresProblem === undefined ? "" : ` (skipped: ${postgresProblem})`;

test.skipIf(postgresProblem !== undefined)(
  `a stopped benchmark of the queue leaves nothing behind${why}`,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "bench-queue-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const args = ["--disable-warning=ExperimentalWarning", "benchmarks/queue.ts", "--tasks", "4"];
    const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, TMPDIR: folder } });
    let told = "";
    child.stderr.on("data", (chunk: Buffer) => (told += chunk.toString()));
    const ended = new Promise((resolve) => child.on("close", resolve));
    // A worker has made its folder: everything runs.
    const hasWorker = () => globSync("*/worker-0/*", { cwd: folder }).length > 0;
    await expect.poll(hasWorker, { timeout: 60_000, interval: 100 }).toBe(true);
    const port = /:(\d+)\/speed/.exec(told)?.[1] ?? "";
    const server = globSync("/tmp/millwright-pg-*/data/postmaster.pid").find((path) =>
      readFileSync(path, "utf8").split("\n").includes(port),
    );
    expect(server).toBeDefined();
    const [pid] = readFileSync(server ?? "", "utf8").split("\n");

    child.kill("SIGTERM");
    expect(await ended).toBe(143);
    expect(readdirSync(folder)).toEqual([]);
    expect(existsSync(join(server ?? "", "..", ".."))).toBe(false);
    await expect.poll(() => existsSync(`/proc/${pid}`), { timeout: 30_000 }).toBe(false);
  },
);
