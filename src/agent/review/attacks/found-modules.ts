/**
 * Finds imports that tools resolve differently, so that tests may run another file than programs:
 * - `./rate` is `rate.json` for Node, but `rate.cjs` for Jest. `./rate.js` is `rate.ts` for some loaders of TypeScript
 * - a bundler finds `./rate`, or `rate.ts` for `./rate.js`, where Node finds no file
 */
import { posix } from "node:path";
import { addedLines, type ChangedFile, linesOf } from "../../code/change.ts";
import type { Finding } from "../contract.ts";
import type { BaseFiles } from "../texts/base-files.ts";
import { ofPackages } from "./build-choices.ts";

const ending = /(?<!\.d)\.(?:[cm]?[jt]s|[jt]sx|json|node)$/;
const importing = /(?<!\.d)\.(?:[cm]?[jt]s|[jt]sx|vue|svelte)$/;
const imported = /\b(?:from|import|require|resolve)\b\s*\(?\s*["'`](\.{1,2}\/[^"'`\n]*|\.{1,2})["'`]/g;
const usual = new Set([".js", ".ts", ".tsx"]);
/** Every tool prefers a usual file to these ones. */
const behind = /^(?:\.json|\.node|\/index\..*)$/;
const mostSearched = 1_000;

export async function judgeFoundModules(
  files: readonly ChangedFile[],
  base: BaseFiles,
  subjects: string,
): Promise<Finding[]> {
  if (!files.some(({ path }) => ending.test(path)) || ofPackages.test(subjects)) return [];
  const modules = await listModules(files, base);
  const found = (await findSeveral(files, base, modules)) ?? (await findBundled(files, base, modules));
  return found === undefined ? [] : [{ weight: "objection", text: found }];
}

interface Modules {
  /** The paths of all files with the patch. */
  readonly all: ReadonlySet<string>;
  /** The endings of each importable name. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
}

async function listModules(files: readonly ChangedFile[], base: BaseFiles): Promise<Modules> {
  const all = new Set(await base.list());
  for (const { path, after } of files) {
    if (after === undefined) all.delete(path);
    else all.add(path);
  }
  return { all, groups: groupByStem([...all].filter((path) => ending.test(path))) };
}

async function findSeveral(
  files: readonly ChangedFile[],
  base: BaseFiles,
  { all, groups }: Modules,
): Promise<string | undefined> {
  const added = files.filter(({ path, before, after }) => !before && after && ending.test(path));
  const unclear = new Map(
    added
      .map(({ path }) => [stemOf(path), groups.get(stemOf(path)) ?? []] as const)
      .filter(([, endings]) => isUnclear(endings)),
  );
  if (unclear.size === 0) return undefined;
  const importers = [...all].filter((path) => importing.test(path)).slice(0, mostSearched);
  const changed = new Map(files.map(({ path, after }) => [path, after]));
  for (const path of new Set([...changed.keys(), ...importers])) {
    if (!importing.test(path)) continue;
    const text = changed.has(path) ? changed.get(path) : await base.read(path);
    for (const name of namesIn(text, path)) {
      const stem = stemOf(name);
      const endings = unclear.get(stem);
      if (endings === undefined || isExact(name, stem, endings)) continue;
      const found = endings.map((each) => stem + each).sort();
      return `${path} imports a name that can mean ${found.join(" or ")}, and tools choose differently.`;
    }
  }
  return undefined;
}

/** A new import of a program's module that only a bundler finds. Undefined if others of the project need one, too. */
async function findBundled(
  files: readonly ChangedFile[],
  base: BaseFiles,
  { all, groups }: Modules,
): Promise<string | undefined> {
  const isBundled = (name: string): boolean => !all.has(name) && groups.has(stemOf(name));
  const found = files
    .filter(({ path, isTest }) => !isTest && ofNode.test(path))
    .map((file) => ({ file, name: staticNames(textAdded(file), file.path).find(isBundled) }))
    .find(({ name }) => name !== undefined);
  if (found === undefined) return undefined;
  const others = [...all].filter((path) => importing.test(path)).slice(0, mostSearched);
  if (others.some((path) => !ofNode.test(path) && !files.some((file) => file.path === path)))
    return undefined;
  for (const path of others) {
    const names = staticNames(await base.read(path), path);
    if (names.some(isBundled)) return undefined;
  }
  return `${found.file.path} imports ${found.name}, which Node does not find.`;
}

const ofNode = /\.m?js$/;
const ofModules = /^\s*(?:import|export)\b[^"'`;]*?["'](\.{1,2}\/[^"'\n?#]*)["']/gm;

function textAdded(file: ChangedFile): string {
  const lines = linesOf(file.after);
  return addedLines(file)
    .map((number) => lines[number - 1] ?? "")
    .join("\n");
}

function staticNames(text: string | undefined, path: string): string[] {
  return [...(text ?? "").matchAll(ofModules)].map(([, name = ""]) => posix.join(posix.dirname(path), name));
}

function namesIn(text: string | undefined, path: string): string[] {
  return [...(text ?? "").matchAll(imported)].map(([, name = ""]) =>
    posix.join(posix.dirname(path), name.replace(/[?#].*$/, "")),
  );
}

function stemOf(path: string): string {
  return path
    .replace(ending, "")
    .replace(/\/index$/, "")
    .replace(/\/$/, "");
}

function groupByStem(paths: readonly string[]): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const path of paths) {
    const stem = stemOf(path);
    groups.set(stem, [...(groups.get(stem) ?? []), path.slice(stem.length)]);
  }
  return groups;
}

/** True unless every tool prefers the same one of these files. */
function isUnclear(endings: readonly string[]): boolean {
  const isPlain = endings.some((each) => usual.has(each));
  const left = endings.filter((each) => !(isPlain && behind.test(each)));
  return left.length > 1 && left.sort().join(" ") !== ".ts .tsx";
}

/** True if every tool takes the named file: it exists, and loaders of TypeScript replace its ending by no other. */
function isExact(name: string, stem: string, endings: readonly string[]): boolean {
  const own = name.slice(stem.length);
  const source = own.replace("js", "ts");
  return (
    endings.includes(own) &&
    (source === own || ![source, `${source}x`].some((each) => endings.includes(each)))
  );
}
