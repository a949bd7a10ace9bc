import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { isSystemError } from "../base/errors.ts";
import { readRegularFile } from "../base/regular-file.ts";
import { runGit } from "./git.ts";

/**
 * What is surely derived, whatever the repository's own rules say; they come first, so that a rule of the repository can
 * take one back. Derived folders are not part of any patch, yet tests get them (see ignored-folders.ts).
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
  /** The repository itself, or one inside it. */
  readonly folder: string;
  /** The one with the configuration, in a linked work tree too. */
  readonly gitDirectory: string | undefined;
  /** Our own folder, which may lie inside the repository. */
  readonly directory: string;
  readonly home: string | undefined;
}

/** The rules beside those of `.gitignore` files, a character for each byte, weakest first: ours, the user's, those of the repository's `info/exclude`. */
export async function readIgnoreRules(request: IgnoreRulesRequest): Promise<string> {
  const { folder, gitDirectory, directory } = request;
  const buildsToTarget = ["Cargo.toml", "pom.xml"].some((name) => existsSync(join(folder, name)));
  const rules = [...derived, ...(buildsToTarget ? ["target/"] : [])].join("\n");
  const userRules = (await findUserRules(request)).map(readIfThere);
  const own = gitDirectory === undefined ? "" : readIfThere(join(gitDirectory, "info", "exclude"));
  const ourFolder = relative(folder, directory);
  const ourRule =
    ourFolder === "" || ourFolder.startsWith("..")
      ? ""
      : `/${escapePattern(Buffer.from(ourFolder).toString("latin1"))}/`;
  return `${[rules, ...userRules, own, ourRule].join("\n")}\n`;
}

/**
 * `core.excludesFile` of the user and of the repository. Reading a configuration file runs nothing that it names; git is asked
 * only where a file has the key's name.
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
    // How a configuration says that there is none; no other device is read.
    if (named !== "" && named !== "/dev/null") paths.push(resolve(request.folder, named));
  }
  return paths;
}

/** A character for each byte; "" where nothing can be read. Throws MillwrightError("repository") for a pipe or a device. */
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
