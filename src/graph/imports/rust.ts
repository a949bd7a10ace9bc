import { folderOf } from "../../base/folder-of.ts";
import type { FileInfo, FileTable } from "../resolve/file-table.ts";
import { foldersAbove, found, type ImportRules, type ImportTarget } from "./contract.ts";

interface Crate {
  /** The folder of the crate's source, with `lib.rs` or `main.rs`. */
  readonly folder: string;
  readonly root: FileInfo | undefined;
}

export const rust: ImportRules = {
  find({ file, source }, table) {
    const parts = source
      .replace(/^::/, "")
      .split("::")
      .map((part) => part.replace(/^r#/, ""));
    const [first = "", ...rest] = parts;
    if (first === "crate" || first === "$crate") return walk(table, crateOf(table, file), [], rest);
    if (first === "self") return walk(table, crateOf(table, file), modulesOf(table, file), rest);
    if (first === "super") {
      const ups = parts.findIndex((part) => part !== "super");
      const count = ups < 0 ? parts.length : ups;
      const modules = modulesOf(table, file);
      return walk(
        table,
        crateOf(table, file),
        modules.slice(0, Math.max(0, modules.length - count)),
        parts.slice(count),
      );
    }
    const crate = crateNamed(table, first, file);
    if (crate !== undefined) return walk(table, crate, [], rest);
    // A submodule, or a module at the crate's root.
    const own = walk(table, crateOf(table, file), modulesOf(table, file), parts);
    return own !== undefined && own.inside.length < parts.length ? own : undefined;
  },
  below: (source, name) => `${source}::${name}`,
};

/** Follows a path of modules to its deepest file. `inside` gets the rest of the path. */
function walk(
  table: FileTable,
  crate: Crate,
  base: readonly string[],
  parts: readonly string[],
): ImportTarget | undefined {
  for (let taken = parts.length; taken >= 0; taken--) {
    const file = moduleFile(table, crate, [...base, ...parts.slice(0, taken)]);
    if (file !== undefined) return found([file], parts.slice(taken));
  }
  return undefined;
}

function moduleFile(
  table: FileTable,
  { folder, root }: Crate,
  modules: readonly string[],
): FileInfo | undefined {
  if (modules.length === 0) return root;
  const path = [folder, ...modules].filter((part) => part !== "").join("/");
  return table.byPath(`${path}.rs`) ?? table.byPath(`${path}/mod.rs`);
}

function crateAt(table: FileTable, folder: string, library: string | undefined): Crate {
  const at = (path: string): string => (folder === "" ? path : `${folder}/${path}`);
  if (library !== undefined) return { folder: folderOf(at(library)), root: table.byPath(at(library)) };
  return { folder: at("src"), root: table.byPath(at("src/lib.rs")) ?? table.byPath(at("src/main.rs")) };
}

function crateNamed(table: FileTable, name: string, file: FileInfo): Crate | undefined {
  const above = foldersAbove(folderOf(file.path));
  const fitting = table.manifests.filter(
    ({ manifest }) => manifest.kind === "cargo" && manifest.name === name,
  );
  const placed = fitting.find(({ folder }) => above.includes(folder)) ?? fitting[0];
  if (placed?.manifest.kind !== "cargo") return undefined;
  return crateAt(table, placed.folder, placed.manifest.library);
}

/** The crate of a file: files of `tests`, `benches`, `examples` and `src/bin` are separate crates. */
function crateOf(table: FileTable, file: FileInfo): Crate {
  const known = crates.get(table) ?? new Map<string, Crate>();
  crates.set(table, known);
  const crate = known.get(file.path) ?? findCrate(table, file);
  known.set(file.path, crate);
  return crate;
}

const crates = new WeakMap<FileTable, Map<string, Crate>>();

function findCrate(table: FileTable, file: FileInfo): Crate {
  const folder = folderOf(file.path);
  for (const above of foldersAbove(folder)) {
    const placed = table.manifests.find((one) => one.folder === above && one.manifest.kind === "cargo");
    if (placed?.manifest.kind !== "cargo") continue;
    const below = file.path.slice(above === "" ? 0 : above.length + 1);
    if (/^(?:tests|benches|examples|src\/bin)\/[^/]+\.rs$/.test(below)) return { folder, root: file };
    return crateAt(table, above, placed.manifest.library);
  }
  const source = foldersAbove(folder).find(
    (one) => table.byPath(`${one}/lib.rs`) ?? table.byPath(`${one}/main.rs`),
  );
  return {
    folder: source ?? folder,
    root:
      source === undefined
        ? undefined
        : (table.byPath(`${source}/lib.rs`) ?? table.byPath(`${source}/main.rs`)),
  };
}

/** The file's module as a list of names: `a::b` for `src/a/b.rs` and `src/a/b/mod.rs`. */
function modulesOf(table: FileTable, file: FileInfo): string[] {
  const { folder, root } = crateOf(table, file);
  if (root?.id === file.id || !file.path.startsWith(folder === "" ? "" : `${folder}/`)) return [];
  const below = file.path.slice(folder === "" ? 0 : folder.length + 1);
  return below.replace(/(?:\/mod)?\.rs$/, "").split("/");
}
