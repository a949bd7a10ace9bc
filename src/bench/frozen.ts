/** Stores the files that setups add to commits. Millwright can then make the environments again without a network. */
import { lstatSync, readdirSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { createRedactor } from "../base/redact.ts";
import { largestFile, readRegularFile } from "../base/regular-file.ts";
import { type BytePath, hostPath, nameOf, showPath, splitPaths, toBytePath } from "../workspace/byte-path.ts";
import { runGit } from "../workspace/git.ts";
import {
  checkObject,
  type Entry,
  ownPath,
  putObject,
  readManifest,
  readPieces,
  removeUnfinished,
  writeManifest,
} from "./frozen-store.ts";

export interface FreezeRequest {
  /** The folder of the store. */
  readonly folder: string;
  readonly key: string;
  /** The environment's folder. */
  readonly repository: string;
  /** Secrets that only a setup may know. */
  readonly secrets: readonly string[];
  readonly signal: AbortSignal;
}

export interface FrozenSize {
  readonly files: number;
  readonly bytes: number;
  /** Sizes in bytes, by the contents' SHA-256, for sums over several environments. */
  readonly contents: ReadonlyMap<string, number>;
}

/**
 * Stores an environment's files that its commit does not contain. Skips contents that the store already has undamaged.
 * Omits each `.git` of nested repositories. Throws MillwrightError("repository") if a text contains a secret, and
 * AbortError if interrupted.
 */
export async function freezeEnvironment(request: FreezeRequest): Promise<FrozenSize> {
  const { folder, key, repository, signal } = request;
  await removeUnfinished(folder);
  const stored = readManifest(folder, key);
  if (typeof stored !== "string" && isWhole(folder, stored, signal)) return sizeOf(stored);
  const paths = await listAdded(repository);
  const entries = [...storeAll(request, paths)];
  await removeUnfinished(folder);
  await writeManifest(folder, key, entries);
  return sizeOf(entries);
}

function isWhole(folder: string, entries: readonly Entry[], signal: AbortSignal): boolean {
  return entries.every((entry) => {
    signal.throwIfAborted();
    return entry.kind !== "file" || checkObject(folder, entry) === "whole";
  });
}

function sizeOf(entries: readonly Entry[]): FrozenSize {
  const files = entries.filter((entry) => entry.kind === "file");
  return {
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    contents: new Map(files.map(({ sha256, bytes }) => [sha256, bytes])),
  };
}

/** Lists paths that git does not track: files, links, and whole folders if git tracks nothing in them. */
async function listAdded(repository: string): Promise<BytePath[]> {
  const { stdout } = await runGit({
    ...{ gitDirectory: join(repository, ".git"), workTree: repository },
    arguments: ["ls-files", "-z", "--others", "--directory"],
  });
  return splitPaths(stdout)
    .map((path) => path.replace(/\/$/, ""))
    .sort();
}

function* storeAll(request: FreezeRequest, paths: readonly BytePath[]): Generator<Entry> {
  const { repository, signal } = request;
  for (const path of paths) {
    signal.throwIfAborted();
    if (nameOf(path).toLowerCase() === ".git") continue;
    const full = hostPath(repository, path);
    const status = lstatSync(full);
    if (status.isSymbolicLink()) yield storeLink(repository, path);
    else if (status.isFile()) yield storeFile(request, path, status);
    else if (status.isDirectory()) {
      yield { kind: "folder", path: showPath(path) };
      const names = readdirSync(full, { encoding: "latin1" }).sort();
      yield* storeAll(
        request,
        names.map((name) => `${path}/${name}`),
      );
    }
  }
}

function storeLink(repository: string, path: BytePath): Entry {
  const target = readlinkSync(hostPath(repository, path), "latin1");
  const own = toBytePath(repository);
  const isOwn = target === own || target.startsWith(`${own}/`);
  const kept = isOwn ? ownPath + target.slice(own.length) : target;
  return { kind: "link", path: showPath(path), target: showPath(kept) };
}

/** Stores one file. Replaces the environment's path only in texts: in compiled files, the path only informs people. */
function storeFile(
  { folder, repository, secrets }: FreezeRequest,
  path: BytePath,
  { size, mode }: { readonly size: number; readonly mode: number },
): Entry {
  const full = hostPath(repository, path);
  const text = size > largestFile ? undefined : readText(full);
  if (text !== undefined) refuseSecrets(text, secrets, path);
  const own = toBytePath(repository);
  const moved = text?.includes(own) === true;
  const content = moved ? [Buffer.from(text.replaceAll(own, ownPath), "latin1")] : undefined;
  const kept = putObject(folder, () => content ?? readPieces(full));
  return { kind: "file", path: showPath(path), ...kept, isProgram: (mode & 0o100) !== 0, moved };
}

/** Reads a text as Latin-1, which keeps every byte; undefined if the file is not a text. */
function readText(path: string | Buffer): string | undefined {
  const content = readRegularFile(path);
  return content.subarray(0, 8192).includes(0) ? undefined : content.toString("latin1");
}

/** Throws if the text contains a secret. Settings such as `.npmrc` may contain a token, and datasets are published. */
function refuseSecrets(text: string, secrets: readonly string[], path: BytePath): void {
  if (createRedactor(secrets.map(toBytePath)).known(text) === text) return;
  throw new MillwrightError("repository", `${showPath(path)} contains the value of a setup variable`, {
    hint: "Let the setup remove the file, build the environment again, and store it then.",
  });
}
