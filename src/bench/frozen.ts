/**
 * Stores what setups add to commits, so that environments can be made again without a network. The store holds each
 * content once, named by its SHA-256; a manifest for each environment lists its files.
 */
import { existsSync } from "node:fs";
import {
  chmod,
  lstat,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import { basename, dirname, isAbsolute, join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { MillwrightError } from "../base/errors.ts";
import { hashText } from "../base/hash.ts";
import { makeFolders } from "../base/make-folders.ts";
import { parseJson } from "../base/parse-json.ts";
import { runGit } from "../workspace/git.ts";

const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);
/** `moved`: the environment's own path is replaced by `ownPath` in the content or in the target. */
const entrySchema = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("folder"), path: z.string() }),
  z.object({ kind: z.literal("link"), path: z.string(), target: z.string() }),
  z.object({
    kind: z.literal("file"),
    path: z.string(),
    sha256: hashSchema,
    bytes: z.int(),
    isProgram: z.boolean(),
    moved: z.boolean(),
  }),
]);
type Entry = z.infer<typeof entrySchema>;

const manifestSchema = z.object({
  schema: z.literal("millwright.frozen-environment/1"),
  entries: z.array(entrySchema),
});

/** Stands for the environment's own path. */
const ownPath = "@MILLWRIGHT-ENVIRONMENT@";

export interface FrozenSize {
  readonly files: number;
  readonly bytes: number;
  /** Bytes by content, for sums over several environments. */
  readonly contents: ReadonlyMap<string, number>;
}

function manifestPath(folder: string, key: string): string {
  return join(folder, "environments", `${key}.json`);
}

function objectPath(folder: string, hash: string): string {
  return join(folder, "objects", hash.slice(0, 2), hash);
}

/** Stores the files of an environment that its commit does not have, unless they are stored already. */
export async function freezeEnvironment(
  folder: string,
  key: string,
  repository: string,
): Promise<FrozenSize> {
  const path = manifestPath(folder, key);
  if (existsSync(path)) return sizeOf(await readManifest(path));
  const entries: Entry[] = [];
  for (const name of await listAdded(repository)) entries.push(...(await store(folder, repository, name)));
  await makeFolders(dirname(path));
  const manifest = { schema: "millwright.frozen-environment/1", entries };
  await writeFileAtomically(path, `${JSON.stringify(manifest)}\n`, 0o666);
  return sizeOf(entries);
}

function sizeOf(entries: readonly Entry[]): FrozenSize {
  const files = entries.filter((entry) => entry.kind === "file");
  return {
    files: files.length,
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    contents: new Map(files.map(({ sha256, bytes }) => [sha256, bytes])),
  };
}

/** Paths that git does not track: files, links, and folders as a whole if git tracks nothing in them. */
async function listAdded(repository: string): Promise<string[]> {
  const { stdout } = await runGit({
    ...{ gitDirectory: join(repository, ".git"), workTree: repository },
    arguments: ["ls-files", "-z", "--others", "--directory"],
  });
  return stdout.toString("utf8").split("\0").filter(Boolean).sort();
}

async function store(folder: string, repository: string, name: string): Promise<Entry[]> {
  const path = name.replace(/\/$/, "");
  const full = join(repository, path);
  const status = await lstat(full);
  if (status.isSymbolicLink())
    return [{ kind: "link", path, target: (await readlink(full)).replace(repository, ownPath) }];
  if (status.isDirectory()) {
    const entries: Entry[] = [{ kind: "folder", path }];
    for (const child of (await readdir(full)).sort())
      entries.push(...(await store(folder, repository, `${path}/${child}`)));
    return entries;
  }
  if (!status.isFile()) return [];
  const content = await readFile(full);
  const moved = isText(content) && content.includes(repository);
  const kept = moved ? replacePath(content, repository, ownPath) : content;
  const sha256 = hashText(kept);
  await putObject(objectPath(folder, sha256), kept);
  return [{ kind: "file", path, sha256, bytes: kept.length, isProgram: (status.mode & 0o100) !== 0, moved }];
}

/** Compiled files contain paths, too, but only for people. */
function isText(content: Buffer): boolean {
  return !content.subarray(0, 8192).includes(0);
}

