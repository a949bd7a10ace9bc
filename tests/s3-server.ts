/** A server of the tests' own that speaks the protocol of S3: moto's. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./postgres-server.ts";

/** Why there is none here; undefined where there is. */
export const s3Problem =
  spawnSync("python3", ["-c", "import moto.server, flask"]).status === 0
    ? undefined
    : "python3 has no moto (`pip install 'moto[server]'`)";

export interface S3Server {
  readonly url: string;
  close(): Promise<void>;
}

export async function startS3(...buckets: readonly string[]): Promise<S3Server> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "millwright-s3-"));
  const server = spawn("python3", ["-m", "moto.server", "-H", "127.0.0.1", "-p", String(port)], {
    ...{ cwd: folder, stdio: "ignore" as const },
    env: { PATH: process.env["PATH"], HOME: folder, TMPDIR: folder },
  });
  const ended = once(server, "exit");
  const url = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    server.kill("SIGKILL");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let tries = 0; ; tries += 1) {
    try {
      await fetch(url);
      break;
    } catch (error) {
      if (tries > 600 || server.exitCode !== null) {
        await close();
        throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  for (const bucket of buckets) await fetch(`${url}/${bucket}`, { method: "PUT" });
  return { url, close };
}
