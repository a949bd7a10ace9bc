/**
 * pyenv's shims are shell scripts that look for the version anew at each start of a program, which takes a score of processes and three times
 * as long as Python itself. What they would find is put before them.
 */
import { lstatSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

type Environment = Readonly<Record<string, string>>;

/**
 * `folder`: the checkout, whose `.python-version` decides where no variable does; `files`: what is in it. PATH as it is where pyenv itself
 * has to choose.
 */
export function pathBeforeShims(environment: Environment, folder: string, files: Iterable<string>): string {
  const { PATH = "", HOME = "", PYENV_ROOT = join(HOME, ".pyenv"), PYENV_VERSION } = environment;
  const entries = PATH.split(":");
  const at = entries.indexOf(join(PYENV_ROOT, "shims"));
  const version =
    PYENV_VERSION ?? readVersion(join(folder, ".python-version")) ?? readVersion(join(PYENV_ROOT, "version"));
  // A folder may have a version of its own; several versions, the first digits of one, and `system` are for pyenv.
  if (at === -1 || version === undefined || !/^\w[\w.-]*$/.test(version)) return PATH;
  for (const file of files) if (file.endsWith("/.python-version")) return PATH;
  const programs = join(PYENV_ROOT, "versions", version, "bin");
  if (statSync(programs, { throwIfNoEntry: false })?.isDirectory() !== true) return PATH;
  return entries.toSpliced(at, 0, programs).join(":");
}

/** undefined where there is no such file; a file without a version asks for none that there is. */
function readVersion(path: string): string | undefined {
  const status = lstatSync(path, { throwIfNoEntry: false });
  if (status === undefined) return undefined;
  if (!status.isFile() || status.size > 1000) return "";
  return readFileSync(path, "utf8").replaceAll(/#.*/g, "").trim();
}
