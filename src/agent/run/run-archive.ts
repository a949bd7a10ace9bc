/** Packs a run's folder into one file, to hand it to another machine. */
import { spawn } from "node:child_process";
import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { buffer, text } from "node:stream/consumers";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { MillwrightError } from "../../base/errors.ts";
import { hashText } from "../../base/hash.ts";
import { makeFolders } from "../../base/make-folders.ts";

/**
 * Returns a compressed archive of the run's folder, without its lock and its workspace. Throws MillwrightError("disk")
 * if tar fails.
 */
export async function packRun(directory: string): Promise<Buffer> {
  const name = basename(directory);
  const left = ["lock", "workspace"].map((each) => `--exclude=${name}/${each}`);
  // Compressed here: tar starts a second process for that.
  return promisify(gzip)(await callTar(["-cf", "-", "-C", dirname(directory), ...left, name]));
}

/** The name of a file in an unpacked run: the hash of its archive. */
const hashName = "archive.sha256";

/**
 * Unpacks a run, unless `runsDirectory` already contains the run from this archive. Replaces an earlier run of the same
 * try, which has the same name. Throws MillwrightError("disk") if the archive is damaged or tar fails.
 */
export async function unpackRun(content: Buffer, runsDirectory: string, run: string): Promise<void> {
  const target = join(runsDirectory, run);
  const hash = hashText(content);
  const known = await readFile(join(target, hashName), "utf8").catch(() => undefined);
  if (known === hash) return;
  const incoming = join(runsDirectory, `.incoming-${process.pid}-${run}`);
  try {
    await makeFolders(incoming);
    await callTar(["-xf", "-", "-C", incoming], await uncompress(content));
    await writeFile(join(incoming, run, hashName), hash);
    await rm(target, { recursive: true, force: true });
    await rename(join(incoming, run), target);
  } finally {
    await rm(incoming, { recursive: true, force: true });
  }
}

async function uncompress(content: Buffer): Promise<Buffer> {
  try {
    return await promisify(gunzip)(content);
  } catch (cause) {
    throw new MillwrightError("disk", `The archive of a run is damaged: ${String(cause)}`, { cause });
  }
}

async function callTar(args: readonly string[], input: Uint8Array = Buffer.alloc(0)): Promise<Buffer> {
  const env = { ...process.env, LC_ALL: "C" };
  const child = spawn("tar", args, { env, stdio: ["pipe", "pipe", "pipe"] });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  child.stdin.on("error", () => {}); // it may end before it has read all
  child.stdin.end(input);
  try {
    const [exitCode, output, said] = await Promise.all([ended, buffer(child.stdout), text(child.stderr)]);
    if (exitCode === 0) return output;
    const code = /No space left on device/.test(said) ? { code: "ENOSPC" } : {};
    throw Object.assign(new Error(said.trim().slice(-300)), code);
  } catch (cause) {
    throw new MillwrightError("disk", `tar cannot pack or unpack the run: ${String(cause)}`, { cause });
  }
}
