import { isUtf8 } from "node:buffer";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BytePath, quotePath, showPath, splitPaths } from "./byte-path.ts";
import { runGit } from "./git.ts";
import type { ObjectStore } from "./objects.ts";
import type { Trees } from "./trees.ts";

export interface DiffRequest {
  readonly gitDirectory: string;
  readonly objects: ObjectStore;
  readonly trees: Trees;
  readonly from: string;
  readonly to: string;
}

/**
 * Renders a unified diff as text. For a file that is not UTF-8, the diff contains a binary patch: a text could not
 * contain the file's lines. `folder`: an empty folder. The function writes a file of git attributes there, which marks
 * these files as binary.
 */
export async function diffTrees(request: DiffRequest, folder: string): Promise<string> {
  const { from, to, gitDirectory } = request;
  if (from === to) return "";
  const format = ["--patch", "--binary", "--full-index"];
  const plain = await runDiff(gitDirectory, from, to, format);
  if (isUtf8(plain)) return plain.toString("utf8");
  const attributes = join(folder, "attributes");
  const paths = await findUnreadable(request);
  writeFileSync(attributes, paths.map((path) => `${quotePattern(path)} -diff\n`).join(""));
  const diff = await runDiff(gitDirectory, from, to, format, ["-c", `core.attributesFile=${attributes}`]);
  return diff.toString("utf8"); // a hunk's heading may be cut inside a character, and nobody parses it
}

export async function countChangedLines(gitDirectory: string, from: string, to: string) {
  if (from === to) return [];
  const output = await runDiff(gitDirectory, from, to, ["--numstat", "-z"]);
  return splitPaths(output).map((line) => {
    const [added = "", removed = "", ...path] = line.split("\t");
    // `-` means a binary file.
    return { path: showPath(path.join("\t")), added: Number(added) || 0, removed: Number(removed) || 0 };
  });
}

async function runDiff(
  gitDirectory: string,
  from: string,
  to: string,
  format: readonly string[],
  configuration: readonly string[] = [],
): Promise<Buffer> {
  const options = ["-r", "--no-renames", "--no-color", "--no-ext-diff", "--no-textconv", ...format];
  const diff = [...configuration, "diff-tree", ...options, from, to, "--"];
  return (await runGit({ gitDirectory, arguments: diff })).stdout;
}

async function findUnreadable({ objects, trees, from, to }: DiffRequest): Promise<BytePath[]> {
  const found: BytePath[] = [];
  for (const change of await trees.compare(from, to)) {
    const sides = [change.from, change.to].filter((entry) => entry !== undefined);
    const contents = await Promise.all(sides.map((entry) => objects.read(entry.id)));
    if (contents.some((content) => !isUtf8(content))) found.push(change.path);
  }
  return found;
}

/** Makes an attribute pattern for exactly this path: quoted for the file, with wildcards escaped for the match. */
function quotePattern(path: BytePath): string {
  return quotePath(`/${path.replace(/[\\*?[\]]/g, "\\$&")}`);
}
