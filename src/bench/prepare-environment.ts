/** Builds the base commit and runs its setup in a separate folder, once for all runs of the task. */

import { existsSync } from "node:fs";
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import picomatch from "picomatch";
import { z } from "zod";
import { isAboutNetwork } from "../agent/state/needs-network.ts";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { renderOutput } from "../base/captured-output.ts";
import { nameFirst } from "../base/count.ts";
import { type ErrorCode, MillwrightError } from "../base/errors.ts";
import { makeFolders } from "../base/make-folders.ts";
import { packageFolder } from "../base/own-files.ts";
import { quoteWord } from "../base/shell-word.ts";
import type { CommandResult } from "../sandbox/contract.ts";
import { applyPatch } from "../workspace/apply-patch.ts";
import { commandEnvironment } from "../workspace/checkout.ts";
import type { WorkspaceSandbox } from "../workspace/contract.ts";
import type { HostEnvironment } from "../workspace/environment.ts";
import { withGitView } from "../workspace/foreign-git.ts";
import { makeGitDirectory, runGit } from "../workspace/git.ts";
import { insideRoot } from "../workspace/path-names.ts";
import { findPython } from "./find-python.ts";
import { isBuilt } from "./image-recipe.ts";
import { shareFiles } from "./share-files.ts";
import { layTargetText, parseTargetText, type TargetText } from "./target-text.ts";
import { type ThawRequest, thawEnvironment } from "./thaw.ts";

export interface EnvironmentRequest {
  /** The git directory with the commit. */
  readonly source: string;
  readonly commit: string;
  /** A folder used only by this environment. */
  readonly folder: string;
  /** `OWNER/NAME` of the repository, for `listPrepared`. */
  readonly fullName: string;
  /** The name of the repository's folder in `folder`. Some tests depend on this name. */
  readonly name: string;
  /** The patch that turns the commit into the base; undefined if the commit is the base. */
  readonly basePatch: string | undefined;
  readonly setup: string | undefined;
  /** Globs of files to remove from the commit before the setup can copy them. */
  readonly remove: readonly string[];
  /** Time limit for the setup, in milliseconds. */
  readonly limitMs: number;
  /** Environment variables that the setup sees besides the environment's own. */
  readonly variables: Readonly<Record<string, string>>;
  /** A stored environment, which replaces a run of the setup. */
  readonly frozen: FrozenPlace | undefined;
  /** A folder for files that environments share; undefined: the environment shares none. */
  readonly shared: string | undefined;
  readonly sandbox: WorkspaceSandbox;
  readonly hostEnvironment: HostEnvironment;
  readonly signal: AbortSignal;
}

/** The place of a frozen environment: the store's folder, and the environment's key in it. */
export type FrozenPlace = Pick<ThawRequest, "folder" | "key">;

export interface PreparedEnvironment {
  readonly repository: string;
  /** Notes for people on files of the commit that the setup changed and Millwright restored. */
  readonly notes: readonly string[];
}

const markerSchema = z.object({
  schema: z.literal("millwright.environment/1"),
  /** `OWNER/NAME` of the repository; absent in environments of earlier versions. */
  repository: z.string().optional(),
  notes: z.array(z.string()),
  /** Bytes on disk, without files of environments that existed before; absent in environments of earlier versions. */
  bytes: z.number().optional(),
});
const markerName = "environment.json";

/**
 * Prepares an environment. Reuses the folder if an earlier process finished it, and otherwise builds it again from the
 * start. Throws MillwrightError("repository") if the base patch does not apply, or if the setup fails. The code is
 * "network" or "disk" if the setup reports a lost network or a full disk. An error of the setup contains its last output.
 */
