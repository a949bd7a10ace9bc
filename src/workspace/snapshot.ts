/** Copies the user's files into the private store, as one tree. */

import { type BytePath, hostPath, parentOf, quotePath, showPath } from "./byte-path.ts";
import { type ImportWriter, startImport } from "./fast-import.ts";
import { runGit } from "./git.ts";
import { createFolderCheck, findOddities, readFileOnce } from "./user-files.ts";

export interface Snapshot {
  readonly tree: string;
  /** Modification time of each file in milliseconds. It keeps existing builds valid in the copy. */
  readonly times: ReadonlyMap<BytePath, number>;
  /** Folders without files, which git's trees cannot hold. */
  readonly emptyFolders: readonly BytePath[];
  /** Paths that Millwright could not copy, with the reasons, for people. */
  readonly notices: readonly string[];
}

export interface SnapshotRequest {
  readonly repository: string;
  readonly files: readonly BytePath[];
  readonly ignored: readonly BytePath[];
  readonly gitDirectory: string;
  readonly signal?: AbortSignal | undefined;
}

const snapshotRef = "refs/heads/base";

/**
 * Reads every file once, and stores all of them in one pack. The pack does not refer to the user's objects. A run can
 * therefore be resumed after the user's `git gc`, and git never "freshens" (touches) the user's objects. Does not take
 * contents from the user's index: if git converts files (line endings, LFS), the index's blobs differ from the bytes on
 * disk.
 */
export async function takeSnapshot(request: SnapshotRequest): Promise<Snapshot> {
  const { gitDirectory, repository, signal } = request;
  const writer = startImport(gitDirectory);
  const folders = createFolderCheck(repository);
  const notices: string[] = [];
  const taken = { times: new Map<BytePath, number>(), notices };
  try {
    await writer.write(`commit ${snapshotRef}\ncommitter millwright <> 0 +0000\ndata 0\n`);
    for (const path of request.files) {
      signal?.throwIfAborted();
      // A link has replaced the folder: the file is gone.
      if (folders.isReal(parentOf(path))) await takeFile(writer, repository, path, taken);
    }
    await writer.finish();
  } catch (error) {
    writer.stop();
    throw error;
  }
  const revision = [`${snapshotRef}^{tree}`];
  const { stdout } = await runGit({ gitDirectory, arguments: ["rev-parse", "--verify", ...revision] });
  const odd = findOddities(request);
  const tree = stdout.toString("latin1").trim();
  return {
    tree,
    times: taken.times,
    emptyFolders: odd.emptyFolders,
    notices: [...taken.notices, ...odd.notices],
  };
}

async function takeFile(
  writer: ImportWriter,
  repository: string,
  path: BytePath,
  taken: { readonly times: Map<BytePath, number>; readonly notices: string[] },
): Promise<void> {
  const file = readFileOnce(hostPath(repository, path), showPath(path));
  if (file === undefined) return;
  if (typeof file === "string") {
    taken.notices.push(file);
    return;
  }
  taken.times.set(path, file.mtimeMs);
  await writer.write(`M ${file.mode} inline ${quotePath(path)}\ndata ${file.content.length}\n`);
  await writer.write(file.content);
  await writer.write("\n");
}
