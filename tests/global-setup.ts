/** Once before all tests: what this machine's set-up would cost or change in each of them. */
import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { sandboxes } from "../src/sandbox/index.ts";

export default async function setUp(): Promise<() => void> {
  skipShims();
  await chooseSandbox();
  return hasWholeRuns() ? buildProgram() : () => {};
}

/** A version manager's `python3` is a script that starts twenty processes at each call: the one behind it comes first. */
function skipShims(): void {
  const ask = ["-c", "import sys; print(sys.executable)"];
  const { status, stdout } = spawnSync("python3", ask, { encoding: "utf8" });
  if (status === 0) process.env["PATH"] = `${dirname(stdout.trim())}${delimiter}${process.env["PATH"] ?? ""}`;
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
 * sources, which MILLWRIGHT_TEST_SOURCES=1 starts. Returns what takes it away again.
 */
function buildProgram(): () => void {
  if (process.env["MILLWRIGHT_TEST_SOURCES"] === "1") return () => {};
  const root = dirname(import.meta.dirname);
  const cache = join(root, "node_modules", ".cache", "millwright");
  mkdirSync(cache, { recursive: true });
  for (const name of readdirSync(cache).filter((entry) => entry.startsWith("built-")))
    if (!existsSync(`/proc/${name.slice("built-".length)}`))
      rmSync(join(cache, name), { recursive: true, force: true });
  const folder = join(cache, `built-${process.pid}`);
  for (const part of ["bin", "package.json"])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  const build = [join(root, "scripts", "build.ts"), join(folder, "dist"), "--without-types"];
  execFileSync(process.execPath, build, { stdio: "inherit" });
  process.env["MILLWRIGHT_TEST_PACKAGE"] = folder;
  return () => rmSync(folder, { recursive: true, force: true });
}
