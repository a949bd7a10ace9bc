/** Updates one changed file: extracts it, and then writes and resolves it in one transaction. */
import { MillwrightError } from "../../base/errors.ts";
import { inTransaction, type Store } from "../store/open-store.ts";
import { takeWriterLock } from "../store/writer-lock.ts";
import { readAgain } from "./read-again.ts";
import { scanFile } from "./scan.ts";
import { removeFile } from "./write-files.ts";

export interface FileUpdateRequest {
  readonly repository: string;
  readonly directory: string;
  /** Path relative to the repository, with `/`. */
  readonly path: string;
}

export interface FileUpdate {
  readonly state: "written" | "removed" | "busy";
  /** Number of other files whose references the next refresh must resolve again. */
  readonly pending: number;
}

export async function updateFile(store: Store, request: FileUpdateRequest): Promise<FileUpdate> {
  const { repository, directory, path } = request;
  if (path.startsWith("/") || path.split("/").includes(".."))
    throw new MillwrightError("usage", `${path} is not a path inside the repository`);
  const lock = takeWriterLock(directory);
  if (lock === undefined) return { state: "busy", pending: 0 };
  try {
    const scanned = scanFile(repository, path);
    if (scanned !== undefined && (await readAgain(store, scanned)))
      return { state: "written", pending: countPending(store) };
    const known = store.prepare("SELECT id FROM files WHERE path = ?").get(path);
    if (known !== undefined) inTransaction(store, () => removeFile(store, Number(known.id)));
    return { state: "removed", pending: countPending(store) };
  } finally {
    lock.release();
  }
}

function countPending(store: Store): number {
  return Number(store.prepare("SELECT count(*) AS n FROM files WHERE resolved = 0").get()?.n);
}
