/** The environment in which commands of a repository run: rebuilt from an allow-list, so that no secret reaches them. */
import { isAbsolute, sep } from "node:path";

export interface EnvironmentOptions {
  /** Folders of Millwright itself, with its Node and its packages' programs: they are taken out of PATH. */
  readonly ownFolders?: readonly string[];
  /** Value of HOME; default the host's. */
  readonly home?: string;
  /** False for an image with a toolchain of its own: nothing of the host's is told. Default true. */
  readonly hostToolchain?: boolean;
}

/** Where toolchains are and how they behave; never what could hold a credential. */
const toolchainVariables = [
  "ANDROID_HOME",
  "BUNDLE_PATH",
  "CARGO_HOME",
  "CC",
  "CONDA_PREFIX",
  "CXX",
  "DENO_DIR",
  "DOTNET_ROOT",
  "GEM_HOME",
  "GEM_PATH",
  "GOBIN",
  "GOCACHE",
  "GOFLAGS",
  "GOMODCACHE",
  "GOPATH",
  "GOROOT",
  "GOTOOLCHAIN",
  "GRADLE_USER_HOME",
  "JAVA_HOME",
  "LD_LIBRARY_PATH",
  "M2_HOME",
  "MAVEN_HOME",
  "NVM_DIR",
  "PKG_CONFIG_PATH",
  "PNPM_HOME",
  "PYENV_ROOT",
  "PYENV_VERSION",
  "RBENV_ROOT",
  "RUSTFLAGS",
  "RUSTUP_HOME",
  "RUSTUP_TOOLCHAIN",
  "SDKMAN_DIR",
  "VIRTUAL_ENV",
  "VOLTA_HOME",
] as const;

const personalVariables = ["LANG", "LANGUAGE", "TZ", "USER", "LOGNAME"] as const;

const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Nothing waits for a person, pages, phones home or leaves bytecode. Not NO_COLOR: tests of whatever colours its output fail with
 * it, and no output of ours is a terminal.
 */
const fixedVariables = {
  CI: "true",
  DEBIAN_FRONTEND: "noninteractive",
  DO_NOT_TRACK: "1",
  GIT_PAGER: "cat",
  GIT_TERMINAL_PROMPT: "0",
  PAGER: "cat",
  PIP_DISABLE_PIP_VERSION_CHECK: "1",
  PIP_NO_INPUT: "1",
  PYTHONDONTWRITEBYTECODE: "1",
  SHELL: "/bin/sh",
  TERM: "dumb",
} as const;

/** Variables by which a command could tell that it runs here. */
export const ownVariables: readonly string[] = [
  ...Object.keys(fixedVariables),
  "GIT_CEILING_DIRECTORIES",
  "TMPDIR",
];

export type HostEnvironment = Readonly<Record<string, string | undefined>>;

export function buildEnvironment(
  host: HostEnvironment,
  options: EnvironmentOptions = {},
): Record<string, string> {
  const usesHost = options.hostToolchain ?? true;
  const names = usesHost ? [...personalVariables, ...toolchainVariables] : ["LANG", "TZ"];
  const taken: Record<string, string> = {};
  for (const name of [...names, ...Object.keys(host).filter((key) => key.startsWith("LC_"))]) {
    const value = host[name];
    if (value !== undefined && value !== "" && !holdsCredential(value)) taken[name] = value;
  }
  const home = options.home ?? host["HOME"];
  return {
    LANG: "C.UTF-8",
    ...taken,
    PATH: usesHost ? cleanPath(host["PATH"] ?? defaultPath, options.ownFolders ?? []) : defaultPath,
    ...(home === undefined ? {} : { HOME: home }),
    ...fixedVariables,
  };
}

/** An address with a user's name, password or token in it: `GOFLAGS=-ldflags=… https://name:token@host`. */
function holdsCredential(value: string): boolean {
  return /:\/\/[^/\s@]+@/.test(value);
}

/**
 * PATH as the user's shell has it: what npm put in front (`node_modules/.bin` of every folder above, `node-gyp-bin`) and our
 * own Node are taken out, and so are relative entries, which would mean another folder in each working folder.
 */
function cleanPath(path: string, ownFolders: readonly string[]): string {
  const entries = path
    .split(":")
    .filter((entry) => isAbsolute(entry))
    .filter((entry) => !/\/node_modules\/\.bin\/?$|\/node-gyp-bin\/?$/.test(entry))
    .filter((entry) => !ownFolders.some((folder) => entry === folder || entry.startsWith(folder + sep)));
  return entries.length === 0 ? defaultPath : [...new Set(entries)].join(":");
}
