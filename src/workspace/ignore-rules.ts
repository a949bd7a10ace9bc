import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { isSystemError } from "../base/errors.ts";
import { readRegularFile } from "../base/regular-file.ts";
import { toBytePath } from "./byte-path.ts";
import { runGit } from "./git.ts";

/**
 * Rules for paths that are certainly derived, whatever the repository's rules say. They come first, so that a rule of
 * the repository can re-include such a path. Derived folders belong to no patch, but tests get them (see
 * ignored-folders.ts).
 */
const derived = [
  "node_modules/",
  ".venv/",
  "venv/",
  "__pycache__/",
  "*.pyc",
  ".pytest_cache/",
  ".mypy_cache/",
  ".ruff_cache/",
  ".tox/",
  ".nox/",
  ".gradle/",
  ".DS_Store",
];

export interface IgnoreRulesRequest {
  readonly repository: string;
  /** The repository itself, or a repository inside it. */
  readonly folder: string;
  /** The git directory with the configuration, also in a linked work tree. */
  readonly gitDirectory: string | undefined;
  /** Our own folder, which may be inside the repository. */
  readonly directory: string;
  readonly home: string | undefined;
}

/**
 * Reads the ignore rules that are not in `.gitignore` files, one character per byte. Returns the weakest rules first:
 * Millwright's own, those of the user's ignore file and of `core.excludesFile`, the repository's `info/exclude`, and a
 * rule for Millwright's own folder.
 */
export async function readIgnoreRules(request: IgnoreRulesRequest): Promise<string> {
  const { folder, gitDirectory, directory } = request;
  const buildsToTarget = ["Cargo.toml", "pom.xml"].some((name) => existsSync(join(folder, name)));
  const rules = [...derived, ...(buildsToTarget ? ["target/"] : [])].join("\n");
  const userRules = (await findUserRules(request)).map(readIfThere);
  const own = gitDirectory === undefined ? "" : readIfThere(join(gitDirectory, "info", "exclude"));
  const ourFolder = relative(folder, directory);
  const ourRule =
    ourFolder === "" || ourFolder.startsWith("..") ? "" : `/${escapePattern(toBytePath(ourFolder))}/`;
  return `${[rules, ...userRules, own, ourRule].join("\n")}\n`;
}

/** Returns the paths of the user's ignore file, and of `core.excludesFile` of the user and of the repository. Reading a configuration file runs nothing that it
 * names. Calls git only if a file contains the key's name.
 */
async function findUserRules(request: IgnoreRulesRequest): Promise<string[]> {
  const { home, gitDirectory, directory } = request;
  const paths = home === undefined ? [] : [join(home, ".config", "git", "ignore")];
  const files = home === undefined ? [] : [join(home, ".config", "git", "config"), join(home, ".gitconfig")];
  if (gitDirectory !== undefined) files.push(join(gitDirectory, "config"));
  for (const file of files.filter((path) => /excludesfile/i.test(readIfThere(path)))) {
    const { stdout } = await runGit({
      gitDirectory: directory,
      arguments: ["config", "--file", file, "--type=path", "--get", "core.excludesFile"],
      env: { HOME: home ?? "/nonexistent" },
      answers: [0, 1, 3, 128],
    });
    const named = stdout.toString("utf8").trim();
    // `/dev/null` in a configuration means "no file"; other devices are not read either.
    if (named !== "" && named !== "/dev/null") paths.push(resolve(request.folder, named));
  }
  return paths;
}

/**
 * Reads a file as a text with one character per byte; "" if it cannot be read. Throws MillwrightError("repository") for
 * a pipe or a device.
 */
export function readIfThere(path: string): string {
  try {
    return readRegularFile(path).toString("latin1");
  } catch (error) {
    if (isSystemError(error)) return "";
    throw error;
  }
}

function escapePattern(path: string): string {
  return path.replace(/[\\*?[\] !#]/g, "\\$&");
}