/** As Latin-1, which keeps every byte. */
function replacePath(content: Buffer, from: string, to: string): Buffer {
  const bytes = (path: string): string => Buffer.from(path).toString("latin1");
  return Buffer.from(content.toString("latin1").replaceAll(bytes(from), bytes(to)), "latin1");
}

/** Unsynced: a damaged content is recognised when it is read. */
async function putObject(path: string, content: Buffer): Promise<void> {
  if (existsSync(path)) return;
  await mkdir(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.part`;
  try {
    await writeFile(temporary, content);
    await rename(temporary, path);
  } finally {
    await rm(temporary, { force: true });
  }
}

async function readManifest(path: string): Promise<Entry[]> {
  const parsed = manifestSchema.safeParse(parseJson(await readFile(path, "utf8")));
  if (parsed.success) return parsed.data.entries;
  throw new MillwrightError("repository", `${path} is damaged`, { hint: "Store the environments again." });
}

export interface ThawRequest {
  /** The folder of the store. */
  readonly folder: string;
  readonly key: string;
  /** A checkout of the environment's commit. */
  readonly repository: string;
  /** Finds a program of this machine by name. */
  findProgram(name: string): string | undefined;
}

/**
 * Lays the stored files of an environment into a checkout. Throws MillwrightError("repository") if a file is missing or
 * damaged, or if the environment needs a program that this machine does not have.
 */
export async function thawEnvironment(request: ThawRequest): Promise<void> {
  const path = manifestPath(request.folder, request.key);
  if (!existsSync(path))
    throw new MillwrightError("repository", `${request.folder} does not contain this environment`, {
      hint: "Store the environments while the network can be reached.",
    });
  const entries = await readManifest(path);
  const root = await realpath(request.repository);
  // Links last: no file may be written through one.
  for (const entry of entries.toSorted((a, b) => Number(a.kind === "link") - Number(b.kind === "link"))) {
    const target = await placeOf(entry, root);
    if (entry.kind === "folder") await mkdir(target, { recursive: true });
    else if (entry.kind === "file") await layFile(entry, target, request);
    else await layLink(entry.target, target, request);
  }
}

/** The entry's path, if it is in the project: a manifest may come from elsewhere. */
async function placeOf({ path }: Entry, root: string): Promise<string> {
  const names = path.split("/");
  const target = join(root, path);
  if (path !== "" && !isAbsolute(path) && !names.includes("..") && names[0] !== ".git") {
    if (!existsSync(dirname(target))) await mkdir(dirname(target), { recursive: true });
    if (`${await realpath(dirname(target))}/`.startsWith(`${root}/`)) return target;
  }
  throw new MillwrightError(
    "repository",
    `the stored environment has a file outside of the project: ${path}`,
  );
}

async function layFile(
  { sha256, isProgram, moved }: Extract<Entry, { kind: "file" }>,
  target: string,
  { folder, repository }: ThawRequest,
): Promise<void> {
  const path = objectPath(folder, sha256);
  const content = existsSync(path) ? await readFile(path) : undefined;
  if (content === undefined || hashText(content) !== sha256)
    throw new MillwrightError("repository", `${path} is ${content === undefined ? "missing" : "damaged"}`, {
      hint: "Store the environments again.",
    });
  await writeFile(target, moved ? replacePath(content, ownPath, repository) : content, { flag: "wx" });
  if (isProgram) await chmod(target, 0o755);
}

async function layLink(
  stored: string,
  target: string,
  { repository, findProgram }: ThawRequest,
): Promise<void> {
  const named = stored.replace(ownPath, repository);
  if (!isAbsolute(named) || named.startsWith(`${repository}/`) || existsSync(named)) {
    await symlink(named, target);
    return;
  }
  const program = findProgram(basename(named));
  if (program === undefined)
    throw new MillwrightError("repository", `the environment needs the program ${basename(named)}`, {
      hint: "Install this version of the program, and run the command again.",
    });
  await symlink(program, target);
  await moveHome(join(dirname(dirname(target)), "pyvenv.cfg"), dirname(program));
}

/** Python searches its library in the folder that a virtual environment's `pyvenv.cfg` names. */
async function moveHome(settings: string, home: string): Promise<void> {
  if (!existsSync(settings)) return;
  const text = await readFile(settings, "utf8");
  await writeFile(
    settings,
    text.replace(/^(home\s*=\s*).*$/m, (_, start: string) => start + home),
  );
}