export async function prepareEnvironment(request: EnvironmentRequest): Promise<PreparedEnvironment> {
  const repository = join(request.folder, request.name);
  const marker = join(request.folder, markerName);
  if (isFinished(request.folder)) {
    const { notes } = markerSchema.parse(JSON.parse(await readFile(marker, "utf8")));
    const now = new Date();
    await utimes(marker, now, now).catch(() => {}); // the environment is usable without it
    return { repository, notes };
  }
  await rm(request.folder, { recursive: true, force: true });
  await makeFolders(request.folder);
  await mkdir(repository);
  await checkOut(request, repository);
  if (request.basePatch !== undefined) await layBasePatch(repository, request.basePatch);
  await takeOut(repository, request.remove);
  if (request.basePatch !== undefined || request.remove.length > 0) await beginHistory(repository);
  const notes = await setUp(request, repository);
  const bytes = await shareFiles(repository, request.shared);
  const made = { schema: "millwright.environment/1", repository: request.fullName, notes, bytes };
  await writeFileAtomically(marker, JSON.stringify(made));
  return { repository, notes };
}

/** True if an earlier process finished the environment in this folder. */
export function isFinished(folder: string): boolean {
  return existsSync(join(folder, markerName));
}

/** Removes an environment. Removes its marker first, so that a crash leaves no folder that counts as finished. */
export async function removeEnvironment(folder: string): Promise<void> {
  await rm(join(folder, markerName), { force: true });
  await rm(folder, { recursive: true, force: true });
}

/** A repository (`OWNER/NAME`), and the time of the last use of its environment or image. */
export interface UsedRepository {
  readonly repository: string;
  readonly usedMs: number;
}

/** A finished environment. */
export interface MadeEnvironment extends UsedRepository {
  readonly folder: string;
  readonly notes: readonly string[];
  readonly bytes: number;
}

/** Lists the finished environments of a folder whose repository is known. */
export async function listPrepared(folder: string): Promise<MadeEnvironment[]> {
  const names = await readdir(folder).catch(() => []);
  const found = await Promise.all(names.map((name) => readMarker(join(folder, name))));
  return found.flatMap((each) => each ?? []);
}

/** Reads a finished environment's marker. Undefined if the environment is unfinished or its repository unknown. */
async function readMarker(folder: string): Promise<MadeEnvironment | undefined> {
  const path = join(folder, markerName);
  try {
    const { mtimeMs: usedMs } = await stat(path);
    const { repository, notes, bytes = 0 } = markerSchema.parse(JSON.parse(await readFile(path, "utf8")));
    return repository === undefined ? undefined : { folder, repository, usedMs, notes, bytes };
  } catch {
    return undefined;
  }
}

const branch = "refs/heads/base";

/** Checks out one commit without its history. Writes the bytes as git stores them, regardless of attributes. */
async function checkOut({ source, commit }: EnvironmentRequest, repository: string): Promise<void> {
  const gitDirectory = join(repository, ".git");
  await makeGitDirectory(gitDirectory, "");
  const git = (...args: string[]) =>
    runGit({ gitDirectory, workTree: repository, arguments: args, env: { GIT_ALLOW_PROTOCOL: "file" } });
  const server = "git -c safe.directory=* -c uploadpack.allowAnySHA1InWant=true upload-pack";
  await withGitView(source, (view) =>
    git("fetch", "--quiet", "--depth=1", "--no-tags", `--upload-pack=${server}`, view, commit),
  );
  await git("update-ref", branch, commit);
  await git("reset", "--quiet", "--hard");
  await rm(join(gitDirectory, "FETCH_HEAD"), { force: true });
}

const author = {
  GIT_AUTHOR_NAME: "Millwright",
  GIT_AUTHOR_EMAIL: "millwright@example.invalid",
  GIT_AUTHOR_DATE: "2000-01-01T00:00:00Z",
  GIT_COMMITTER_NAME: "Millwright",
  GIT_COMMITTER_EMAIL: "millwright@example.invalid",
  GIT_COMMITTER_DATE: "2000-01-01T00:00:00Z",
};

async function layBasePatch(repository: string, basePatch: string): Promise<void> {
  const given = parseTargetText(basePatch);
  if (given !== undefined) {
    await layBaseText(repository, given);
    return;
  }
  const gitDirectory = join(repository, ".git");
  const folder = await mkdtemp(join(gitDirectory, "base-"));
  const made = await applyPatch(gitDirectory, folder, `${branch}^{tree}`, basePatch);
  if (!made.ok) {
    throw new MillwrightError("repository", `the base patch does not apply: ${made.message}`);
  }
  await askGit(repository, "read-tree", "--reset", "-u", made.value);
}

