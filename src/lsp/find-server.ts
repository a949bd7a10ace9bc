/** Finds the program of a language server: first in the project, then on PATH, then in the user's folder of servers. */
import { join, posix } from "node:path";
import { renderOutput } from "../base/captured-output.ts";
import type { LanguageServer, ServerProgram } from "./language-server.ts";

/**
 * The user's folder of servers, relative to the home folder. It contains `bin/` and npm's `node_modules/`. Sandboxes
 * can read it.
 */
export const serversFolder = ".local/share/millwright/servers";

export interface FoundServer {
  readonly record: LanguageServer;
  /** The program with its arguments. */
  readonly run: readonly string[];
  readonly version: string;
}

export interface MissingServer {
  readonly record: LanguageServer;
  /** The reason, with the program's output: the program is not installed, or does not work. */
  readonly reason: string;
}

/** Runs a program in the server's environment; `exitCode` is null if it did not end in time. */
export type Probe = (
  argv: readonly string[],
) => Promise<{ readonly exitCode: number | null; readonly text: string }>;

/** Time limit in milliseconds for a program to print its version. */
export const versionLimitMs = 15_000;

/**
 * Tries each program in each folder. Returns the first program that works and speaks the protocol. If there is none,
 * `reason` says why.
 */
export async function findServer(
  record: LanguageServer,
  folders: readonly string[],
  probe: Probe,
): Promise<FoundServer | MissingServer> {
  const problems: string[] = [];
  const places = await findPrograms(record.programs, folders, probe);
  for (const { program, path } of places) {
    const run = [path, ...program.arguments];
    if (program.version === undefined) return { record, run, version: "" };
    const [teller = "", ...rest] = program.version;
    const { exitCode, text } = await probe([posix.join(posix.dirname(path), teller), ...rest]);
    const version = lineOf(text);
    if (exitCode !== 0) problems.push(`${path} does not work: ${version || `exit code ${exitCode}`}`);
    else if (program.accepts?.(text) === false)
      problems.push(`${path} (${version}) is not a language server`);
    else return { record, run, version };
  }
  const names = record.programs.map(({ program }) => program).join(", ");
  return { record, reason: problems.length > 0 ? problems.join("; ") : `not found (${names})` };
}

/**
 * Lists the folders to search, in order. The first folder is the project's root, for programs given by a path. The
 * others are for programs given by name. `root` and PATH are paths inside the sandbox. Without a root, omits the
 * project's folders.
 */
export function searchFolders(
  root: string | undefined,
  environment: Readonly<Record<string, string>>,
): string[] {
  const own =
    root === undefined
      ? []
      : ["node_modules/.bin", ".venv/bin", "venv/bin"].map((folder) => posix.join(root, folder));
  const path = (environment["PATH"] ?? "").split(":").filter((folder) => folder.startsWith("/"));
  const home = environment["HOME"];
  const ours =
    home === undefined
      ? []
      : [join(home, serversFolder, "bin"), join(home, serversFolder, "node_modules/.bin")];
  return [root ?? "/", ...new Set([...own, ...path, ...ours])];
}

/**
 * Returns the places to search for a program. A path is relative to the first folder, the project's root. A name may be
 * in any other folder.
 */
function placesOf(program: string, folders: readonly string[]): string[] {
  const [first = "/", ...others] = folders;
  if (program.includes("/")) return [posix.resolve(first, program)];
  return others.map((folder) => posix.join(folder, program));
}

/** Finds existing executables with one command. Orders them by program and then by folder. */
async function findPrograms(
  programs: readonly ServerProgram[],
  folders: readonly string[],
  probe: Probe,
): Promise<{ program: ServerProgram; path: string }[]> {
  const all = programs.flatMap((program) =>
    placesOf(program.program, folders).map((path) => ({ program, path })),
  );
  const look = 'for file do if [ -f "$file" ] && [ -x "$file" ]; then printf "%s\\n" "$file"; fi; done';
  const { text } = await probe(["/bin/sh", "-c", look, "sh", ...all.map(({ path }) => path)]);
  const there = new Set(text.split("\n"));
  return all.filter(({ path }) => there.has(path));
}

/** Finds the version among other lines, such as JVM options and warnings. */
function lineOf(text: string): string {
  const lines = text.split("\n").map((line) => line.trim());
  return (lines.find((line) => /\d+\.\d+/.test(line)) ?? lines.find((line) => line !== "") ?? "").slice(
    0,
    120,
  );
}

/** Returns the relevant output of a probe: standard output, or else standard error. */
export function probeText(result: {
  stdout: Parameters<typeof renderOutput>[0];
  stderr: Parameters<typeof renderOutput>[0];
}): string {
  return renderOutput(result.stdout).trim() || renderOutput(result.stderr).trim();
}
