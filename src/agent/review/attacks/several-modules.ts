/**
 * Finds imports that tools resolve to different files. `./rate` is `rate.json` for Node, but `rate.cjs` for Jest; and
 * `./rate.js` is `rate.ts` for some loaders of TypeScript. Tests may thus run another file than programs.
 */
import { posix } from "node:path";
import type { ChangedFile } from "../../code/change.ts";
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

export async function judgeSeveralModules(
  files: readonly ChangedFile[],
  base: BaseFiles,
  subjects: string,
): Promise<Finding[]> {
  const added = files.filter(({ path, before, after }) => !before && after && ending.test(path));
  if (added.length === 0 || ofPackages.test(subjects)) return [];
  const gone = files.filter(({ after }) => after === undefined).map(({ path }) => path);
  const all = new Set([...(await base.list()), ...added.map(({ path }) => path)]);
  for (const path of gone) all.delete(path);
  const groups = groupByStem([...all].filter((path) => ending.test(path)));
  const unclear = new Map(
    added
      .map(({ path }) => [stemOf(path), groups.get(stemOf(path)) ?? []] as const)
      .filter(([, endings]) => isUnclear(endings)),
  );
  if (unclear.size === 0) return [];
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
      return [
        {
          weight: "objection",
          text: `${path} imports a name that can mean ${found.join(" or ")}. Tools differ.`,
        },
      ];
    }
  }
  return [];
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

/** The endings of each importable name. */
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
