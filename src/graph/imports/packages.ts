/** The import rules of languages whose imports name packages or namespaces, and of C and C++. */
import { folderOf } from "../../base/folder-of.ts";
import type { FileInfo, FileTable } from "../resolve/file-table.ts";
import { bySuffix, found, type ImportRules, type ImportTarget, joinPath } from "./contract.ts";

/** The import rules of Java and Kotlin: `a.b.C`, `a.b`, and `a.b.C.member` of static imports. */
export const jvm: ImportRules = {
  find: ({ source }, table) => packageOf(table, source),
  below: (source, name) => `${source}.${name}`,
  around: (file, table) => sharedModule(file, table),
};

/** The files of the longest package that is a prefix of the name. `inside` lists the rest of the name. */
function packageOf(table: FileTable, source: string): ImportTarget | undefined {
  const parts = source.split(".");
  for (let taken = parts.length; taken > 0; taken--) {
    const files = table.ofModule(parts.slice(0, taken).join("."));
    if (files.length === 0) continue;
    const inside = parts.slice(taken);
    const named = files.filter(({ path }) => inside[0] !== undefined && stemOf(path) === inside[0]);
    return found(named.length > 0 ? named : files, inside);
  }
  return undefined;
}

function sharedModule(file: FileInfo, table: FileTable): readonly FileInfo[] {
  if (file.module === undefined)
    return table.inFolder(folderOf(file.path)).filter(({ family }) => family === file.family);
  return table.ofModule(file.module).filter(({ family }) => family === file.family);
}

function stemOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1).replace(/\.[^.]*$/, "");
}

/**
 * The import rules of C#. Files and their blocks have namespaces, and code in a namespace also sees the parent
 * namespaces.
 */
export const csharp: ImportRules = {
  find: ({ source }, table) => packageOf(table, source.replace(/^global::/, "")),
  below: (source, name) => `${source}.${name}`,
  around(file, table) {
    if (file.module === undefined) return [];
    const parts = file.module.split(".");
    return parts.flatMap((_, index) => table.ofModule(parts.slice(0, parts.length - index).join(".")));
  },
};

/**
 * The import rules of Go. An import path is a module's path plus a folder inside the module. The files of one folder
 * form a package.
 */
export const go: ImportRules = {
  find({ source, file }, table) {
    for (const { manifest, folder } of table.manifests) {
      if (manifest.kind !== "go") continue;
      if (source !== manifest.module && !source.startsWith(`${manifest.module}/`)) continue;
      const files = goFiles(table, joinPath(folder, source.slice(manifest.module.length)) ?? "");
      if (files.length > 0) return found(files);
    }
    if (source.startsWith(".")) return found(goFiles(table, joinPath(folderOf(file.path), source) ?? ""));
    return found(goFiles(table, `vendor/${source}`));
  },
  around: (file, table) =>
    table
      .inFolder(folderOf(file.path))
      .filter(
        ({ language, module }) =>
          language === "go" && (module === file.module || file.module?.endsWith("_test") === true),
      ),
};

function goFiles(table: FileTable, folder: string): readonly FileInfo[] {
  return table
    .inFolder(folder)
    .filter(({ language, path }) => language === "go" && !path.endsWith("_test.go"));
}

/**
 * The import rules of C and C++. An included path is relative to the including file. If no file has this path, the
 * rules take the nearest files whose path ends with the included path.
 */
export const include: ImportRules = {
  find({ file, source }, table) {
    const name = source.replace(/^[<"]|[>"]$/g, "");
    const path = joinPath(folderOf(file.path), name);
    const beside = path === undefined ? undefined : table.byPath(path);
    if (beside !== undefined) return found([beside]);
    return found(bySuffix(table, name.replace(/^(?:\.\.?\/)+/, ""), file));
  },
};
