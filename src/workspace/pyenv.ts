/**
 * Puts a Python version into PATH, before pyenv's shims: the version that pyenv would choose. The shims are shell
 * scripts, which search for the version at every start of a program. Each search starts about twenty processes, and
 * takes three times as long as Python itself.
 */
import { lstatSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

type Environment = Readonly<Record<string, string>>;

/**
 * Returns a PATH in which the chosen Python version comes before pyenv's shims. Unchanged if pyenv itself must choose.
 * `folder`: the checkout. Its `.python-version` decides if the variable PYENV_VERSION is not set, then the user's
 * global version. `files`: the checkout's files.
 */
export function pathBeforeShims(environment: Environment, folder: string, files: Iterable<string>): string {
  const { PATH = "", HOME = "", PYENV_ROOT = join(HOME, ".pyenv"), PYENV_VERSION } = environment;
  const entries = PATH.split(":");
  const at = entries.indexOf(join(PYENV_ROOT, "shims"));
  const version =
    PYENV_VERSION ?? readVersion(join(folder, ".python-version")) ?? readVersion(join(PYENV_ROOT, "version"));
  // A folder may have its own version. Several versions, a version prefix, and `system` are left to pyenv.
  if (at === -1 || version === undefined || !/^\w[\w.-]*$/.test(version)) return PATH;
  for (const file of files) if (file.endsWith("/.python-version")) return PATH;
  const programs = join(PYENV_ROOT, "versions", version, "bin");
  if (statSync(programs, { throwIfNoEntry: false })?.isDirectory() !== true) return PATH;
  return entries.toSpliced(at, 0, programs).join(":");
}

/** Reads a file's version; undefined if there is no such file. A file without a version matches no version. */
function readVersion(path: string): string | undefined {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return undefined;
  if (!status.isFile() || status.size > 1000) return "";
  return readFileSync(path, "utf8").replaceAll(/#.*/g, "").trim();
}
