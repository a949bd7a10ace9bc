import { type FileInfo, type FileTable, folderOf } from "../resolve/file-table.ts";
import { foldersAbove, found, type ImportRules, joinPath } from "./contract.ts";

/** Folders that are put on the path without being packages. */
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

/** The folder that holds the file's outermost package; its own folder (scripts); the repository; source folders. */
function roots(file: FileInfo, path: string, table: FileTable): string[] {
  const above = foldersAbove(folderOf(file.path));
  const isPackage = (folder: string): boolean =>
    table.byPath(`${folder}/__init__.py`.replace(/^\//, "")) !== undefined;
  const outside = above.filter((folder) => !isPackage(folder));
  const [own = "", ...further] = outside;
  const first = path.split("/", 1)[0] ?? path;
  const named = [
    ...table.byName(`${first}.py`),
    ...table.byName("__init__.py").filter((one) => one.path.endsWith(`${first}/__init__.py`)),
  ]
    .map((one) => one.path.replace(/(?:\.py|\/__init__\.py)$/, ""))
    .filter((one) => one === first || one.endsWith(`/${first}`))
    .map((one) => folderOf(one))
    .filter(
      (folder) => !isPackage(folder) && sourceFolders.includes(folder.slice(folder.lastIndexOf("/") + 1)),
    );
  return [...new Set([own, ...further, ...sourceFolders, ...named])];
}
