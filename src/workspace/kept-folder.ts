/**
 * Keeps a working folder between commands. Stores which tree Millwright laid last, and which other files it copied into
 * the folder.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { hashData } from "../base/hash.ts";
import { type BytePath, hostPath, nameOf, parentOf } from "./byte-path.ts";
import { statNow } from "./file-status.ts";
import { removeAny } from "./file-writing.ts";
import { keptFileSchema } from "./kept-copy.ts";
import { createFolderCheck } from "./user-files.ts";
import type { SavedFiles } from "./working-files.ts";

const stateSchema = z.object({
  schema: z.literal("millwright.kept-folder/1"),
  /** Identifies the files that Millwright copied into the folder in addition to the tree. */
  copied: z.string(),
  copies: z.array(z.string()),
  clock: z.number(),
  laid: z.array(keptFileSchema),
});

export interface KeptFolder {
  /** The laid files; undefined if the folder is empty. */
  readonly laid: SavedFiles | undefined;
  /** True if the copied files still equal those of the repository. */
  readonly isCurrent: boolean;
  /**
   * Runs `work`, during which the folder's state is unknown. If the process dies meanwhile, Millwright rebuilds the
   * folder.
   */
  change<T>(work: () => Promise<T>, save: () => SavedFiles | undefined): Promise<T>;
}

export interface KeptRequest {
  readonly directory: string;
  readonly folder: string;
  readonly repository: string;
  /** Paths copied from the repository in addition to its tree. */
  readonly copies: readonly BytePath[];
}

/**
 * Opens the folder that an earlier command used. Empties the folder if its recorded state is missing or no longer
 * valid.
 */
export function openKeptFolder({ directory, folder, repository, copies }: KeptRequest): KeptFolder {
  const path = join(directory, "kept-folder.json");
  const copied = hashData(copies.map((each) => describe(repository, each)));
  const found = readState(path);
  const isSame = found?.copied === copied;
  const usable = found !== undefined && (isSame || removeCopies(folder, [...found.copies, ...copies]));
  // The scratch folder stays: tools keep their builds there.
  rmSync(join(directory, "state"), { recursive: true, force: true });
  if (!usable) {
    rmSync(folder, { recursive: true, force: true });
    // Its files will be as old as the user's, so earlier builds would count as newer.
    removeAny(directory, "overlays");
  }
  mkdirSync(folder, { recursive: true });
  return {
    laid: usable ? restore(found) : undefined,
    isCurrent: usable && isSame,
    async change(work, save) {
      rmSync(path, { force: true });
      const done = await work();
      const saved = save();
      if (saved !== undefined) writeFileSync(path, JSON.stringify(store(saved, copied, copies)));
      return done;
    },
  };
}

type State = z.infer<typeof stateSchema>;

function readState(path: string): State | undefined {
  try {
    return stateSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch {
    return undefined;
  }
}

function restore({ clock, laid }: State): SavedFiles {
  return {
    clock,
    laid: new Map(laid.map(({ path, mode, id, signature }) => [path, { entry: { mode, id }, signature }])),
  };
}

function store({ clock, laid }: SavedFiles, copied: string, copies: readonly BytePath[]): State {
  return {
    schema: "millwright.kept-folder/1",
    copied,
    copies: [...copies],
    clock,
    laid: [...laid].map(([path, { entry, signature }]) => ({
      path,
      mode: entry.mode,
      id: entry.id,
      signature: {
        ino: signature.ino,
        size: signature.size,
        mode: signature.mode,
        mtimeMs: signature.mtimeMs,
        ctimeMs: signature.ctimeMs,
        nlink: signature.nlink,
      },
    })),
  };
}

/**
 * Removes the copies. Returns false if a command put a link above one of them: Millwright removes and copies nothing
 * through a link.
 */
function removeCopies(folder: string, copies: readonly BytePath[]): boolean {
  const check = createFolderCheck(folder);
  const present = copies.filter((path) => statNow(hostPath(folder, path)) !== undefined);
  const isSafe = copies.every((path) => isRealOrMissing(folder, parentOf(path), check.isReal));
  if (!isSafe) return false;
  for (const path of present) removeAny(folder, path);
  return true;
}

function isRealOrMissing(folder: string, path: BytePath, isReal: (path: BytePath) => boolean): boolean {
  if (path === "" || isReal(path)) return true;
  return statNow(hostPath(folder, path)) === undefined && isRealOrMissing(folder, parentOf(path), isReal);
}

/** Describes a file, or all files in a folder, by names, sizes and times. */
function describe(root: string, path: BytePath): unknown {
  const status = statNow(hostPath(root, path));
  if (status === undefined) return null;
  if (!status.isDirectory()) return [nameOf(path), status.size, status.mtimeMs, status.mode];
  const names = readdirSync(hostPath(root, path), { encoding: "latin1" }).sort();
  return [nameOf(path), ...names.map((name) => describe(root, `${path}/${name}`))];
}
