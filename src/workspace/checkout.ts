import { mkdirSync, realpathSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join, posix } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import { hashText } from "../base/hash.ts";
import type { AttachedCommand, Mount, Sandbox } from "../sandbox/contract.ts";
import { type OverlayMount, upperFolder } from "../sandbox/mounts.ts";
import { findBuildCaches } from "../sandbox/toolchain.ts";
import { type BytePath, hostPath, parsePath, splitPaths } from "./byte-path.ts";
import type { Checkout, SandboxImage, WorkspaceCommand, WorkspaceSandbox } from "./contract.ts";
import { buildEnvironment, type HostEnvironment } from "./environment.ts";
import { statNow } from "./file-status.ts";
import { runGit } from "./git.ts";
import { cleanConfigurations, copyLinkedGit, type LinkedGit, mountLinkedObjects } from "./git-folder.ts";
import { copyIgnored, type IgnoredPlan, mountOverlays, overlayFolder } from "./ignored-folders.ts";
import { withDiskErrors } from "./infrastructure-errors.ts";
import { type KeptFolder, openKeptFolder } from "./kept-folder.ts";
import {
  findEditableFolders,
  isVirtualEnvironment,
  moveInterpreterLines,
  moveVariables,
} from "./moved-root.ts";
import type { OwnPrograms } from "./own-programs.ts";
import { insideRoot, namePaths, type PathNames } from "./path-names.ts";
import { pathBeforeShims } from "./pyenv.ts";
import type { PrivateStore } from "./tree-store.ts";
import { sameEntry } from "./trees.ts";
import { createWorkingFiles, type SavedFiles, type WorkingFiles } from "./working-files.ts";
import type { WorkingFilesOptions } from "./working-state.ts";

export interface CheckoutOptions {
  readonly repository: string;
  readonly base: string;
  readonly store: PrivateStore;
  readonly times: ReadonlyMap<BytePath, number>;
  readonly emptyFolders: readonly BytePath[];
  readonly plan: IgnoredPlan;
  readonly linkedGit: LinkedGit | undefined;
  readonly sandbox: WorkspaceSandbox;
  readonly runtimeDirectory: string;
  /** Our compiled programs; undefined if each checkout compiles its own. */
  readonly ownPrograms: OwnPrograms | undefined;
  readonly hostEnvironment: HostEnvironment;
  readonly ownFolders: readonly string[];
  /** The folder for this checkout only. It must not exist yet, unless the checkout is kept. */
  readonly directory: string;
  /** True to continue in the folder of an earlier checkout, and to keep the folder afterwards. */
  readonly isKept: boolean;
  readonly beside: readonly Checkout[];
  /** Folders of the host that the sandbox shows at their own paths. */
  readonly shown: readonly string[];
  /** The name of the repository's root in output. */
  readonly shownRoot: string;
  /** True if the checkout's files equal the tree's byte for byte; see OpenOptions. */
  readonly isReadHere: boolean;
  readonly onNotice: (notice: string) => void;
}

/** The path of `ownPrograms` as commands see it. */
const programsInside = `${insideRoot}/programs`;

/**
 * Maximum step of the kernel's clock in milliseconds. A file that is created and changed within one step would look
 * untouched.
 */
const clockStepMs = 10;

interface Places {
  readonly folder: string;
  readonly root: string;
  readonly runtime: string;
  readonly scratch: Checkout["scratch"];
  readonly channels: Checkout["channels"];
  readonly temporary: Checkout["temporary"];
  readonly names: PathNames;
}

export async function openCheckout(options: CheckoutOptions): Promise<Checkout> {
  const { directory } = options;
  return withDiskErrors(directory, async () => {
    const places = choosePlaces(options);
    const state = join(directory, "state");
    const kept = options.isKept ? openKept(options, places) : undefined;
    for (const folder of [places.folder, places.scratch.host, places.channels.host, state])
      mkdirSync(folder, { recursive: true });
    try {
      if (kept?.isCurrent !== true) await copyTakenOver(options, places.folder);
      const files = keepLaid(await openWorkingFiles(options, places, kept?.laid), kept);
      if (kept?.laid === undefined) await files.lay(options.base);
      const sandbox = await openSandbox(options, places, state);
      try {
        return makeCheckout(options, places, files, sandbox);
      } catch (error) {
        await sandbox.close();
        throw error;
      }
    } catch (error) {
      await removeCheckout(directory);
      throw error;
    }
  });
}

