/** Builds the environment for a repository's commands from an allow-list, so that no secret reaches the commands. */
import { isAbsolute, sep } from "node:path";
import type { Language } from "../languages/contract.ts";
import { languages } from "../languages/languages.generated.ts";

export interface EnvironmentOptions {
  /** Millwright's own folders, which contain its Node and its packages' programs. PATH gets none of them. */
  readonly ownFolders?: readonly string[];
  /** The value of HOME. Default: the host's. */
  readonly home?: string;
  /** False for an image with its own toolchain: of the host's variables, it gets only those for language and time zone. Default true. */
  readonly hostToolchain?: boolean;
}

/** Variables that locate and configure toolchains. None of them is meant to hold a credential. */
const toolchainVariables: readonly string[] = [
  "ANDROID_HOME",
  "LD_LIBRARY_PATH",
  "PKG_CONFIG_PATH",
  ...languages.flatMap((language: Language) => language.variables ?? []),
];

const personalVariables = ["LANG", "LANGUAGE", "TZ", "USER", "LOGNAME"] as const;

/** Variables of the locale. Others that begin with `LC_` are a user's own: ssh passes them on. */
const localeVariable =
  /^LC_(?:ALL|ADDRESS|COLLATE|CTYPE|IDENTIFICATION|MEASUREMENT|MESSAGES|MONETARY|NAME|NUMERIC|PAPER|TELEPHONE|TIME)$/;

const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/**
 * Variables that prevent prompts, pagers, telemetry and bytecode files. They do not include NO_COLOR: tests of coloured
 * output would fail, and our output is not a terminal.
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

/** Variables that Millwright sets for commands. They could reveal to a command that it runs inside Millwright. */
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
  for (const name of [...names, ...Object.keys(host).filter((key) => localeVariable.test(key))]) {
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

/**
 * True for a value with a URL that contains a user's name, password or token: `GOFLAGS=-ldflags=…
 * https://name:token@host`.
 */
function holdsCredential(value: string): boolean {
  return /:\/\/[^/\s@]+@/.test(value);
}

/**
 * Cleans the PATH of the user's shell. Removes npm's additions (`node_modules/.bin` of every parent folder,
 * `node-gyp-bin`) and our own folders. Also removes relative entries, whose meaning depends on the working folder.
 */
function cleanPath(path: string, ownFolders: readonly string[]): string {
  const entries = path
    .split(":")
    .filter((entry) => isAbsolute(entry))
    .filter((entry) => !/\/node_modules\/\.bin\/?$|\/node-gyp-bin\/?$/.test(entry))
    .filter((entry) => !ownFolders.some((folder) => entry === folder || entry.startsWith(folder + sep)));
  return entries.length === 0 ? defaultPath : [...new Set(entries)].join(":");
}
