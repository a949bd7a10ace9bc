/** Runs the program as a user does: `millwright` as a process of its own, on a copy of a fixture repository. */
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, lstatSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { TestRunner } from "vitest";
import { startWarm } from "./warm-host.ts";

const root = join(import.meta.dirname, "..", "..");

/** The package that tests/global-setup.ts built, or the checkout. */
const built = process.env["MILLWRIGHT_TEST_PACKAGE"];
const program = join(built ?? root, "bin", "millwright");

/** A package that is not installed is told where Node is, and PATH is the user's own. */
const surroundings =
  built === undefined
    ? {}
    : { MILLWRIGHT_NODE: process.execPath, NODE_COMPILE_CACHE: join(built, "compiled"), PATH: userPath() };

function userPath(): string {
  const folders = (process.env["PATH"] ?? "").split(delimiter);
  return folders.filter((folder) => !folder.startsWith(root)).join(delimiter);
}

export interface Playground {
  readonly folder: string;
  readonly runs: string;
  /** Copies a fixture repository, as a git repository with one commit unless told otherwise; skips the test where nothing here runs its tests. */
  copyRepository(fixture: string, options?: { git?: boolean }): string;
  start(args: readonly string[], options?: { env?: Record<string, string>; cwd?: string }): RunningProgram;
  /** Ends what is still running, such as after a test that took too long. */
  remove(): void;
}

export interface ProgramEnd {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningProgram {
  readonly pid: number;
  readonly ended: Promise<ProgramEnd>;
  kill(signal: NodeJS.Signals): void;
}

export interface StartedProgram extends RunningProgram {
  /** Ends it if it still runs. */
  remove(): void;
}

export interface PlaygroundOptions {
  /** The setting of that name; by default the one that opens fastest here. */
  readonly sandbox?: "auto";
}

export function createPlayground(given: PlaygroundOptions = {}): Playground {
  const folder = mkdtempSync(join(tmpdir(), "millwright-e2e-"));
  const runs = join(folder, "runs");
  const settings = { MILLWRIGHT_SANDBOX: given.sandbox ?? process.env["MILLWRIGHT_TEST_SANDBOX"] ?? "auto" };
  const started: StartedProgram[] = [];
  return {
    folder,
    runs,
    copyRepository(fixture, options = {}) {
      skipWithout(toolchains[fixture]);
      const target = join(folder, fixture);
      const source = options.git === false ? fixtureFolder(fixture) : committed(fixture);
      cpSync(source, target, { recursive: true });
      return target;
    },
    start(args, options = {}) {
      const program = start(args, { runs, ...options, env: { ...settings, ...options.env } });
      started.push(program);
      return program;
    },
    remove() {
      for (const each of started) each.remove();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** What has to be on the machine beside Node. */
const toolchains: Readonly<Record<string, string>> = {
  "c-check": "cc",
  "make-tap": "make",
  "repair-go": "go",
  "repair-java": "mvn",
  "repair-python": "python3",
  "repair-rust": "cargo",
  "two-faults-python": "python3",
  "wrong-test-python": "python3",
  "wrong-test-rust": "cargo",
};

const isThere = new Map<string, boolean>();

function skipWithout(program: string | undefined): void {
  if (program === undefined) return;
  const found = isThere.get(program) ?? spawnSync("which", [program]).status === 0;
  isThere.set(program, found);
  if (!found) TestRunner.getCurrentTest()?.context.skip(`there is no ${program}`);
}

const fixtureFolder = (fixture: string): string => join(root, "tests", "fixtures", "repos", fixture);

const repositories = new Map<string, string>();
process.on("exit", () => {
  for (const folder of repositories.values()) rmSync(folder, { recursive: true, force: true });
});

/** A fixture with its one commit, made once for this worker: three starts of git cost more than a copy. */
function committed(fixture: string): string {
  const known = repositories.get(fixture);
  if (known !== undefined) return known;
  const folder = mkdtempSync(join(tmpdir(), "millwright-fixture-"));
  repositories.set(fixture, folder);
  cpSync(fixtureFolder(fixture), folder, { recursive: true });
  commitAll(folder);
  return folder;
}

function commitAll(repository: string): void {
  const git = (...args: string[]): void => {
    execFileSync("git", ["-c", "user.name=Test", "-c", "user.email=test@example.invalid", ...args], {
      cwd: repository,
    });
  };
  git("init", "-q");
  git("add", "-A");
  git("commit", "-qm", "The repository as it was found");
}

/** A server takes seconds to start: tests that are about one switch them on. */
const noServers = { MILLWRIGHT_CODE_SERVERS: "off" };

function start(
  args: readonly string[],
  options: { runs: string; env?: Record<string, string>; cwd?: string },
): StartedProgram {
  const cwd = options.cwd ?? root;
  const own = { ...process.env, ...surroundings, ...noServers };
  const env = { ...own, MILLWRIGHT_RUNS_DIR: options.runs, NO_COLOR: "1", ...options.env };
  return built !== undefined && process.env["MILLWRIGHT_TEST_WARM"] === "1"
    ? startWarm(join(built, "dist", "cli", "main.js"), args, cwd, env)
    : startFresh(args, cwd, env);
}

function startFresh(args: readonly string[], cwd: string, env: NodeJS.ProcessEnv): StartedProgram {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<ProgramEnd>((resolve) => {
    child.on("close", (exitCode, signal) => resolve({ exitCode, signal, stdout, stderr }));
  });
  if (child.pid === undefined) throw new Error("bin/millwright could not be started");
  const kill = (signal: NodeJS.Signals): void => void child.kill(signal);
  const remove = (): void => {
    if (child.exitCode === null && child.signalCode === null) kill("SIGKILL");
  };
  return { pid: child.pid, ended, kill, remove };
}

/** Names, modes, modification times and contents of everything below a folder: two equal texts, an untouched folder. */
export function fingerprint(folder: string): string {
  const lines: string[] = [];
  const visit = (path: string): void => {
    const stat = lstatSync(join(folder, path), { bigint: true });
    const content = stat.isSymbolicLink()
      ? readlinkSync(join(folder, path))
      : stat.isFile()
        ? createHash("sha256")
            .update(readFileSync(join(folder, path)))
            .digest("hex")
        : "";
    lines.push(`${path} ${stat.mode} ${stat.mtimeNs} ${content}`);
    if (stat.isDirectory())
      for (const name of readdirSync(join(folder, path)).sort()) visit(join(path, name));
  };
  visit(".");
  return lines.join("\n");
}