/** Removes a checkout and its folder for temporary files. */
export async function removeCheckout(directory: string): Promise<void> {
  for (const folder of [shortTemporary(directory), directory])
    await rm(folder, { recursive: true, force: true });
}

/**
 * Returns the path of a checkout's temporary folder. The path is short: without mounts, programs see the real path, and
 * the path of a socket may have at most 108 bytes.
 */
export function shortTemporary(directory: string): string {
  return join(realpathSync(tmpdir()), `millwright-${hashText(directory).slice(0, 12)}`);
}

function openKept(
  { directory, repository, plan, linkedGit }: CheckoutOptions,
  { folder }: Places,
): KeptFolder {
  const copies = [...plan.copies, ...(linkedGit === undefined ? [] : [".git"])];
  return openKeptFolder({ directory, folder, repository, copies });
}

/** Records the laid files, so that the next checkout can continue from them. */
function keepLaid(files: WorkingFiles, kept: KeptFolder | undefined): WorkingFiles {
  if (kept === undefined) return files;
  return {
    ...files,
    lay: (tree) => kept.change(() => files.lay(tree), files.save),
    take: () => kept.change(() => files.take(), files.save),
  };
}

async function copyTakenOver(options: CheckoutOptions, folder: string): Promise<void> {
  const { plan, repository, linkedGit, sandbox } = options;
  const notices = await copyIgnored(repository, plan.copies, folder);
  if (linkedGit !== undefined) {
    notices.push(...(await copyLinkedGit(linkedGit, join(folder, ".git"), sandbox.mounts)));
  }
  if (plan.copies.includes(".git")) await cleanConfigurations(join(folder, ".git"), join(folder, ".git"));
  for (const notice of notices) options.onNotice(notice);
}

function choosePlaces(options: CheckoutOptions): Places {
  const { directory, repository, runtimeDirectory, sandbox, shownRoot, beside } = options;
  // Named like the user's folder, because some tests and tools read that name.
  const folder = join(directory, "tree", basename(repository));
  const shownAt = (name: string): string => `${insideRoot}/${name}`;
  const own = (name: string): { inside: string; host: string } => {
    const host = join(directory, name);
    return { inside: sandbox.mounts === "none" ? host : shownAt(name), host };
  };
  const [scratch, channels] = [own("scratch"), own("channels")];
  // Only the repositories of other checkouts: everything else has the same names here.
  const others = beside.map(({ root, names }) => ({ real: root, name: names.root }));
  if (sandbox.mounts !== "none") {
    const root = sandbox.image?.root ?? repository;
    return {
      folder,
      root,
      runtime: shownAt("runtime"),
      scratch,
      channels,
      temporary: { inside: `${scratch.inside}/tmp`, host: join(scratch.host, "tmp") },
      names: namePaths(shownRoot, [{ real: root, name: shownRoot }, ...others]),
    };
  }
  const temporary = shortTemporary(directory);
  const names = namePaths(shownRoot, [
    { real: folder, name: shownRoot },
    { real: dirname(folder), name: dirname(shownRoot), isShownOnly: true },
    { real: runtimeDirectory, name: shownAt("runtime") },
    { real: scratch.host, name: shownAt("scratch") },
    { real: temporary, name: `${shownAt("scratch")}/tmp` },
    { real: directory, name: insideRoot, isShownOnly: true },
    ...others,
  ]);
  return {
    folder,
    root: folder,
    runtime: runtimeDirectory,
    scratch,
    channels,
    temporary: { inside: temporary, host: temporary },
    names,
  };
}

