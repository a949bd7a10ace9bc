/** The files of a repository as an indented tree. */
import { countOf } from "../../base/count.ts";

/** Maximum characters. The tree of a larger repository ends there, with a note. */
const longest = 80_000;

export function renderTree(paths: readonly string[]): string {
  const lines: string[] = [];
  let length = 0;
  let folders: readonly string[] = [];
  for (const [index, path] of [...paths].sort(compareFolders).entries()) {
    const parts = path.split("/");
    const own = parts.slice(0, -1);
    const same = own.findIndex((folder, depth) => folders[depth] !== folder);
    const begin = same === -1 ? own.length : same;
    const fresh = own.slice(begin).map((folder, depth) => `${"  ".repeat(begin + depth)}${folder}/`);
    fresh.push(`${"  ".repeat(own.length)}${parts.at(-1) ?? ""}`);
    length += fresh.join("\n").length + 1;
    if (length > longest) {
      lines.push(`(${countOf(paths.length - index, "more file is", "more files are")} not shown)`);
      break;
    }
    lines.push(...fresh);
    folders = own;
  }
  return lines.join("\n");
}

/** Sorts a folder's files before its folders, each by name. */
function compareFolders(one: string, other: string): number {
  const [a, b] = [one.split("/"), other.split("/")];
  for (let depth = 0; ; depth += 1) {
    const [left = "", right = ""] = [a[depth], b[depth]];
    const [leftIsFile, rightIsFile] = [depth === a.length - 1, depth === b.length - 1];
    if (leftIsFile !== rightIsFile) return leftIsFile ? -1 : 1;
    if (left !== right) return left < right ? -1 : 1;
    if (leftIsFile) return 0;
  }
}
