import { once } from "node:events";
import type { Writable } from "node:stream";
import { gitFailure, gitIsMissing, startGit } from "./git.ts";

export interface ImportWriter {
  write(data: string | Buffer): Promise<void>;
  finish(): Promise<void>;
  stop(): void;
}

/** Starts `git fast-import`, which writes blobs and trees from one stream into one pack. */
export function startImport(gitDirectory: string): ImportWriter {
  const request = { gitDirectory, arguments: ["fast-import", "--quiet", "--force", "--done", "--depth=0"] };
  const child = startGit(request);
  let stderr = "";
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-4096);
  });
  child.stdout.resume();
  child.stdin.on("error", () => {}); // its end says why
  const ended = new Promise<void>((resolve, reject) => {
    child.on("error", (error) => reject(gitIsMissing(error)));
    child.on("close", (code) => (code === 0 ? resolve() : reject(gitFailure(request, stderr))));
  });
  ended.catch(() => {}); // awaited below, or abandoned
  const flush = async (): Promise<void> => {
    const data = Buffer.concat(pending);
    pending = [];
    pendingBytes = 0;
    if (!child.stdin.write(data)) await Promise.race([onceDrained(child.stdin), ended]);
  };
  return {
    async write(data) {
      const bytes = typeof data === "string" ? Buffer.from(data, "latin1") : data;
      pending.push(bytes);
      pendingBytes += bytes.length;
      if (pendingBytes > 1024 * 1024) await flush();
    },
    async finish() {
      pending.push(Buffer.from("\ndone\n"));
      await flush();
      child.stdin.end();
      await ended;
    },
    stop: () => child.kill("SIGKILL"),
  };
}

async function onceDrained(stream: Writable): Promise<void> {
  await once(stream, "drain");
}
