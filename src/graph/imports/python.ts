import { folderOf } from "../../base/folder-of.ts";
import type { FileInfo, FileTable } from "../resolve/file-table.ts";
import { foldersAbove, found, type ImportRules, joinPath } from "./contract.ts";

/** Folders on the search path that are not packages. */
const sourceFolders = ["src", "lib", "python"];

export const python: ImportRules = {
  find({ file, source }, table) {
    const [, dots = "", name = ""] = /^(\.*)(.*)$/s.exec(source) ?? [];
    const path = name.replaceAll(".", "/");
    if (dots !== "") {
      const folder = joinPath(folderOf(file.path), "../".repeat(dots.length - 1));
      return folder === undefined ? undefined : moduleAt(table, folder, path);
    }
    for (const root of roots(file, path, table)) {
      const target = moduleAt(table, root, path);
      if (target !== undefined) return target;
    }
    return undefined;
  },
  below: (source, name) => (/^\.+$/.test(source) ? `${source}${name}` : `${source}.${name}`),
};

function moduleAt(table: FileTable, folder: string, path: string) {
  const base = path === "" ? folder : joinPath(folder, path);
  if (base === undefined) return undefined;
  for (const name of [`${base}.py`, `${base}/__init__.py`, `${base}.pyi`, `${base}/__init__.pyi`]) {
    const file = table.byPath(name.replace(/^\//, ""));
    if (file !== undefined) return found([file]);
  }
  return undefined;
}

/**
 * Search roots: the folder of the file's outermost package, its own folder (scripts), the repository, source folders.
 */
function roots(file: FileInfo, path: string, table: FileTable): string[] {
  const above = foldersAbove(folderOf(file.path));
  const isPackage = (folder: string): boolean =>
    table.byPath(`${folder}/__init__.py`.replace(/^\//, "")) !== undefined;
  const outside = above.filter((folder) => !isPackage(folder));
  const [own = "", ...further] = outside;
  const first = path.split("/", 1)[0] ?? path;
  const named = sourceRootsOf(first, table);
  return [...new Set([own, ...further, ...sourceFolders, ...named])];
}

const rootsByTable = new WeakMap<FileTable, Map<string, readonly string[]>>();

/** Source folders anywhere in the repository that contain the package or module. */
function sourceRootsOf(name: string, table: FileTable): readonly string[] {
  const known = rootsByTable.get(table) ?? new Map<string, readonly string[]>();
  rootsByTable.set(table, known);
  const roots = known.get(name) ?? findSourceRoots(name, table);
  known.set(name, roots);
  return roots;
}

function findSourceRoots(name: string, table: FileTable): readonly string[] {
  const packages = table.byName("__init__.py").map(({ path }) => path.slice(0, -"/__init__.py".length));
  const modules = table.byName(`${name}.py`).map(({ path }) => path.slice(0, -".py".length));
  return [...packages, ...modules]
    .filter((path) => path.endsWith(`/${name}`))
    .map(folderOf)
    .filter((folder) => sourceFolders.includes(folder.slice(folder.lastIndexOf("/") + 1)));
}
