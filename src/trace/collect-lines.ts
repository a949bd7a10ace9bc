/**
 * Reads the lines that traced processes wrote. Untrusted code wrote these files, so the reader takes only regular
 * files, follows no link, and stops at a limit.
 */
import { constants, type Dirent, readdirSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";

/** Maximum number of bytes of all files together. */
const mostBytes = 256 * 1024 * 1024;

export interface CollectedLines {
  /** The text of each file, in the order in which the processes began. */
  readonly texts: readonly string[];
  /** Number of files left out because of the limit, or because Millwright cannot read them. */
  readonly leftOut: number;
  /** Languages whose runtimes created the file that confirms their start. */
  readonly loaded: readonly string[];
}

export async function collectLines(folder: string): Promise<CollectedLines> {
  const found: { text: string; epoch: number; name: string }[] = [];
  let room = mostBytes;
  let leftOut = 0;
  const entries = listFiles(folder);
  for (const entry of entries) {
    if (!entry.name.endsWith(".jsonl")) continue;
    const text = await readRegularFile(join(folder, entry.name), room);
    if (text === undefined) leftOut += 1;
    else {
      room -= text.length;
      if (text !== "") found.push({ text, epoch: epochOf(text), name: entry.name });
    }
  }
  found.sort((a, b) => a.epoch - b.epoch || (a.name < b.name ? -1 : 1));
  const loaded = entries.flatMap(({ name }) => /^(\w+)\.loaded$/.exec(name)?.[1] ?? []);
  return { texts: found.map(({ text }) => text), leftOut, loaded };
}

function listFiles(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  } catch {
    return [];
  }
}

/** Undefined if the path is no longer a regular file, or the file exceeds the remaining limit (`room`, bytes). */
async function readRegularFile(path: string, room: number): Promise<string | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      const { size } = await file.stat();
      return size > room ? undefined : (await file.readFile()).toString("utf8");
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

function epochOf(text: string): number {
  const [, epoch] = /"epoch":\s*([\d.]+)/.exec(text.slice(0, text.indexOf("\n"))) ?? [];
  return Number(epoch ?? 0);
}
