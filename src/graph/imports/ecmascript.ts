import { folderOf } from "../../base/folder-of.ts";
import type { FileInfo, FileTable, PlacedManifest } from "../resolve/file-table.ts";
import { foldersAbove, found, type ImportRules, type ImportTarget, joinPath } from "./contract.ts";

const extensions = [".ts", ".tsx", ".d.ts", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".vue", ".svelte"];
/** Extensions of TypeScript sources by the extension of the emitted file that an import names. */
const sourcesOf: Readonly<Record<string, readonly string[]>> = {
  ".js": [".ts", ".tsx", ".d.ts", ".jsx"],
  ".jsx": [".tsx"],
  ".mjs": [".mts"],
  ".cjs": [".cts"],
};

export const ecmascript: ImportRules = {
  find({ file, source }, table) {
    if (/^\.{0,2}\//.test(source) || source === "." || source === "..") {
      const path = joinPath(folderOf(file.path), source);
      return path === undefined ? undefined : fileAt(table, path);
    }
    if (/^(?:node|https?|data):/.test(source)) return undefined;
    return byPaths(file, source, table) ?? byPackage(file, source, table);
  },
};

function fileAt(table: FileTable, path: string): ImportTarget | undefined {
  const extension = /\.[mc]?jsx?$/.exec(path)?.[0] ?? "";
  const stem = path.slice(0, path.length - extension.length);
  const candidates = [
    ...(sourcesOf[extension] ?? []).map((one) => stem + one),
    path,
    ...extensions.map((one) => path + one),
    ...extensions.map((one) => `${path}/index${one}`.replace(/^\//, "")),
  ];
  for (const candidate of candidates) {
    const file = table.byPath(candidate);
    if (file !== undefined) return found([file]);
  }
  return undefined;
}

/**
 * Finds a source by `compilerOptions.paths` and `baseUrl` of the nearest tsconfig.json and of the files that it
 * extends.
 */
function byPaths(file: FileInfo, source: string, table: FileTable): ImportTarget | undefined {
  for (const folder of foldersAbove(folderOf(file.path))) {
    const near = table.manifests.filter((one) => one.folder === folder && one.manifest.kind === "tsconfig");
    for (const placed of near) {
      const target = byConfig(placed, source, table, 0);
      if (target !== undefined) return target;
    }
  }
  return undefined;
}

function byConfig(
  placed: PlacedManifest,
  source: string,
  table: FileTable,
  depth: number,
): ImportTarget | undefined {
  const { manifest, folder } = placed;
  if (manifest.kind !== "tsconfig" || depth > 4) return undefined;
  const base = joinPath(folder, manifest.baseUrl ?? ".") ?? folder;
  for (const [key, target] of manifest.paths) {
    const path = fill(key, target, source);
    const full = path === undefined ? undefined : joinPath(base, path);
    const at = full === undefined ? undefined : fileAt(table, full);
    if (at !== undefined) return at;
  }
  const direct = manifest.baseUrl === undefined ? undefined : joinPath(base, source);
  const at = direct === undefined ? undefined : fileAt(table, direct);
  if (at !== undefined) return at;
  for (const parent of manifest.extends) {
    const path = parent.startsWith(".") ? folderOf(joinPath(folder, parent) ?? "") : undefined;
    const next = table.manifests.find(
      (one) => one.folder === path && one.manifest.kind === "tsconfig" && one !== placed,
    );
    const inherited = next === undefined ? undefined : byConfig(next, source, table, depth + 1);
    if (inherited !== undefined) return inherited;
  }
  return undefined;
}

/** The target, with the text that the key's `*` matches. */
function fill(key: string, target: string, source: string): string | undefined {
  const star = key.indexOf("*");
  if (star < 0) return key === source ? target : undefined;
  const [before, after] = [key.slice(0, star), key.slice(star + 1)];
  if (source.length < before.length + after.length || !source.startsWith(before) || !source.endsWith(after))
    return undefined;
  return target.replace("*", () => source.slice(before.length, source.length - after.length));
}

/** Finds a package of the workspace by its name, or the file's own package by `#` or its name. */
function byPackage(file: FileInfo, source: string, table: FileTable): ImportTarget | undefined {
  const name = source.startsWith("@") ? source.split("/", 2).join("/") : source.split("/", 1)[0];
  const above = foldersAbove(folderOf(file.path));
  for (const placed of table.manifests) {
    const { manifest, folder } = placed;
    if (manifest.kind !== "package") continue;
    const isOwn = source.startsWith("#") && above.includes(folder);
    if (!isOwn && manifest.name !== name) continue;
    const key = isOwn ? source : `.${source.slice(manifest.name.length)}`;
    const targets = [
      ...manifest.paths.flatMap(([pattern, target]) => fill(pattern, target, key) ?? []),
      ...(key === "."
        ? [...manifest.entries, "src/index", "index", "src/main", "lib/index"]
        : [key, `./src/${key.slice(2)}`]),
    ];
    for (const target of targets) {
      const at = fileOfTarget(table, folder, target);
      if (at !== undefined) return at;
    }
  }
  return undefined;
}

/** The file of a target. For a built file, which the repository lacks, takes its source: `src/a.ts` for `dist/a.js`. */
function fileOfTarget(table: FileTable, folder: string, target: string): ImportTarget | undefined {
  const path = joinPath(folder, target);
  if (path === undefined) return undefined;
  const direct = fileAt(table, path);
  if (direct !== undefined) return direct;
  const below = path.slice(folder === "" ? 0 : folder.length + 1);
  const source =
    /^(?:dist|lib|build|out|es|esm|cjs)\/(?:(?:esm?|cjs|src)\/)?(.+?)(?:\.d)?\.[mc]?[jt]sx?$/.exec(
      below,
    )?.[1];
  if (source === undefined) return undefined;
  return (
    fileAt(table, joinPath(folder, `src/${source}`) ?? "") ?? fileAt(table, joinPath(folder, source) ?? "")
  );
}
