/** A Docker daemon of the tests alone, which they may stop and kill. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import Docker from "dockerode";

/** Why there can be none here, or undefined. */
export const daemonProblem: string | undefined =
  process.getuid?.() !== 0
    ? "needs root"
    : spawnSync("dockerd", ["--version"]).status !== 0
      ? "dockerd is not installed"
      : undefined;

export interface OwnDaemon {
  /** For DOCKER_HOST. */
  readonly address: string;
  start(): Promise<void>;
  stop(signal: "SIGTERM" | "SIGKILL"): Promise<void>;
  /** It hangs until it is resumed. */
  pause(): void;
  resume(): void;
  remove(): Promise<void>;
}

/** A daemon that does not run yet; its data lie in `dataRoot`, or a folder of its own. */
export async function prepareDaemon(dataRoot?: string): Promise<OwnDaemon> {
  const root = await mkdtemp(join(tmpdir(), "millwright-dockerd-"));
  const socket = join(root, "docker.sock");
  const pidFiles = [join(root, "pid"), join(root, "exec/containerd/containerd.pid")];
  let daemon: ChildProcess | undefined;
  let log = "";

  async function start(): Promise<void> {
    await mkdir(join(root, "exec"), { recursive: true });
    daemon = spawn(
      "dockerd",
      [
        ...["--bridge=none", "--iptables=false", "--host", `unix://${socket}`],
        ...["--data-root", dataRoot ?? join(root, "data"), "--exec-root", join(root, "exec")],
        ...["--pidfile", join(root, "pid")],
      ],
      { stdio: ["ignore", "ignore", "pipe"] },
    );
    daemon.stderr?.on("data", (chunk: Buffer) => {
      log = (log + chunk.toString()).slice(-4000);
    });
    const client = new Docker({ socketPath: socket });
    for (let attempt = 0; attempt < 300; attempt++) {
      const isUp = await client.ping().then(
        () => true,
        () => false,
      );
      if (isUp) return;
      if (daemon.exitCode !== null) break;
      await delay(100);
    }
    throw new Error(`dockerd does not start:\n${log}`);
  }
  async function stop(signal: "SIGTERM" | "SIGKILL"): Promise<void> {
    if (daemon === undefined || daemon.exitCode !== null || daemon.signalCode !== null) return;
    const ended = once(daemon, "exit");
    daemon.kill(signal);
    await ended;
    if (signal === "SIGTERM") return;
    // The next daemon refuses to start beside the containerd of the one that was killed.
    const containerd = Number(await readFile(pidFiles[1] ?? "", "utf8").catch(() => "0"));
    if (containerd > 0 && isContainerd(containerd)) process.kill(containerd, "SIGKILL");
    for (const file of pidFiles) await rm(file, { force: true });
  }
  return {
    address: `unix://${socket}`,
    start,
    stop,
    pause: () => void daemon?.kill("SIGSTOP"),
    resume: () => void daemon?.kill("SIGCONT"),
    async remove() {
      await stop("SIGTERM");
      spawnSync("sh", [
        "-c",
        'grep -F "$1" /proc/mounts | cut -d" " -f2 | sort -r | xargs -r umount',
        "sh",
        root,
      ]);
      await rm(root, { recursive: true, force: true });
    },
  };
}

function isContainerd(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/comm`, "utf8").startsWith("containerd");
  } catch {
    return false;
  }
}
