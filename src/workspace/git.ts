/**
 * Runs git on our private folders only. The user's configuration, hooks, filters, templates and attributes cannot take
 * effect. Millwright rebuilds the environment, and GIT_DIR always names a folder that we created. `foreign-git.ts` makes
 * such a folder for another's git directory.
 */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { existsSync, statfsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { renderOutput, wholeOutput } from "../base/captured-output.ts";
import { MillwrightError } from "../base/errors.ts";
import { runProcess } from "../base/process.ts";
import { refuseEndless, watchForBlocking } from "./blocking-files.ts";
import { diskIsFull } from "./infrastructure-errors.ts";

export interface GitRequest {
  readonly gitDirectory: string;
  readonly arguments: readonly string[];
  readonly workTree?: string;
  readonly index?: string;
  readonly cwd?: string;
  readonly input?: string | Uint8Array;
  readonly env?: Readonly<Record<string, string>>;
  /** Time limit in milliseconds; default: no limit. */
  readonly timeoutMs?: number;
  /** Exit codes that count as an answer; default only 0. */
  readonly answers?: readonly number[];
}

export interface GitAnswer {
  readonly exitCode: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Maximum bytes of output, enough for a list of a million paths, or a large diff. */
const outputBytes = 1024 * 1024 * 1024;

/**
 * Runs git, and returns its output. Throws MillwrightError: "disk" if the disk is full, otherwise "repository" with
 * git's message.
 */
export async function runGit(request: GitRequest): Promise<GitAnswer> {
  const watch = request.workTree === undefined ? undefined : watchForBlocking(request.workTree);
  const result = await runProcess([...dyingWithUs(), "git", ...request.arguments], {
    cwd: request.cwd ?? request.workTree ?? request.gitDirectory,
    env: gitEnvironment(request),
    outputBytes,
    ...(watch === undefined ? {} : { signal: watch.signal }),
    ...(request.timeoutMs === undefined ? {} : { timeoutMs: request.timeoutMs }),
    ...(request.input === undefined ? {} : { input: request.input }),
  });
  await watch?.end();
  if (result.timedOut) refuseEndless(request.gitDirectory);
  if (result.startError !== undefined) throw gitIsMissing(result.startError);
  if (result.exitCode === 127) throw gitIsMissing(new Error(renderOutput(result.stderr)));
  const stderr = renderOutput(result.stderr).trim();
  const stdout = wholeOutput(result.stdout);
  const answers = request.answers ?? [0];
  if (result.exitCode === null || !answers.includes(result.exitCode) || stdout === undefined) {
    throw gitFailure(request, stderr);
  }
  return { exitCode: result.exitCode, stdout, stderr };
}

/**
 * Returns the words to put before git's command. With them, the kernel kills git if our process dies. Otherwise a git
 * that waits for a file would outlive our process. `setpriv` is part of util-linux.
 */
function dyingWithUs(): readonly string[] {
  setpriv ??= ["/usr/bin/setpriv", "/bin/setpriv"].find((path) => existsSync(path)) ?? "";
  return setpriv === "" ? [] : [setpriv, "--pdeathsig", "KILL", "--"];
}
let setpriv: string | undefined;

/** Starts git, and returns the process with open streams for input and output. */
export function startGit(request: GitRequest): ChildProcessByStdio<Writable, Readable, Readable> {
  const [program = "git", ...words] = [...dyingWithUs(), "git", ...request.arguments];
  return spawn(program, words, {
    cwd: request.cwd ?? request.workTree ?? request.gitDirectory,
    env: gitEnvironment(request),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true, // we handle Ctrl-C of the terminal
  });
}

/** Minimum free space in bytes. With less, even a small file may fail. */
const leastRoom = 256 * 1024;

function hasNoRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < leastRoom;
  } catch {
    return false;
  }
}

export function gitFailure(request: GitRequest, stderr: string): MillwrightError {
  const saysSo = /No space left on device|Out of diskspace|Disk quota exceeded/.test(stderr);
  // Git does not always say why it could not write a file.
  if (saysSo || (/\b(?:write|close)\b/.test(stderr) && hasNoRoom(request.gitDirectory))) {
    return diskIsFull(new Error(stderr), request.gitDirectory);
  }
  const command = request.arguments.find((argument) => !argument.startsWith("-")) ?? "";
  return new MillwrightError(
    "repository",
    `git ${command} failed: ${stderr.trim().split("\n").at(-1) ?? ""}`,
    {
      hint: "Check the repository with `git status` and `git fsck`.",
      cause: new Error(stderr),
    },
  );
}

export function gitIsMissing(cause: Error): MillwrightError {
  return new MillwrightError("repository", "git cannot be started.", {
    hint: "Install git 2.30 or later.",
    cause,
  });
}

function gitEnvironment(request: GitRequest): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "/usr/local/bin:/usr/bin:/bin",
    HOME: "/nonexistent",
    LC_ALL: "C",
    GIT_DIR: request.gitDirectory,
    ...(request.workTree === undefined ? {} : { GIT_WORK_TREE: request.workTree }),
    ...(request.index === undefined ? {} : { GIT_INDEX_FILE: request.index }),
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_SYSTEM: "/dev/null",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_ATTR_NOSYSTEM: "1",
    GIT_OPTIONAL_LOCKS: "0",
    GIT_TERMINAL_PROMPT: "0",
    GIT_NO_REPLACE_OBJECTS: "1",
    GIT_NO_LAZY_FETCH: "1",
    GIT_ALLOW_PROTOCOL: "",
    ...request.env,
  };
}

const configuration = `[core]
	repositoryformatversion = 0
	bare = false
	fileMode = true
	symlinks = true
	ignoreCase = false
	precomposeUnicode = false
	autocrlf = false
	safecrlf = false
	fsmonitor = false
	untrackedCache = false
	hooksPath = /dev/null
	attributesFile = /dev/null
	excludesFile = /dev/null
	compression = 1
[pack]
	compression = 1
[fastimport]
	unpackLimit = 1
[gc]
	auto = 0
[maintenance]
	auto = false
`;

/**
 * Creates our own git directory. Its attributes override every `.gitattributes` of a work tree. Files therefore keep
 * their bytes, even if the repository asks for line endings, filters or encodings. `ignoreRules`: one character per
 * byte.
 */
export async function makeGitDirectory(
  folder: string,
  ignoreRules: string,
  hash: "sha1" | "sha256" = "sha1",
): Promise<void> {
  await mkdir(join(folder, "info"), { recursive: true });
  for (const name of ["objects", "refs/heads"]) await mkdir(join(folder, name), { recursive: true });
  const extension = hash === "sha1" ? configuration : configuration.replace("version = 0", "version = 1");
  const format = hash === "sha1" ? "" : "[extensions]\n\tobjectFormat = sha256\n";
  await writeFile(join(folder, "config"), extension + format);
  await writeFile(join(folder, "HEAD"), "ref: refs/heads/base\n");
  await writeFile(join(folder, "info", "attributes"), "* -text !eol -filter -ident -working-tree-encoding\n");
  await writeFile(join(folder, "info", "exclude"), ignoreRules, "latin1");
}