/**
 * Writes the base's text of a function into its file. Reads the file from git, because the file in the work tree may be
 * a link.
 */
async function layBaseText(repository: string, given: TargetText): Promise<void> {
  const read = async (path: string): Promise<string | undefined> => {
    const shown = { gitDirectory: join(repository, ".git"), arguments: ["show", `${branch}:${path}`] };
    const { exitCode, stdout } = await runGit({ ...shown, answers: [0, 128] });
    return exitCode === 0 ? stdout.toString("utf8") : undefined;
  };
  const made = await layTargetText(given, read);
  if (!made.ok) throw new MillwrightError("repository", `the base cannot be made: ${made.message}`);
  await writeFile(join(repository, made.value.file), made.value.text);
}

async function takeOut(repository: string, globs: readonly string[]): Promise<void> {
  if (globs.length === 0) return;
  const isRemoved = picomatch([...globs], { dot: true });
  const listed = (await askGit(repository, "ls-files", "-z")).split("\0");
  const paths = listed.filter((path) => path !== "" && isRemoved(path));
  for (const path of paths) await rm(join(repository, path), { force: true, recursive: true });
}

/** Commits the current state in a new git directory. Objects of the old directory would reveal answers to an agent. */
async function beginHistory(repository: string): Promise<void> {
  const gitDirectory = join(repository, ".git");
  const git = (...args: string[]) => askGit(repository, ...args);
  await rm(gitDirectory, { recursive: true });
  await makeGitDirectory(gitDirectory, "");
  await git("add", "--all", "--force");
  const tree = (await git("write-tree")).trim();
  const commit = (await git("commit-tree", tree, "-m", "The base of the task")).trim();
  await git("update-ref", branch, commit);
  await git("clean", "-ffdqx"); // folders that are now empty
}

async function askGit(repository: string, ...args: string[]): Promise<string> {
  const place = { gitDirectory: join(repository, ".git"), workTree: repository };
  return (await runGit({ ...place, arguments: args, env: author })).stdout.toString("utf8");
}

/** Sets up the environment: restores a frozen one, or adds first the image's files and then the setup's. */
async function setUp(request: EnvironmentRequest, repository: string): Promise<string[]> {
  const { image } = request.sandbox;
  const { frozen, setup } = request;
  if (frozen !== undefined && setup !== undefined) {
    await thawEnvironment({
      ...{ ...frozen, repository },
      findPython:
        image === undefined
          ? (named, version) => findPython(named, version, request.hostEnvironment["PATH"] ?? "")
          : undefined,
      signal: request.signal,
    });
    return keepOnlyAdditions(repository);
  }
  const steps: readonly SetupStep[] = [
    // An image that Millwright built has packages, and no project.
    ...(image?.root === undefined || isBuilt(image.name) ? [] : [copyOfImage(image.root, image.name)]),
    ...(setup === undefined ? [] : [{ run: setup, network: true, root: image?.root }]),
  ];
  for (const step of steps) await performStep(request, step, repository);
  return steps.length === 0 ? [] : keepOnlyAdditions(repository);
}

interface SetupStep {
  /** Shell command, run in the environment's root. */
  readonly run: string;
  readonly network: boolean;
  /** The environment's path as commands see it. Default: its own path. */
  readonly root: string | undefined;
}

const copyTarget = `${insideRoot}/environment`;

/**
 * Returns the step that copies the image's project folder, because it has files that are not in the commit: compiled
 * modules, installed packages, generated sources.
 */
function copyOfImage(root: string, name: string): SetupStep {
  const run = `
    from=${quoteWord(root)}
    if ! [ -d "$from" ]; then echo 'the image ${name} has no folder '"$from" >&2; exit 1; fi
    for entry in "$from"/* "$from"/.[!.]* "$from"/..?*; do
      if [ "\${entry##*/}" = .git ]; then continue; fi
      if [ -e "$entry" ] || [ -L "$entry" ]; then cp -a "$entry" . || exit 1; fi
    done`;
  return { run, network: false, root: copyTarget };
}

