/** The part of the host that a sandbox without an image shows: the installed toolchain, read-only, and nothing else. */
import type { Dirent } from "node:fs";
import { lstat, readdir, readFile, readlink, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, normalize } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import type { Language } from "../languages/contract.ts";
import { languages } from "../languages/languages.generated.ts";
import type { SandboxSpec } from "./contract.ts";
import { isInside } from "./mounts.ts";

/** Folders of the operating system and of package managers that hold programs, libraries and their configuration. */
const systemFolders = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/libx32",
  "/etc",
  "/opt",
  "/nix",
  "/snap",
  "/home/linuxbrew",
  "/run/current-system",
];

/**
 * Folders below the user's home: installations and caches of version and package managers. Excludes folders with
 * credentials.
 */
const homeToolchains: readonly string[] = [
  // Programs of no language that has a record, or of several languages.
  ".asdf",
  ".cabal/bin",
  ".ghcup",
  ".local/bin",
  ".local/share/millwright/servers",
  ".local/share/mise",
  ".local/share/rtx",
  ...languages.flatMap((language: Language) => language.homeFolders ?? []),
].toSorted();

export interface HostView {
  /**
   * The user's home folder. Inside the sandbox, it is an empty, writable folder that contains the toolchain's folders.
   */
  readonly home: string;
  /** Symbolic links of the root folder (`/bin` to `usr/bin` …). */
  readonly links: readonly { readonly path: string; readonly to: string }[];
  /** Read-only folders and files, parents before their children. */
  readonly folders: readonly { readonly source: string; readonly target: string }[];
  /**
   * Folders and files that the sandbox shows as empty. Not every user of the host may read them, but a command may run
   * as root.
   */
  readonly hidden: readonly { readonly path: string; readonly folder: boolean }[];
}

/**
 * Finds the part of this host that sandboxes show, without paths that `mounts` replace. Throws
 * MillwrightError("sandbox") on every system except Linux.
 */
export async function findHostView({
  mounts,
  virtualEnvironment,
}: Pick<SandboxSpec, "mounts" | "virtualEnvironment">): Promise<HostView> {
  if (process.platform !== "linux") {
    throw new MillwrightError(
      "sandbox",
      "The programs of this host are not for Linux, so no sandbox can run them.",
      {
        hint: "Give an image that has the project's toolchain.",
      },
    );
  }
  const links: { path: string; to: string }[] = [];
  const folders: { source: string; target: string }[] = [];
  for (const path of systemFolders) {
    const status = await lstat(path).catch(() => undefined);
    if (status?.isSymbolicLink()) links.push({ path, to: await readlink(path) });
    else if (status?.isDirectory()) folders.push({ source: path, target: path });
  }
  const home = homeFolder();
  folders.push(...(await findHomeToolchains(home)), ...(await findActiveEnvironment(virtualEnvironment)));
  const hidden = [...(await findHidden("/etc", true)), ...(await findHidden("/opt", false))];
  const isReplaced = (path: string): boolean => mounts.some((mount) => isInside(path, mount.target));
  return {
    home,
    links: links.filter(({ path }) => !isReplaced(path)),
    folders: folders.filter(({ target }) => !isReplaced(target)),
    hidden: hidden.filter(({ path }) => !isReplaced(path)),
  };
}

function homeFolder(): string {
  const home = homedir();
  const isUsable =
    home.startsWith("/") && home !== "/" && !systemFolders.some((folder) => isInside(home, folder));
  return isUsable ? home : "/home/millwright";
}

async function findHomeToolchains(home: string): Promise<{ source: string; target: string }[]> {
  const found: { source: string; target: string }[] = [];
  for (const name of homeToolchains) {
    const target = join(home, name);
    const source = await realpath(target).catch(() => undefined);
    if (source !== undefined && !(await holdsToken(source))) found.push({ source, target });
  }
  return found;
}

/**
 * Finds the user's build caches that a project with files of these names has to write. A sandbox shows them read-only,
 * unless a mount replaces them.
 */
export async function findBuildCaches(
  names: ReadonlySet<string>,
): Promise<{ source: string; target: string; files: Readonly<Record<string, string>> }[]> {
  const caches = languages.flatMap((language: Language) => language.buildCache ?? []);
  const found = await Promise.all(
    caches
      .filter(({ marker }) => names.has(marker))
      .map(async ({ folder, files }) => {
        const target = join(homeFolder(), folder);
        const source = await realpath(target).catch(() => undefined);
        return source === undefined ? [] : [{ source, target, files: files() }];
      }),
  );
  return found.flat();
}

/** Finds the active virtual environment, wherever it is, because commands also see its variable. */
async function findActiveEnvironment(
  target: string | undefined,
): Promise<{ source: string; target: string }[]> {
  if (target === undefined || !isAbsolute(target)) return [];
  const source = await realpath(target).catch(() => undefined);
  const isOne =
    source !== undefined && (await lstat(join(source, "pyvenv.cfg")).catch(() => undefined))?.isFile();
  return isOne ? [{ source, target: normalize(target) }] : [];
}

/**
 * True if the file may hold a token. Cargo's configuration names registry mirrors, which offline builds need. Old
 * configurations may hold a token.
 */
async function holdsToken(path: string): Promise<boolean> {
  if (!path.endsWith(".toml")) return false;
  return tokenInText.test(await readFile(path, "utf8").catch(() => ""));
}

/** Matches a token, or an address with a password. A user name alone is public: `ssh://git@host/index`. */
const tokenInText = /\b(?:token|secret-key)["']?\s*=|:\/\/[^\s/@:"']*:[^\s/@"']+@/;

async function findHidden(folder: string, recursive: boolean): Promise<{ path: string; folder: boolean }[]> {
  const entries: Dirent[] = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      const isFolder = entry.isDirectory();
      if (!isFolder && !entry.isFile()) return [];
      const mode = (await lstat(path).catch(() => undefined))?.mode ?? 0;
      const isPublic = (mode & (isFolder ? 0o005 : 0o004)) === (isFolder ? 0o005 : 0o004);
      if (!isPublic) return [{ path, folder: isFolder }];
      return isFolder && recursive ? findHidden(path, true) : [];
    }),
  );
  return found.flat();
}
