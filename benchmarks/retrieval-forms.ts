/** A repository at a commit as retrieval sees it, read out of git's objects; forms are kept by content for the next commit. */
import { mkdirSync } from "node:fs";
import { extname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { buildFileForm, type FileForm } from "../src/graph/forms/file-form.ts";
import { fileKindOf } from "../src/graph/forms/file-kind.ts";
import { decodeForm, encodeForm, formVersion } from "../src/graph/forms/form-codec.ts";
import type { FormOfPath } from "../src/graph/retrieval/search-index.ts";
import { extractSymbols } from "../src/syntax/symbols/extract-symbols.ts";
import { runGit } from "../src/workspace/git.ts";

const blobsAtOnce = 200;
const longestFile = 1024 * 1024;
const binary =
  /\.(?:png|jpe?g|gif|ico|webp|woff2?|ttf|otf|eot|pdf|zip|gz|bz2|xz|zst|tar|wasm|so|a|o|jar|class|mp[34]|ogg|bin|exe|dll|db|sqlite|npy|fits|der)$/i;

export interface FormCache {
  get(key: string): Uint8Array | undefined;
  put(key: string, bytes: Uint8Array): void;
}

export function openFormCache(folder: string): FormCache {
  mkdirSync(folder, { recursive: true });
  const database = new DatabaseSync(join(folder, `forms-${formVersion}.sqlite`));
  database.exec("PRAGMA journal_mode = wal; PRAGMA synchronous = off; PRAGMA busy_timeout = 10000");
  database.exec("CREATE TABLE IF NOT EXISTS forms (key TEXT PRIMARY KEY, form BLOB NOT NULL) WITHOUT ROWID");
  const select = database.prepare("SELECT form FROM forms WHERE key = ?");
  const insert = database.prepare("INSERT OR REPLACE INTO forms VALUES (?, ?)");
  return {
    get: (key) => {
      const form = select.get(key)?.["form"];
      return form instanceof Uint8Array ? form : undefined;
    },
    put: (key, bytes) => {
      insert.run(key, bytes);
    },
  };
}

interface Blob {
  readonly path: string;
  readonly hash: string;
}

export interface TreeForms {
  readonly forms: readonly FormOfPath[];
  /** Texts of files of the tree, by path. */
  readonly read: (paths: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

export async function readTreeForms(
  gitDirectory: string,
  commit: string,
  cache: FormCache,
): Promise<TreeForms> {
  const blobs = await listBlobs(gitDirectory, commit);
  const forms = new Map<string, FileForm>();
  const missing: Blob[] = [];
  for (const blob of blobs) {
    const kept = decodeForm(cache.get(keyOf(blob)) ?? new Uint8Array());
    if (kept === undefined) missing.push(blob);
    else forms.set(blob.path, kept);
  }
  for (let at = 0; at < missing.length; at += blobsAtOnce) {
    const some = missing.slice(at, at + blobsAtOnce);
    const texts = await readBlobs(gitDirectory, some);
    for (const blob of some) {
      const text = texts.get(blob.hash);
      if (text === undefined || text.slice(0, 8192).includes("\0")) continue;
      const symbols = await extractSymbols(blob.path, text);
      const form = buildFileForm(blob.path, text, symbols?.definitions ?? []);
      cache.put(keyOf(blob), encodeForm(form));
      forms.set(blob.path, form);
    }
  }
  const byPath = new Map(blobs.map((blob) => [blob.path, blob]));
  return {
    forms: [...forms].map(([path, form]) => ({ path, form })),
    read: (paths) => readPaths(gitDirectory, paths, byPath),
  };
}

/** A form depends on the content and on the name's ending. */
function keyOf({ path, hash }: Blob): string {
  return `${hash}${extname(path)}`;
}

async function readPaths(
  gitDirectory: string,
  paths: readonly string[],
  blobs: ReadonlyMap<string, Blob>,
): Promise<Map<string, string>> {
  const texts = await readBlobs(
    gitDirectory,
    paths.flatMap((path) => blobs.get(path) ?? []),
  );
  return new Map(paths.map((path) => [path, texts.get(blobs.get(path)?.hash ?? "") ?? ""]));
}

async function listBlobs(gitDirectory: string, commit: string): Promise<Blob[]> {
  const answer = await runGit({ gitDirectory, arguments: ["ls-tree", "-r", "-l", "-z", commit] });
  const entries = answer.stdout
    .toString("utf8")
    .split("\0")
    .filter((entry) => entry !== "");
  return entries.flatMap((entry) => {
    const [meta = "", path = ""] = entry.split("\t");
    const [mode, type, hash = "", size] = meta.split(/\s+/);
    const isText = type === "blob" && mode !== "120000" && Number(size) <= longestFile && !binary.test(path);
    return isText && fileKindOf(path) !== "generated" ? [{ path, hash }] : [];
  });
}

/** By hash. `cat-file --batch` writes `HASH blob SIZE`, the bytes and a line break for each. */
async function readBlobs(gitDirectory: string, blobs: readonly Blob[]): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  if (blobs.length === 0) return texts;
  const input = `${blobs.map(({ hash }) => hash).join("\n")}\n`;
  const { stdout } = await runGit({ gitDirectory, arguments: ["cat-file", "--batch"], input });
  let at = 0;
  while (at < stdout.length) {
    const lineEnd = stdout.indexOf(0x0a, at);
    const [hash = "", type, size] = stdout.toString("latin1", at, lineEnd).split(" ");
    at = lineEnd + 1;
    if (type === "missing") continue;
    texts.set(hash, stdout.toString("utf8", at, at + Number(size)));
    at += Number(size) + 1;
  }
  return texts;
}