async function performStep(request: EnvironmentRequest, step: SetupStep, repository: string): Promise<void> {
  const result = await runStep(request, repository, step);
  request.signal.throwIfAborted();
  const output = [renderOutput(result.stdout), renderOutput(result.stderr)].filter((text) => text !== "");
  await appendFile(join(request.folder, "setup.log"), `${output.join("\n")}\n`);
  if (result.end === "exited" && result.exitCode === 0) return;
  const end = result.end === "exited" ? `exit code ${result.exitCode}` : result.end;
  const last = output.join("\n").trim().split("\n").slice(-5).join(" | ").slice(-600);
  throw new MillwrightError(causeOf(output.join("\n"), step), `the setup failed (${end}): ${last}`, {
    hint: `${join(request.folder, "setup.log")} has the whole output.`,
  });
}

/** Reports of a full disk, and of connections that end early. */
const fullDisk = /\bNo space left on device\b|\b(?:ENOSPC|EDQUOT)\b|Disk quota exceeded/i;
const lostConnection = /\b(?:ECONNRESET|ETIMEDOUT)\b|Connection (?:reset by peer|timed out)|Read timed out/i;

/** Names the cause of a failed step. A full disk or a lost network says nothing about the repository. */
function causeOf(output: string, { network }: Pick<SetupStep, "network">): ErrorCode {
  if (fullDisk.test(output)) return "disk";
  return network && (isAboutNetwork(output) || lostConnection.test(output)) ? "network" : "repository";
}

async function runStep(
  request: EnvironmentRequest,
  repository: string,
  { run, network, root = repository }: SetupStep,
): Promise<CommandResult> {
  const state = join(request.folder, "state");
  await mkdir(state, { recursive: true });
  const { provider, owner, limits, image } = request.sandbox;
  const sandbox = await provider.open({
    owner,
    limits,
    network,
    stateDirectory: state,
    virtualEnvironment: request.hostEnvironment["VIRTUAL_ENV"],
    mounts: [
      { mode: "read-write", source: repository, target: root },
      // The setup must not change this folder, because our git reads it afterwards.
      { mode: "read-only", source: join(repository, ".git"), target: join(root, ".git") },
    ],
    ...(image === undefined ? {} : { image: image.name }),
  });
  try {
    const environment = commandEnvironment(request.hostEnvironment, [packageFolder], sandbox, image);
    return await sandbox.execute({
      run,
      cwd: root,
      env: { ...environment, ...request.variables },
      timeoutMs: request.limitMs,
      signal: request.signal,
    });
  } finally {
    await sandbox.close();
    await rm(state, { recursive: true, force: true });
  }
}

/** Git would read the configuration of a submodule, which the setup may have written, and run its programs. */
const noSubmodules = "--ignore-submodules=all";

/**
 * Makes git ignore the files that the setup added. Restores files of the commit that the setup changed, and returns a
 * note that names them.
 */
async function keepOnlyAdditions(repository: string): Promise<string[]> {
  const place = { gitDirectory: join(repository, ".git"), workTree: repository };
  const { stdout } = await runGit({
    ...place,
    arguments: ["status", "--porcelain=v1", "-z", "--no-renames", "--untracked-files=normal", noSubmodules],
  });
  const lines = stdout.toString("latin1").split("\0").filter(Boolean);
  const added = lines.filter((line) => line.startsWith("??")).map((line) => line.slice(3));
  const changed = lines.filter((line) => !line.startsWith("??")).map((line) => line.slice(3));
  const rules = added.map((path) => `/${path.replaceAll(/[\\*?[\] #!]/g, "\\$&")}\n`);
  await writeFile(join(place.gitDirectory, "info", "exclude"), rules.join(""), "latin1");
  if (changed.length === 0) return [];
  await runGit({ ...place, arguments: ["checkout", "--quiet", "--force", "HEAD", "--", "."] });
  return [`the setup changed files of the commit; Millwright restored them: ${nameFirst(changed, 5)}`];
}
