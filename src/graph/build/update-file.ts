/** One file that is known to have changed, at once: extracted, written and resolved in one transaction. */
import { MillwrightError } from "../../base/errors.ts";
import { keepWorld, takeWorld } from "../resolve/kept-world.ts";
import { readResolved, resolveChanged } from "../resolve/resolve-changed.ts";
import { resolveFile } from "../resolve/resolve-files.ts";
import { inTransaction, type Store } from "../store/open-store.ts";
import { takeWriterLock } from "../store/writer-lock.ts";
import { extractHere } from "./refresh.ts";
import { scanFile } from "./scan.ts";
import { removeFile, writeExtracted } from "./write-files.ts";

export interface FileUpdateRequest {
  readonly repository: string;
  readonly directory: string;
  /** Relative, with `/`. */
  readonly path: string;
}

export interface FileUpdate {
  readonly state: "written" | "removed" | "busy";
  /** Other files whose references have to be resolved again: the next refresh does. */
  readonly pending: number;
}

export async function updateFile(store: Store, request: FileUpdateRequest): Promise<FileUpdate> {
  const { repository, directory, path } = request;
  if (path.startsWith("/") || path.split("/").includes(".."))
    throw new MillwrightError("usage", `${path} is no path inside the repository`);
  const lock = takeWriterLock(directory);
  if (lock === undefined) return { state: "busy", pending: 0 };
  try {
    const scanned = scanFile(repository, path);
    const extracted = scanned === undefined ? undefined : await extractHere(store, scanned);
    if (scanned === undefined || extracted === undefined || extracted.gone === true) {
      const known = store.prepare("SELECT id FROM files WHERE path = ?").get(path);
      if (known !== undefined) inTransaction(store, () => removeFile(store, Number(known.id)));
      return { state: "removed", pending: countPending(store) };
    }
    const known = takeWorld(store);
    const world = inTransaction(store, () => {
      const before = readResolved(store, path);
      const options = { stamp: scanned.stamp, isFirst: false, keepsEdges: before !== undefined };
      const change = writeExtracted(store, extracted, options);
      return change.isPlaceKept
        ? resolveChanged(store, change, before, known)
        : resolveFile(store, change.file, undefined);
    });
    keepWorld(store, world);
    return { state: "written", pending: countPending(store) };
  } finally {
    lock.release();
  }
}

function countPending(store: Store): number {
  return Number(store.prepare("SELECT count(*) AS n FROM files WHERE resolved = 0").get()?.n);
}