async function openSandbox(
  options: CheckoutOptions,
  places: Places,
  stateDirectory: string,
): Promise<Sandbox> {
  const { sandbox, plan, repository, directory, linkedGit } = options;
  const changes = join(directory, "overlays");
  const overlays = mountOverlays({ repository, root: places.root, overlays: plan.overlays, changes });
  for (const overlay of overlays.filter(({ source }) => source === join(repository, ".git")))
    await cleanConfigurations(overlay.source, upperFolder(overlay));
  const mounts: Mount[] = [
    ...options.shown.map((folder) => ({ mode: "read-only" as const, source: folder, target: folder })),
    { mode: "read-write", source: places.folder, target: places.root },
    ...overlays,
    ...(linkedGit === undefined
      ? []
      : await mountLinkedObjects(linkedGit, places.root, join(changes, "objects"), sandbox.mounts)),
    ...(await mountBuildCaches(options, changes)),
    ...options.beside.flatMap((other, index) => other.mountsBeside(join(changes, `beside-${index}`))),
    { mode: "read-only", source: options.runtimeDirectory, target: places.runtime },
    ...(options.ownPrograms === undefined
      ? []
      : [{ mode: "read-only" as const, source: options.ownPrograms.folder, target: programsInside }]),
    { mode: "read-write", source: places.scratch.host, target: places.scratch.inside },
    { mode: "read-only", source: places.channels.host, target: places.channels.inside },
  ];
  const { owner, network, limits, image } = sandbox;
  return sandbox.provider.open({
    owner,
    network,
    limits,
    mounts,
    stateDirectory,
    virtualEnvironment: options.hostEnvironment["VIRTUAL_ENV"],
    ...(image === undefined ? {} : { image: image.name }),
  });
}

/**
 * Lets commands change the user's build caches for this checkout alone. Mounts whole caches, because linking each entry
 * would take seconds.
 */
async function mountBuildCaches(
  { sandbox, store, base }: CheckoutOptions,
  changes: string,
): Promise<OverlayMount[]> {
  if (sandbox.mounts !== "overlay" || sandbox.image !== undefined) return [];
  const names = new Set([...(await store.trees.list(base)).keys()].map((path) => posix.basename(path)));
  return Promise.all(
    (await findBuildCaches(names)).map(async ({ source, target, files }) => {
      const mount = { mode: "overlay" as const, source, changes: overlayFolder(changes, target), target };
      for (const [path, text] of Object.entries(files)) {
        const own = join(upperFolder(mount), path);
        await mkdir(dirname(own), { recursive: true });
        // In a kept checkout, an earlier command may have put a link, a pipe or a folder there.
        await rm(own, { recursive: true, force: true });
        await writeFile(own, text, { flag: "wx" });
      }
      return mount;
    }),
  );
}

async function openWorkingFiles(options: CheckoutOptions, { folder, names }: Places, saved?: SavedFiles) {
  const { store, plan, times, emptyFolders } = options;
  const base = await store.trees.list(options.base);
  const workingOptions: WorkingFilesOptions = {
    folder,
    store,
    kept: [...plan.copies, ...plan.overlays, ...(options.linkedGit === undefined ? [] : [".git"])],
    emptyFolders,
    ...(options.isReadHere ? {} : { toDisk: names.meantBytes, fromDisk: names.showBytes }),
    timeOf: (path, entry) => (sameEntry(base.get(path), entry) ? times.get(path) : undefined),
    async findIgnored(paths) {
      const { stdout } = await runGit({
        gitDirectory: store.gitDirectory,
        workTree: folder,
        arguments: ["check-ignore", "-z", "--stdin", "--no-index"],
        // `./`: a file may be called `:(top)x`, which git would read as a pattern.
        input: Buffer.from(paths.map((path) => `./${path}\0`).join(""), "latin1"),
        answers: [0, 1],
      });
      return new Set(splitPaths(stdout).map((path) => path.slice(2)));
    },
  };
  return createWorkingFiles(workingOptions, saved);
}

function makeCheckout(
  options: CheckoutOptions,
  places: Places,
  files: WorkingFiles,
  sandbox: Sandbox,
): Checkout {
  const rebuilt = rebuildEnvironment(options, places, sandbox);
  let laidAt = performance.now();
  let isClosed = false;
  const place = (command: Omit<WorkspaceCommand, "timeoutMs">): AttachedCommand => ({
    run: command.run,
    cwd: findDirectory(places.root, command),
    env: addVariables(rebuilt, command.env),
    ...(command.signal === undefined ? {} : { signal: command.signal }),
  });
  return {
    ...places,
    environment: rebuilt,
    async findPrograms(programs) {
      const found: Record<string, string> = {};
      for (const program of programs) {
        const name = await options.ownPrograms?.find(program);
        if (name !== undefined)
          found[`MILLWRIGHT_BUILT_${program.toUpperCase()}`] = `${programsInside}/${name}`;
      }
      return found;
    },
    async lay(tree) {
      await withDiskErrors(options.directory, () => files.lay(tree));
      laidAt = performance.now();
    },
    async take() {
      const taken = await withDiskErrors(options.directory, () => files.take());
      laidAt = performance.now();
      return taken;
    },
    damaged: () => files.damaged(),
    async execute(command) {
      const pause = laidAt + clockStepMs - performance.now();
      if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
      return sandbox.execute({
        ...place(command),
        timeoutMs: command.timeoutMs,
        ...(command.outputBytes === undefined ? {} : { outputBytes: command.outputBytes }),
      });
    },
    attach: (command) => sandbox.attach(place(command)),
    exists(path) {
      const bytePath = parsePath(path);
      if (bytePath === undefined || bytePath.split("/").includes("..")) return false;
      const mounted = options.plan.overlays.some((folder) => bytePath.startsWith(`${folder}/`));
      return isThere(hostPath(mounted ? options.repository : places.folder, bytePath));
    },
    mountsBeside: (changes) => [
      { mode: "read-write", source: places.folder, target: places.root },
      ...mountOverlays({
        ...places,
        repository: options.repository,
        overlays: options.plan.overlays,
        changes,
      }),
    ],
    async close() {
      if (isClosed) return;
      isClosed = true;
      await sandbox.close();
      if (options.isKept) await rm(places.temporary.host, { recursive: true, force: true });
      else await removeCheckout(options.directory);
    },
  };
}

