/** What an npm package lacks: `files`, `.npmignore` and `devDependencies` of its `package.json`. */
import { isBuiltin } from "node:module";
import { posix } from "node:path";
import { type Fields, fieldOf, isRecord, textOf } from "../../../base/fields.ts";
import type { Import } from "../../../domain/code-symbols.ts";
import type { Lack, PackageFormat, Tree } from "./contract.ts";
import { matchIgnoreLines } from "./ignore-lines.ts";
import { readUses } from "./read-uses.ts";

interface Package {
  /** Relative to the root; "" is the root. */
  readonly folder: string;
  readonly manifest: Fields;
  /** True for a path, relative to the folder, that is in the published package. */
  readonly publishes: (path: string) => boolean;
}

export const npm: PackageFormat = {
  sources: /(?<!\.d)\.[mc]?[jt]sx?$/,
  manifests: /(?:^|\/)(?:package\.json|\.npmignore)$/,
  readRules: (path, text) => {
    if (posix.basename(path) === ".npmignore") return text;
    const manifest = parseManifest(text);
    const groups = [...installed, "devDependencies"].map((group) => listNames(manifest, group).sort());
    return JSON.stringify([manifest["files"], manifest["main"], manifest["exports"], groups]);
  },
  async listLacks(path, tree) {
    const owner = await findPackage(path, tree);
    const text = await tree.read(path);
    if (owner === undefined || text === undefined || !owner.publishes(within(owner, path))) return [];
    const uses = (await readUses(path, text)).filter((used) => isValue(used, path, text));
    const lacks = [
      ...listFiles(path, text, uses, tree).flatMap((needed) => lackOfFile(owner, needed)),
      ...uses.flatMap((used) => lackOfPackage(owner, used)),
    ];
    if (lacks.length === 0 || !(await isReached(owner, path, tree))) return [];
    const owned = await Promise.all(
      lacks.map(async ({ needed }) => !tree.has(needed) || (await isOwned(owner, needed, tree))),
    );
    return lacks.filter((_, index) => owned[index]);
  },
};

/** Belongs to the package and not to another one in its folder. */
async function isOwned(owner: Package, path: string, tree: Tree): Promise<boolean> {
  return (await findPackage(path, tree))?.folder === owner.folder;
}

/** The package that is published with this file. A manifest without a name only sets options for a folder. */
async function findPackage(path: string, tree: Tree): Promise<Package | undefined> {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    const manifest = parseManifest((await tree.read(posix.join(folder, "package.json"))) ?? "{}");
    if (textOf(manifest, "name") !== undefined) {
      const isPublic = manifest["private"] !== true && textOf(manifest, "version") !== undefined;
      // Tools that publish another folder, or with other entries, replace fields of the manifest.
      const isReplaced = Object.keys(fieldsOf(manifest, "publishConfig")).some((key) =>
        /^(?:directory|main|module|exports|bin)$/.test(key),
      );
      if (!isPublic || isReplaced) return undefined;
      const root = folder === "." ? "" : folder;
      return { folder: root, manifest, publishes: await readContents(root, manifest, tree) };
    }
    if (folder === "." || folder === "/") return undefined;
  }
}

function parseManifest(text: string): Fields {
  try {
    const read: unknown = JSON.parse(text.replace(/^\uFEFF/, ""));
    return isRecord(read) ? read : {};
  } catch {
    return {};
  }
}

const always = /^(?:package\.json|(?:readme|copying|licen[cs]e)(?:\..*)?)$/i;

async function readContents(folder: string, manifest: Fields, tree: Tree): Promise<Package["publishes"]> {
  const required = [
    ...textsIn(manifest["main"]),
    ...textsIn(manifest["bin"]),
    ...textsIn(manifest["browser"]),
  ]
    .map((target) => posix.normalize(target))
    .flatMap((target) => [target, `${target}.js`, `${target}/index.js`]);
  const isRequired = (path: string): boolean => always.test(path) || required.includes(path);
  const files = manifest["files"];
  if (Array.isArray(files)) {
    const lines = textsIn(files).map((line) => line.replace(/\/\*$/, "/**"));
    const included = matchIgnoreLines(lines);
    return (path) => isRequired(path) || included(path);
  }
  const text = await tree.read(posix.join(folder, ".npmignore"));
  const excluded = matchIgnoreLines((text ?? "").split("\n"));
  return (path) => isRequired(path) || !excluded(path);
}

function lackOfFile(owner: Package, needed: string): Lack[] {
  const path = within(owner, needed);
  if (path.startsWith("../") || owner.publishes(path)) return [];
  const because = Array.isArray(owner.manifest["files"])
    ? `\`files\` in ${posix.join(owner.folder, "package.json")} leaves out of the published package`
    : `${posix.join(owner.folder, ".npmignore")} leaves out of the published package`;
  return [{ needed, because }];
}

/** Names that the program in which the package runs provides. */
const provided = /^(?:electron|vscode|atom|obsidian|aws-sdk|@aws-sdk\/.+)$/;
const installed = [
  "dependencies",
  "peerDependencies",
  "optionalDependencies",
  "bundleDependencies",
  "bundledDependencies",
];

function lackOfPackage({ folder, manifest }: Package, used: Import): Lack[] {
  const name = /^(?:@[\w.~-]+\/)?[\w~-][\w.~-]*/.exec(used.source)?.[0] ?? "";
  if (name === "" || isBuiltin(name) || provided.test(name)) return [];
  const isIn = (group: string): boolean => listNames(manifest, group).includes(name);
  if (!isIn("devDependencies") || installed.some(isIn)) return [];
  const because = `${posix.join(folder, "package.json")} lists under \`devDependencies\` only, so users do not get it`;
  return [{ needed: name, because }];
}

