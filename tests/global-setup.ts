/** Once before all tests: what this machine's set-up would cost or change in each of them. */
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { sandboxes } from "../src/sandbox/index.ts";

export default async function setUp(): Promise<() => void> {
  const leaveMemory = chooseMemory();
  chooseQuickPython();
  await chooseSandbox();
  const removeProgram = hasWholeRuns() ? buildProgram() : () => {};
  return () => {
    removeProgram();
    leaveMemory();
  };
}

/** In bytes; all tests together need 0.3 GB at one time. */
const roomInMemory = 3e9;

/**
 * Temporary folders lie in memory where there is plenty: tests make and remove hundreds of thousands of small files, which a file system
 * without a journal takes a fifth of all processor time for. A TMPDIR that is set stays. Returns what takes the folder away again.
 */
function chooseMemory(): () => void {
  const memory = "/dev/shm";
  if (process.env["TMPDIR"] !== undefined || !existsSync(memory)) return () => {};
  const { bavail, bsize } = statfsSync(memory);
  if (Math.min(bavail * bsize, process.availableMemory()) < roomInMemory) return () => {};
  const prefix = "millwright-tests-";
  removeOfDead(memory, prefix);
  const folder = join(memory, `${prefix}${process.pid}`);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch {
    return () => {};
  }
  process.env["TMPDIR"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}

/** Removes folders that are named after processes which have ended. */
function removeOfDead(parent: string, prefix: string): void {
  for (const name of readdirSync(parent).filter((entry) => entry.startsWith(prefix)))
    if (!existsSync(`/proc/${name.slice(prefix.length)}`))
      rmSync(join(parent, name), { recursive: true, force: true });
}

/**
 * A version manager's `python3` is a script that starts twenty processes at each call, and packages may have the interpreter import
 * them at each start (lines of `.pth` files: 26 of 37 ms on one machine). Put first: an environment with the same packages, and
 * without either, among those of the user's home that sandboxes show. Where it cannot be made, the interpreter itself.
 */
function chooseQuickPython(): void {
  const ask = "import site, sys; print(sys.executable, *site.getsitepackages(), sep='\\n')";
  const { status, stdout } = spawnSync("python3", ["-c", ask], { encoding: "utf8" });
  const [program, ...packages] = status === 0 ? stdout.trim().split("\n") : [];
  if (program === undefined) return;
  const name = createHash("sha256").update(stdout).digest("hex").slice(0, 8);
  const folder = join(homedir(), ".local", "share", "virtualenvs", `millwright-tests-${name}`);
  if (!existsSync(folder)) makeEnvironment(program, folder, packages);
  const first = existsSync(folder) ? join(folder, "bin") : dirname(program);
  process.env["PATH"] = `${first}${delimiter}${process.env["PATH"] ?? ""}`;
}

/** Without the packages' own lines: a line that names a folder has Python look for modules there, and not for such lines. */
function makeEnvironment(program: string, folder: string, packages: readonly string[]): void {
  const making = `${folder}.${process.pid}`;
  const { status } = spawnSync(program, ["-m", "venv", "--without-pip", making]);
  const [libraries] = status === 0 ? globSync(join(making, "lib", "python*", "site-packages")) : [];
  if (libraries === undefined) {
    rmSync(making, { recursive: true, force: true });
    return;
  }
  writeFileSync(join(libraries, "packages.pth"), packages.join("\n"));
  renameSync(making, folder);
}

/**
 * Whole runs whose promise is not about the sandbox take the one that opens fastest, whether or not a Docker daemon is there;
 * `createPlayground({ sandbox: "auto" })` takes the one that a user gets.
 */
async function chooseSandbox(): Promise<void> {
  const quick = sandboxes.find(({ name }) => name === "bubblewrap");
  const works = (await quick?.probe())?.available === true;
  process.env["MILLWRIGHT_TEST_SANDBOX"] = works ? "bubblewrap" : "auto";
}

/** False where the command line names other files only; whole runs then would start the sources. */
function hasWholeRuns(): boolean {
  const named = process.argv.slice(2).filter((word) => /^(?:src|tests)\/|\.test\.ts$/.test(word));
  return named.length === 0 || named.some((word) => word.includes("e2e"));
}

/**
 * Whole runs start the program as it is published, built now: each takes a fifth to a third less processor time than from the
 * sources, which MILLWRIGHT_TEST_SOURCES=1 starts; and in a process that has run it before (tests/e2e/warm-program.ts), which takes
 * a quarter less, unless MILLWRIGHT_TEST_WARM is 0. Returns what takes it away again.
 */
function buildProgram(): () => void {
  if (process.env["MILLWRIGHT_TEST_SOURCES"] === "1") return () => {};
  const root = dirname(import.meta.dirname);
  const cache = join(root, "node_modules", ".cache", "millwright");
  mkdirSync(cache, { recursive: true });
  removeOfDead(cache, "built-");
  const folder = join(cache, `built-${process.pid}`);
  for (const part of ["bin", "package.json"])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  const build = [join(root, "scripts", "build.ts"), join(folder, "dist"), "--without-types"];
  execFileSync(process.execPath, build, { stdio: "inherit" });
  process.env["MILLWRIGHT_TEST_PACKAGE"] = folder;
  process.env["MILLWRIGHT_TEST_WARM"] ??= "1";
  return () => rmSync(folder, { recursive: true, force: true });
}