function isThere(path: string | Buffer): boolean {
  try {
    return statNow(path) !== undefined;
  } catch {
    return false; // too long, or in a loop of links
  }
}

function rebuildEnvironment(
  options: CheckoutOptions,
  places: Places,
  sandbox: Sandbox,
): Record<string, string> {
  const { repository, hostEnvironment, ownFolders } = options;
  const { image } = options.sandbox;
  const environment = {
    ...commandEnvironment(hostEnvironment, ownFolders, sandbox, image),
    // Git must not find a repository around our folders and write to it.
    GIT_CEILING_DIRECTORIES: dirname(places.root),
  };
  const found = { ...environment, PATH: pathBeforeShims(environment, places.folder, options.times.keys()) };
  if (places.root === repository || image !== undefined) return found;
  const moved = { repository, folder: places.folder };
  const copied = findEnvironments(options, places.folder);
  for (const folder of copied) moveInterpreterLines(folder, moved);
  const active = hostEnvironment["VIRTUAL_ENV"];
  const folders = findEditableFolders([...copied, ...(active === undefined ? [] : [active])], moved);
  const search = folders.length === 0 ? {} : { PYTHONPATH: folders.join(":") };
  return { ...moveVariables(found, moved), ...search };
}

/**
 * Builds the environment of commands. The sandbox's variables override those of Millwright. In PATH, the image's
 * programs come first.
 */
export function commandEnvironment(
  host: HostEnvironment,
  ownFolders: readonly string[],
  { home, environment }: Pick<Sandbox, "home" | "environment">,
  image: SandboxImage | undefined,
): Record<string, string> {
  const rebuilt = buildEnvironment(host, { ownFolders, home, hostToolchain: image === undefined });
  const variables = { ...rebuilt, ...environment };
  return { ...variables, PATH: [...(image?.path ?? []), variables["PATH"]].join(":") };
}

/** Finds the virtual environments that the checkout copied. */
function findEnvironments({ plan }: CheckoutOptions, folder: string): string[] {
  return plan.copies.map((path) => `${folder}/${path}`).filter(isVirtualEnvironment);
}

/**
 * Adds a command's variables, which have priority. There are two exceptions: our search paths come after the command's,
 * and the user's flags for Go come before the command's.
 */
function addVariables(
  rebuilt: Readonly<Record<string, string>>,
  added: Readonly<Record<string, string>> = {},
) {
  const isSaid = (text: string | undefined) => text !== undefined && text !== "";
  const paths = [added["PYTHONPATH"], rebuilt["PYTHONPATH"]].filter(isSaid).join(":");
  const flags = [rebuilt["GOFLAGS"], added["GOFLAGS"]].filter(isSaid).join(" ");
  return {
    ...rebuilt,
    ...added,
    ...(paths === "" ? {} : { PYTHONPATH: paths }),
    ...(flags === "" ? {} : { GOFLAGS: flags }),
  };
}

function findDirectory(root: string, command: Pick<WorkspaceCommand, "directory">): string {
  const directory = posix.normalize(posix.join(root, command.directory ?? ""));
  if (directory === root || directory.startsWith(`${root}/`)) return directory.replace(/\/$/, "");
  throw new MillwrightError("usage", `${command.directory} is not a folder of the repository`);
}