function listNames(manifest: Fields, group: string): string[] {
  const value = manifest[group];
  return Array.isArray(value) ? textsIn(value) : Object.keys(fieldsOf(manifest, group));
}

/** False for what compilers remove: imports of types. In TypeScript, what is never called may be a type. */
function isValue({ line, name, alias, source }: Import, path: string, text: string): boolean {
  const statement = text
    .split("\n")
    .slice(line - 1)
    .join("\n");
  const own = statement.slice(0, statement.indexOf(source));
  if (/^\s*(?:import|export)\s+(?:type|typeof)\b(?!\s*(?:,|from\b))/.test(own)) return false;
  if (name !== undefined && new RegExp(`[{,]\\s*type\\s+${name.replaceAll("$", "\\$")}\\b`).test(own))
    return false;
  if (/\.[mc]?jsx?$/.test(path)) return true;
  if (alias === undefined) return /^\s*import\s*["']$/.test(own);
  return new RegExp(`(?<![\\w$.])${alias.replaceAll("$", "\\$")}(?:\\.[\\w$]+)*\\s*\\(`).test(text);
}

const beside = [
  /\bnew\s+URL\(\s*["'](\.{1,2}\/[^"'?#]+)["']\s*,\s*import\.meta\.url/g,
  /\b(?:join|resolve)\(\s*(?:__dirname|import\.meta\.dirname)\s*,\s*["']([^"']+)["']\s*\)/g,
];

/** The repository's files that the file imports, or reads from a place beside it. */
function listFiles(path: string, text: string, uses: readonly Import[], tree: Tree): string[] {
  const imported = uses.filter(({ source }) => source.startsWith(".")).map(({ source }) => source);
  const read = beside.flatMap((pattern) => [...text.matchAll(pattern)].map(([, target = ""]) => target));
  const folder = posix.dirname(path);
  return [...new Set([...imported, ...read].flatMap((target) => resolve(posix.join(folder, target), tree)))];
}

const endings = [".js", ".mjs", ".cjs", ".json", ".jsx", ".ts", ".tsx", ".mts", ".cts"];

function resolve(target: string, tree: Tree): string[] {
  const path = target.replace(/\/$/, "");
  const compiled = path.replace(/\.([mc]?)js(x?)$/, ".$1ts$2");
  const paths = [path, ...endings.map((each) => path + each), compiled, compiled.replace(/\.ts$/, ".tsx")];
  const found = [...paths, ...endings.map((each) => `${path}/index${each}`)].find((each) => tree.has(each));
  return found === undefined ? [] : [found];
}

/** Tools that copy what they import into the files that they write. */
const bundlers =
  /\b(?:webpack|rollup|rolldown|vite|esbuild|parcel|browserify|tsup|tsdown|unbuild|microbundle|ncc|swc|babel|snowpack|next|nuxt|astro|gatsby|react-scripts|vue-cli-service|metro|expo)(?![\w-])/;
/** Files that only developers run. */
const tools =
  /(?:^|\/)(?:scripts?|tools?|build|bench\w*|examples?|docs?|demos?|tasks?|config)\/|\.config\.\w+$|(?:^|\/)\.|rc\.[mc]?js$|(?:^|\/)(?:gulp|grunt)file\.\w+$/i;

/**
 * True for a file that users of the package load as it is. A package without an entry lets users import each of its
 * files.
 */
async function isReached(owner: Package, path: string, tree: Tree): Promise<boolean> {
  const { manifest, folder } = owner;
  const declared = [
    ...textsIn(manifest["main"]),
    ...textsIn(manifest["module"]),
    ...textsIn(manifest["browser"]),
    ...textsIn(manifest["bin"]),
    ...listExports(manifest["exports"]),
  ];
  const index = resolve(posix.join(folder, "index"), tree);
  if (declared.length === 0 && index.length === 0) {
    const built = `${JSON.stringify(manifest["scripts"])} ${Object.keys(fieldsOf(manifest, "devDependencies")).join(" ")}`;
    return !bundlers.test(built) && !tools.test(within(owner, path));
  }
  const open =
    declared.length === 0 ? index : declared.flatMap((target) => resolveEntry(folder, target, tree));
  const seen = new Set(open);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (at === path) return true;
    const text = npm.sources.test(at) ? ((await tree.read(at)) ?? "") : "";
    for (const [, target = ""] of text.matchAll(loads))
      for (const next of resolve(posix.join(posix.dirname(at), target), tree)) {
        if (seen.has(next)) continue;
        seen.add(next);
        open.push(next);
      }
  }
  return false;
}

const loads = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*["'](\.[^"'\n]*)["']/g;

/** An entry with a star stands for all files that it matches. */
function resolveEntry(folder: string, target: string, tree: Tree): string[] {
  const path = posix.join(folder, target);
  const [before = "", after] = path.split("*", 2);
  if (after === undefined) return resolve(path, tree);
  return tree.list().filter((each) => each.startsWith(before) && each.endsWith(after));
}

/** Conditions of `exports` under which installed packages are loaded. */
const loaded = /^(?:\.|(?:import|require|node|default|browser|module|module-sync|node-addons)$)/;

function listExports(value: unknown): string[] {
  if (!isRecord(value)) return textsIn(value);
  return Object.entries(value).flatMap(([key, inner]) => (loaded.test(key) ? listExports(inner) : []));
}

function textsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : [];
}

function fieldsOf(manifest: Fields, name: string): Fields {
  const field = fieldOf(manifest, name);
  return isRecord(field) ? field : {};
}

function within({ folder }: Package, path: string): string {
  return posix.relative(folder, path);
}
