/** Converts the protocol's places (URIs, lines from 0) to ours (paths of the repository, lines from 1), and back. */
import { isAbsolute, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Position, Range } from "vscode-languageserver-protocol/node";
import type { CodeRange } from "../domain/code-intelligence.ts";
import type { Place } from "../domain/code-symbols.ts";

export function toRange({ start, end }: Range): CodeRange {
  return { start: toPlace(start), end: toPlace(end) };
}

export function toPosition({ line, column }: Place): Position {
  return { line: line - 1, character: column };
}

function toPlace({ line, character }: Position): Place {
  return { line: line + 1, column: character };
}

/** Returns the URI of a file of the repository, or of an absolute path. */
export function uriOf(root: string, path: string): string {
  return pathToFileURL(isAbsolute(path) ? path : join(root, path)).href;
}

/** Returns the path in a URI. Undefined if the URI names no file of this machine: another scheme, a host. */
function filePath(uri: string): string | undefined {
  if (!uri.startsWith("file:")) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/**
 * True if the path, as written, stays inside the repository. Does not follow symbolic links, because the code that
 * reads the file checks them.
 */
export function isInRepository(path: string): boolean {
  return !isAbsolute(path) && !path.split("/").includes("..");
}

/** Folders inside a repository that hold third-party code. */
const dependencyFolders = new Set(["node_modules", ".venv", "venv", "site-packages", "vendor"]);

/**
 * Returns a file's path, relative if the file is in the repository. A URI with a scheme other than `file` stays
 * unchanged and counts as outside. A file in a dependency folder of the repository, such as `node_modules`, also counts
 * as outside.
 */
export function pathOf(root: string, uri: string): { readonly path: string; readonly outside: boolean } {
  const path = filePath(uri);
  if (path === undefined) return { path: uri, outside: true };
  const inside = relative(root, path);
  if (inside === "" || inside === ".." || inside.startsWith("../")) return { path, outside: true };
  return { path: inside, outside: inside.split("/").some((name) => dependencyFolders.has(name)) };
}
