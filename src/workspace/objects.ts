/** Reads and writes git objects of the private store. */
import { createHash, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { deflateSync } from "node:zlib";
import { MillwrightError } from "../base/errors.ts";
import { gitFailure, gitIsMissing, startGit } from "./git.ts";

export interface ObjectStore {
  /** Reads the object's bytes. Throws MillwrightError("disk") if the store does not have the object. */
  read(id: string): Promise<Buffer>;
  write(type: "blob" | "tree", content: Uint8Array): string;
  close(): void;
}

export function openObjectStore(gitDirectory: string): ObjectStore {
  let reader: BatchReader | undefined;
  return {
    async read(id) {
      // A reader that died (killed by hand, out of memory) is restarted for the next object.
      if (reader === undefined || reader.isDead()) reader = startBatchReader(gitDirectory);
      const content = await reader.read(id);
      if (content === undefined) {
        throw new MillwrightError("disk", `The run's store lacks the git object ${id}.`, {
          hint: "The run's folder is damaged: start a new run.",
        });
      }
      return content;
    },
    write: (type, content) => writeLooseObject(gitDirectory, type, content),
    close() {
      reader?.close();
      reader = undefined;
    },
  };
}

/**
 * Writes an object without git, because thousands of candidates would each cost milliseconds for a git process. Does
 * not sync: after a power failure, a resumed run finds that the object is missing and says so.
 */
function writeLooseObject(gitDirectory: string, type: string, content: Uint8Array): string {
  const header = Buffer.from(`${type} ${content.length}\0`);
  const id = createHash("sha1").update(header).update(content).digest("hex");
  const folder = join(gitDirectory, "objects", id.slice(0, 2));
  const path = join(folder, id.slice(2));
  if (existsSync(path)) return id;
  mkdirSync(folder, { recursive: true });
  const temporary = join(folder, `tmp_${randomBytes(6).toString("hex")}`);
  try {
    writeFileSync(temporary, deflateSync(Buffer.concat([header, content]), { level: 1 }), { mode: 0o444 });
    renameSync(temporary, path);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  return id;
}

interface BatchReader {
  read(id: string): Promise<Buffer | undefined>;
  isDead(): boolean;
  close(): void;
}

interface Waiting {
  readonly resolve: (content: Buffer | undefined) => void;
  readonly reject: (error: Error) => void;
}

/** Starts one `git cat-file --batch` for many objects. Answers come in the order of requests. */
function startBatchReader(gitDirectory: string): BatchReader {
  const request = { gitDirectory, arguments: ["cat-file", "--batch"] };
  const child = startGit(request);
  const waiting: Waiting[] = [];
  const take = createBatchParser((content) => waiting.shift()?.resolve(content));
  let stderr = "";
  let isDead = false;
  const end = (error: Error): void => {
    isDead = true;
    for (const each of waiting.splice(0)) each.reject(error);
  };
  child.stdout.on("data", take);
  child.stderr.on("data", (chunk: Buffer) => {
    stderr = (stderr + chunk.toString("utf8")).slice(-4096);
  });
  child.stdin.on("error", () => {}); // the end of the process reports it
  child.on("error", (error) => end(gitIsMissing(error)));
  child.on("close", () => end(gitFailure(request, stderr)));
  return {
    read(id) {
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        child.stdin.write(`${id}\n`);
      });
    },
    isDead: () => isDead,
    close() {
      child.stdin.end();
      child.unref();
    },
  };
}

/** Splits the output of `git cat-file --batch`: `ID TYPE SIZE\n`, the content, `\n`; or `ID missing\n`. */
function createBatchParser(onObject: (content: Buffer | undefined) => void): (chunk: Buffer) => void {
  let pending: Buffer[] = [];
  let pendingBytes = 0;
  let needed = 1; // minimum bytes before the next step of the parser

  return (chunk) => {
    pending.push(chunk);
    pendingBytes += chunk.length;
    if (pendingBytes < needed) return;
    let data = pending.length === 1 ? chunk : Buffer.concat(pending);
    for (;;) {
      const newline = data.indexOf(0x0a);
      if (newline === -1) {
        needed = data.length + 1;
        break;
      }
      const [, type = "", size] = data.toString("latin1", 0, newline).split(" ");
      const isMissing = size === undefined || type === "missing";
      const length = isMissing ? 0 : Number(size) + 1;
      needed = newline + 1 + length;
      if (data.length < needed) break;
      onObject(isMissing ? undefined : Buffer.from(data.subarray(newline + 1, needed - 1)));
      data = data.subarray(needed);
    }
    pending = [data];
    pendingBytes = data.length;
  };
}
