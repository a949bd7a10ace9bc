/** The contract of a language's import rules: data and pure functions over the table of files. */
import type { FileInfo, FileTable } from "../resolve/file-table.ts";

export interface ImportRequest {
  /** The importing file. */
  readonly file: FileInfo;
  /** The imported module as written, without quotes. */
  readonly source: string;
}

export interface ImportTarget {
  /** The module: a file, or the files of a package. */
  readonly files: readonly FileInfo[];
  /** Names to follow inside these files: of an inline module, or of a type whose member is imported. Usually none. */
  readonly inside: readonly string[];
}

export interface ImportRules {
  /** Finds the target of an import. Undefined if the import leads out of the code base, or has no target. */
  find(request: ImportRequest, table: FileTable): ImportTarget | undefined;
  /** The source for the module `name` below `source`; undefined if modules have no submodules. */
  below?(source: string, name: string): string;
  /** Files of the same package, whose definitions need no import. */
  around?(file: FileInfo, table: FileTable): readonly FileInfo[];
}

export function found(files: readonly FileInfo[], inside: readonly string[] = []): ImportTarget | undefined {
  return files.length === 0 ? undefined : { files, inside };
}

/** Joins paths: `a/b/../c` becomes `a/c`. Undefined if the path leads out of the repository. */
export function joinPath(folder: string, relative: string): string | undefined {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of relative.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") parts.push(part);
    else if (parts.pop() === undefined) return undefined;
  }
  return parts.join("/");
}

/**
 * Finds the files whose path ends with `suffix`, and returns only those that share the most leading folders with
 * `file`.
 */
export function bySuffix(table: FileTable, suffix: string, file: FileInfo): readonly FileInfo[] {
  const name = suffix.slice(suffix.lastIndexOf("/") + 1);
  const fitting = table.byName(name).filter(({ path }) => path === suffix || path.endsWith(`/${suffix}`));
  const nearest = Math.max(0, ...fitting.map(({ path }) => sharedFolders(path, file.path)));
  return fitting.filter(({ path }) => sharedFolders(path, file.path) === nearest);
}

function sharedFolders(a: string, b: string): number {
  const [left, right] = [a.split("/"), b.split("/")];
  let shared = 0;
  while (shared < left.length - 1 && shared < right.length - 1 && left[shared] === right[shared]) shared++;
  return shared;
}

/** Returns the folder and its parents, nearest first. The last is the repository's root, "". */
export function foldersAbove(folder: string): string[] {
  const folders = [folder];
  for (let at = folder; at !== ""; ) {
    at = at.slice(0, Math.max(at.lastIndexOf("/"), 0));
    folders.push(at);
  }
  return folders;
}
