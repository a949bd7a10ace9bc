/**
 * Finds files that changed on disk since the index was written. Compares each file's status with the index, without
 * reading contents.
 */
import { realpathSync, type Stats } from "node:fs";
import { dirname, sep } from "node:path";
import { isSystemError } from "../../base/errors.ts";
import { hostPath, showPath } from "../../workspace/byte-path.ts";
import { statNow } from "../../workspace/file-status.ts";
import { listRepositoryFiles } from "../../workspace/repository-files.ts";
import type { Store } from "../store/open-store.ts";
import { stampOfWords } from "../store/schema.ts";

export interface ScannedFile {
  readonly path: string;
  readonly hostPath: string;
  readonly bytes: number;
  /** Derived from the file's status; "" if the status cannot reveal a later change. */
  readonly stamp: string;
  /** True if the index does not contain the file. */
  readonly isNew?: boolean;
  /** True if the index has the file's current words, but not its syntax. */
  readonly isKnownByWords?: boolean;
  /** The reason why Millwright does not read the file. */
  readonly skipped?: string;
}

export interface Scan {
  /** The files that are new, or whose content may have changed. */
  readonly changed: readonly ScannedFile[];
  /** Ids of the deleted files in the index. */
  readonly removed: readonly number[];
  readonly total: number;
}

export interface ScanRequest {
  readonly repository: string;
  readonly directory: string;
  readonly home: string | undefined;
}

export async function scanRepository(store: Store, request: ScanRequest): Promise<Scan> {
  const { files } = await listRepositoryFiles({ ...request, filesOnly: true });
  const known = new Map<string, { readonly id: number; readonly stamp: string }>();
  for (const { id, path, stamp } of store.prepare("SELECT id, path, stamp FROM files").iterate())
    known.set(String(path), { id: Number(id), stamp: String(stamp) });
  const look = createLook(request.repository);
  const changed: ScannedFile[] = [];
  let total = 0;
  for (const bytePath of files) {
    const path = showPath(bytePath);
    const found = look(path, hostPath(request.repository, bytePath));
    if (found === undefined) continue;
    total++;
    const before = known.get(path);
    if (found.stamp === "" || before?.stamp !== found.stamp)
      changed.push({
        ...found,
        isNew: before === undefined,
        isKnownByWords: isOfWords(before?.stamp, found),
      });
    known.delete(path);
  }
  return { changed, removed: [...known.values()].map(({ id }) => id), total };
}

/** Returns the current state of one file; undefined if the file does not exist. */
export function scanFile(repository: string, path: string): ScannedFile | undefined {
  return createLook(repository)(path, `${repository}/${path}`);
}

function createLook(repository: string): (path: string, host: string | Buffer) => ScannedFile | undefined {
  const now = Date.now();
  const root = realpathSync(repository);
  const inside = new Map<string, boolean>();
  return (path, host) => {
    const status = statNow(host);
    if (status === undefined || status.isDirectory()) return undefined;
    // Written so recently that a second change could leave the same status: checked again next time.
    const isFresh = now - status.mtimeMs < 20;
    const stamp = isFresh ? "" : stampOf(status);
    const found = { path, hostPath: String(host), bytes: status.size, stamp };
    if (typeof host !== "string") return { ...found, skipped: "a name that is not UTF-8" };
    if (status.isSymbolicLink()) return { ...found, skipped: "symbolic link" };
    const folder = dirname(host);
    const known = inside.get(folder) ?? isInside(root, folder);
    inside.set(folder, known);
    return known ? found : { ...found, skipped: "behind a symbolic link that leads out of the repository" };
  };
}

/**
 * Returns the stamp of a file: a text made of its size, times and inode. If the stamp has changed, the content may have
 * changed.
 */
export function stampOf({ size, mtimeMs, ctimeMs, ino }: Stats): string {
  return `${size}:${mtimeMs}:${ctimeMs}:${ino}`;
}

function isOfWords(known: string | undefined, { stamp }: ScannedFile): boolean {
  return stamp !== "" && known === stampOfWords(stamp);
}

function isInside(root: string, folder: string): boolean {
  try {
    const real = realpathSync(folder);
    return real === root || real.startsWith(root.endsWith(sep) ? root : root + sep);
  } catch (error) {
    if (isSystemError(error)) return false;
    throw error;
  }
}
