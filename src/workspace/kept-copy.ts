/** Keeps the copy of a repository between commands. A later command does not read unchanged files again. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { hashText } from "../base/hash.ts";
import { type BytePath, hostPath, parentOf, showPath } from "./byte-path.ts";
import { readSignature, type Signature, sameSignature } from "./file-writing.ts";
import type { RepositoryFiles } from "./repository-files.ts";
import type { Snapshot } from "./snapshot.ts";
import { openPrivateStore } from "./tree-store.ts";
import type { Entry } from "./trees.ts";
import { createFolderCheck, findOddities, readFileOnce } from "./user-files.ts";

/**
 * Maximum number of uses of a kept copy. Millwright then reads everything again, because each use leaves objects in the
 * store.
 */
const mostUses = 100;

/** A file's state when Millwright read it, and its object in the store. */
export const keptFileSchema = z.object({
  path: z.string(),
  mode: z.string(),
  id: z.string(),
  signature: z.object({
    ino: z.number(),
    size: z.number(),
    mode: z.number(),
    mtimeMs: z.number(),
    ctimeMs: z.number(),
    nlink: z.number(),
  }),
});
type KeptFile = z.infer<typeof keptFileSchema>;

const keptSchema = z.object({
  schema: z.literal("millwright.kept-copy/1"),
  repository: z.string(),
  base: z.string(),
  rules: z.string(),
  uses: z.int(),
  files: z.array(keptFileSchema),
});
type KeptCopy = z.infer<typeof keptSchema>;

const fileName = "kept-copy.json";

export interface KeptRequest {
  readonly repository: string;
  readonly directory: string;
  readonly found: RepositoryFiles;
  /** Reads everything into a new store. */
  readonly copyAll: () => Promise<Snapshot>;
}

/**
 * Updates the kept copy to the repository's current state, and returns it. Reads only changed files if the kept copy is
 * usable: made with the same ignore rules, and used fewer than `mostUses` times.
 */
export async function refreshCopy(request: KeptRequest): Promise<Snapshot> {
  const { repository, directory, found } = request;
  const kept = await readKept(request);
  // Taken before any file is read: files written meanwhile will look changed next time.
  const signatures = new Map(found.files.map((path) => [path, readSignature(hostPath(repository, path))]));
  const taken = kept === undefined ? await copyAnew(request) : await update(request, kept, signatures);
  const files = [...taken.entries].flatMap(([path, { mode, id }]): KeptFile[] => {
    const signature = signatures.get(path);
    return signature === undefined ? [] : [{ path, mode, id, signature: pick(signature) }];
  });
  const next: KeptCopy = {
    schema: "millwright.kept-copy/1",
    repository,
    base: taken.snapshot.tree,
    rules: hashText(found.ignoreRules),
    uses: (kept?.uses ?? 0) + 1,
    files,
  };
  await writeFileAtomically(join(directory, fileName), JSON.stringify(next));
  return taken.snapshot;
}

interface Taken {
  readonly snapshot: Snapshot;
  readonly entries: ReadonlyMap<BytePath, Entry>;
}

async function copyAnew({ directory, copyAll }: KeptRequest): Promise<Taken> {
  const snapshot = await copyAll();
  const store = openPrivateStore(join(directory, "store"));
  try {
    return { snapshot, entries: await store.trees.list(snapshot.tree) };
  } finally {
    store.objects.close();
  }
}

async function update(
  request: KeptRequest,
  kept: KeptCopy,
  signatures: ReadonlyMap<BytePath, Signature | undefined>,
): Promise<Taken> {
  const { repository, directory, found } = request;
  const before = new Map(kept.files.map((file) => [file.path, file]));
  const entries = new Map<BytePath, Entry>();
  const times = new Map<BytePath, number>();
  const edits = new Map<BytePath, Entry | null>();
  const notices: string[] = [];
  const store = openPrivateStore(join(directory, "store"));
  const folders = createFolderCheck(repository);
  try {
    for (const path of found.files) {
      const old = before.get(path);
      if (!folders.isReal(parentOf(path))) continue;
      if (old !== undefined && sameSignature(signatures.get(path), old.signature)) {
        entries.set(path, { mode: old.mode, id: old.id });
        times.set(path, old.signature.mtimeMs);
        continue;
      }
      const file = readFileOnce(hostPath(repository, path), showPath(path));
      if (typeof file === "string") notices.push(file);
      if (file === undefined || typeof file === "string") continue;
      const entry = { mode: file.mode, id: store.objects.write("blob", file.content) };
      entries.set(path, entry);
      edits.set(path, entry);
      times.set(path, file.mtimeMs);
    }
    // Removed first: a folder may have replaced a file.
    const gone = new Map([...before.keys()].filter((path) => !entries.has(path)).map((path) => [path, null]));
    const left = gone.size === 0 ? kept.base : await store.trees.edit(kept.base, gone);
    const tree = edits.size === 0 ? left : await store.trees.edit(left, edits);
    const odd = findOddities({ repository, files: found.files, ignored: found.ignored });
    const snapshot = { tree, times, emptyFolders: odd.emptyFolders, notices: [...notices, ...odd.notices] };
    return { snapshot, entries };
  } finally {
    store.objects.close();
  }
}

/** Reads the kept copy; undefined if no usable copy was kept. */
async function readKept({ repository, directory, found }: KeptRequest): Promise<KeptCopy | undefined> {
  try {
    const kept = keptSchema.parse(JSON.parse(await readFile(join(directory, fileName), "utf8")));
    const isSame = kept.repository === repository && kept.rules === hashText(found.ignoreRules);
    return isSame && kept.uses < mostUses ? kept : undefined;
  } catch {
    return undefined;
  }
}

function pick({ ino, size, mode, mtimeMs, ctimeMs, nlink }: Signature): Signature {
  return { ino, size, mode, mtimeMs, ctimeMs, nlink };
}
