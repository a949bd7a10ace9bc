/** A PostgreSQL server of the tests' own, from the machine's packages, on a port or socket of its own. */
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, chownSync, globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";

const isRoot = process.getuid?.() === 0;
/** The server refuses to run as root. */
const account = isRoot ? findAccount() : undefined;
const [binaries] = globSync("/usr/lib/postgresql/*/bin").sort().reverse();

/** Why there is none here; undefined where there is. */
export const postgresProblem =
  binaries === undefined
    ? "PostgreSQL is not installed in /usr/lib/postgresql"
    : isRoot && account === undefined
      ? "PostgreSQL does not run as root, and there is no user postgres"
      : undefined;

export interface PostgresServer {
  /** Of a database of that name, made at the first call. */
  url(database: string): string;
  sql(database: string, text: string): string;
  start(): void;
  /** `immediate`: as a crash. */
  stop(how: "fast" | "immediate"): void;
  remove(): void;
}

export interface ServerPlace {
  /** The address that it listens on; default: the loopback. */
  readonly host?: string;
  readonly settings?: readonly string[];
}

export async function startPostgres({
  host = "127.0.0.1",
  settings = [],
}: ServerPlace = {}): Promise<PostgresServer> {
  const folder = mkdtempSync("/tmp/millwright-pg-");
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  chmodSync(folder, 0o700);
  const port = await freePort();
  const data = join(folder, "data");
  const call = (program: string, ...args: string[]): string =>
    execFileSync(join(binaries ?? "", program), args, {
      ...{ cwd: folder, encoding: "utf8" as const, stdio: ["ignore", "pipe", "pipe"] as const },
      ...(account ?? {}),
      env: { PATH: process.env["PATH"], LC_ALL: "C" },
    });
  call("initdb", "-D", data, "-A", "trust", "-U", "postgres", "--no-sync");
  const own = [`listen_addresses=${host}`, "fsync=on", ...settings].map((each) => `-c ${each}`).join(" ");
  const options = `-p ${port} -k ${folder} ${own}`;
  const start = (): void =>
    void call("pg_ctl", "-D", data, "-w", "-s", "-l", join(folder, "log"), "-o", options, "start");
  const stop = (how: "fast" | "immediate"): void => {
    if (how === "immediate") killServer(data);
    else call("pg_ctl", "-D", data, "-w", "-s", "-m", how, "stop");
  };
  const sql = (database: string, text: string): string =>
    call("psql", "-h", folder, "-p", String(port), "-U", "postgres", "-d", database, "-qAtc", text);
  start();
  if (host !== "127.0.0.1")
    execFileSync("sh", ["-c", `echo 'host all all 0.0.0.0/0 trust' >> ${data}/pg_hba.conf`]);
  if (host !== "127.0.0.1") sql("postgres", "SELECT pg_reload_conf()");
  const made = new Set<string>();
  return {
    url(database) {
      if (!made.has(database)) sql("postgres", `CREATE DATABASE ${database}`);
      made.add(database);
      return `postgres://postgres@${host}:${port}/${database}`;
    },
    ...{ sql, start, stop },
    remove() {
      spawnSync(join(binaries ?? "", "pg_ctl"), ["-D", data, "-s", "-m", "immediate", "stop"], {
        ...(account ?? {}),
        cwd: folder,
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** As a crash of the machine: `pg_ctl -m immediate` waits for a minute if a session ignores its signal. */
function killServer(data: string): void {
  const parent = Number(readFileSync(join(data, "postmaster.pid"), "utf8").split("\n")[0]);
  const listed = spawnSync("ps", ["-o", "pid=", "--ppid", String(parent)], { encoding: "utf8" }).stdout;
  const processes = [parent, ...listed.trim().split(/\s+/).map(Number)];
  for (const pid of processes) kill(pid, "SIGKILL");
  // A server does not start while a process of the former one lives.
  const end = Date.now() + 10_000;
  while (processes.some((pid) => kill(pid, 0)) && Date.now() < end)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
}

/** False if the process is gone. */
function kill(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function findAccount(): { readonly uid: number; readonly gid: number } | undefined {
  const id = (flag: string): number =>
    Number(spawnSync("id", [flag, "postgres"]).stdout?.toString() || Number.NaN);
  const [uid, gid] = [id("-u"), id("-g")];
  return Number.isInteger(uid) && Number.isInteger(gid) ? { uid, gid } : undefined;
}

/**
 * On the loopback, below the ports that the system gives out by itself (from 32,768 on Linux). So no connection and no
 * server on port 0 takes it before it is used, or while the server restarts.
 */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) =>
      error.code === "EADDRINUSE" ? resolve(freePort()) : reject(error),
    );
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(port)));
  });
}
