/** Makes stored environments again. */
import { lstatSync, mkdirSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { isSystemError, MillwrightError } from "../base/errors.ts";
import { readRegularFile } from "../base/regular-file.ts";
import {
  type BytePath,
  hostPath,
  parentOf,
  parsePath,
  showPath,
  toBytePath,
} from "../workspace/byte-path.ts";
import {
  checkObject,
  type Entry,
  type FileEntry,
  type LinkEntry,
  objectPath,
  ownPath,
  readManifest,
  readPieces,
  writePieces,
} from "./frozen-store.ts";

export interface ThawRequest {
  /** The folder of the store. */
  readonly folder: string;
  readonly key: string;
  /** A checkout of the environment's commit. */
  readonly repository: string;
  /**
   * Finds a virtual environment's Python on this machine: the file to which the environment's link pointed, or another
   * Python of the same version (`3.11`). Undefined if an image has the programs. Links then stay as they are.
   */
  readonly findPython: ((named: string, version: string) => string | undefined) | undefined;
  readonly signal: AbortSignal;
}

/** Lays the stored files of an environment into its repository. Throws MillwrightError("repository") if a file is missing or
 * damaged, or if this machine lacks the environment's Python. Throws AbortError if interrupted.
 */
export async function thawEnvironment(request: ThawRequest): Promise<void> {
  const entries = readManifest(request.folder, request.key);
  if (entries === "missing")
    throw new MillwrightError("repository", `${request.folder} does not contain this environment`, {
      hint: "Store the environments with `bench mine freeze` while the network can be reached.",
    });
  if (entries === "damaged") throw unusable(`the list of files ${request.key} in ${request.folder}`, entries);
  const moves = findMoves(entries, request);
  const folders = new Set<BytePath>();
  // Links last: no file may be written through one.
  for (const entry of entries.toSorted((a, b) => Number(a.kind === "link") - Number(b.kind === "link"))) {
    request.signal.throwIfAborted();
    const path = placeOf(entry.path);
    layFolder(request.repository, entry.kind === "folder" ? path : parentOf(path), folders);
    try {
      if (entry.kind === "file") layFile(entry, path, request, moves.homes.get(entry.path));
      else if (entry.kind === "link") layLink(entry, path, request, moves.programs.get(entry.path));
    } catch (error) {
      if (!isSystemError(error, "EEXIST")) throw error;
      throw new MillwrightError(
        "repository",
        `the stored environment contains a path that the commit also has: ${entry.path}`,
      );
    }
  }
}

function unusable(what: string, state: string): MillwrightError {
  return new MillwrightError("repository", `${what} is ${state}`, {
    hint: "Store the environments again with `bench mine freeze`.",
  });
}

interface Moves {
  /** This machine's programs, by the path of the link. */
  readonly programs: Map<string, string>;
  /**
   * The folders of these programs, by the path of the `pyvenv.cfg` that names them. Python searches for its library
   * there.
   */
  readonly homes: Map<string, string>;
}

/** Finds the Python of each virtual environment. */
function findMoves(entries: readonly Entry[], { folder, findPython }: ThawRequest): Moves {
  const moves: Moves = { programs: new Map(), homes: new Map() };
  if (findPython === undefined) return moves;
  const files = new Map(entries.flatMap((entry) => (entry.kind === "file" ? [[entry.path, entry]] : [])));
  for (const entry of entries) {
    const [, parent, name] = /^(.*?)bin\/((?:python|pypy)[^/]*)$/.exec(entry.path) ?? [];
    if (entry.kind !== "link" || name === undefined || !entry.target.startsWith("/")) continue;
    const settings = files.get(`${parent}pyvenv.cfg`);
    const text = settings === undefined ? "" : readObject(folder, settings).toString("latin1");
    const version = /^version(?:_info)?\s*=\s*(\d+\.\d+)/m.exec(text)?.[1];
    if (settings === undefined || version === undefined) continue;
    const program = findPython(entry.target, version);
    if (program === undefined)
      throw new MillwrightError("repository", `the environment needs Python ${version} (${entry.target})`, {
        hint: `Install Python ${version}, or add its folder to PATH, and run the command again.`,
      });
    if (program === entry.target) continue;
    moves.programs.set(entry.path, program);
    moves.homes.set(settings.path, dirname(program));
  }
  return moves;
}

function readObject(folder: string, entry: FileEntry): Buffer {
  requireObject(folder, entry);
  return readRegularFile(objectPath(folder, entry.sha256));
}

function requireObject(folder: string, entry: FileEntry): void {
  const state = checkObject(folder, entry);
  if (state !== "whole") throw unusable(objectPath(folder, entry.sha256), state);
}

/**
 * Returns the entry's path. Throws if the path is outside of the project or in a git folder: a manifest may come from
 * elsewhere.
 */
function placeOf(shown: string): BytePath {
  const path = parsePath(shown) ?? "";
  const isOutside = path
    .split("/")
    .some((name) => ["", ".", "..", ".git"].includes(name.toLowerCase()) || name.includes("\0"));
  if (isOutside) throw outside(shown);
  return path;
}

function outside(path: string): MillwrightError {
  return new MillwrightError(
    "repository",
    `the stored environment contains a path outside the project's files: ${path}`,
  );
}

/** Makes a folder and its parents. Follows no link. `known`: folders that exist. */
function layFolder(repository: string, folder: BytePath, known: Set<BytePath>): void {
  if (folder === "" || known.has(folder)) return;
  layFolder(repository, parentOf(folder), known);
  const path = hostPath(repository, folder);
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) mkdirSync(path);
  else if (!status.isDirectory()) throw outside(showPath(folder));
  known.add(folder);
}

/** Lays a file. `home`: replaces the folder in a virtual environment's settings. */
function layFile(
  entry: FileEntry,
  path: BytePath,
  { folder, repository }: ThawRequest,
  home: string | undefined,
): void {
  const place = hostPath(repository, path);
  const writing = { mode: entry.isProgram ? 0o777 : 0o666, flag: "wx", isSynced: false } as const;
  if (!entry.moved && home === undefined) {
    requireObject(folder, entry);
    writePieces(place, readPieces(objectPath(folder, entry.sha256)), writing);
    return;
  }
  const stored = readObject(folder, entry).toString("latin1");
  const own = entry.moved ? stored.replaceAll(ownPath, () => toBytePath(repository)) : stored;
  const text =
    home === undefined
      ? own
      : own.replace(/^(home\s*=\s*).*$/m, (_, start: string) => start + toBytePath(home));
  writePieces(place, [Buffer.from(text, "latin1")], writing);
}

/** Lays a link. `program`: replaces the stored target. */
function layLink(
  { path: shown, target }: LinkEntry,
  path: BytePath,
  { repository }: ThawRequest,
  program: string | undefined,
): void {
  const stored = program === undefined ? parsePath(target) : toBytePath(program);
  if (stored === undefined || stored === "" || stored.includes("\0")) throw outside(shown);
  const isOwn = stored === ownPath || stored.startsWith(`${ownPath}/`);
  const named = isOwn ? toBytePath(repository) + stored.slice(ownPath.length) : stored;
  symlinkSync(Buffer.from(named, "latin1"), hostPath(repository, path));
}
