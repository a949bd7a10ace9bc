/** Finds the modules that only test configuration imports, such as `vitest.shared.ts` beside `vitest.config.ts`. */
import { posix } from "node:path";
import { isOwnSource, languageOf } from "../languages/source-files.ts";
import { importedStems, stemsOf } from "./importers.ts";
import { codeFolder, mostRead, undelivered } from "./whole-files.ts";

export interface ModuleSources {
  /** The configuration files whose imports Millwright follows. */
  readonly configuration: readonly string[];
  readonly files: readonly string[];
  readonly read: (path: string) => Promise<string | undefined>;
  /** If present, only modules with such a text count, and modules that import these. */
  readonly holding?: RegExp;
}

/**
 * Returns the modules that the configuration imports, also through each other. Omits modules in folders of code, modules
 * that tests or code import, also through each other, and modules that a package delivers or starts.
 */
export async function findConfiguredModules(sources: ModuleSources): Promise<string[]> {
  const { files, read } = sources;
  if (sources.configuration.length === 0) return [];
  const byStem = Map.groupBy(files.filter(isModule), stemOf);
  const listImports = async (path: string): Promise<readonly string[]> => {
    const stems = importedStems(path, (await read(path)) ?? "");
    return stems.flatMap((stem) => byStem.get(stem.replace(/\/index$/, "")) ?? []);
  };
  const reached = new Set(sources.configuration);
  // The loops also visit the files that they add.
  for (const path of reached)
    for (const each of await listImports(path)) if (!codeFolder.test(each)) reached.add(each);
  const { holding } = sources;
  if (holding !== undefined) await keepHolding(reached, sources, listImports);
  const modules = new Set([...reached].filter((path) => !sources.configuration.includes(path)));
  if (modules.size === 0) return [];
  const others = files.filter((path) => isModule(path) && isOwnSource(path) && isCode(path));
  const code = new Set(others.length > mostRead ? [] : others.filter((path) => !reached.has(path)));
  const manifests = files.filter((path) => isManifest(path) && !isInstalled(path));
  for (const path of manifests) for (const each of namedBy(path, await read(path), modules)) code.add(each);
  for (const path of code) for (const each of await listImports(path)) if (modules.has(each)) code.add(each);
  // `main.js` may be the compiled form of `main.ts`.
  const stems = new Set([...code].map(stemOf));
  return [...modules].filter((path) => !stems.has(stemOf(path)));
}

/** Removes modules without such a text from a set, unless they import modules with one, also through each other. */
async function keepHolding(
  reached: Set<string>,
  { configuration, read, holding }: ModuleSources,
  listImports: (path: string) => Promise<readonly string[]>,
): Promise<void> {
  const kept = new Set<string>();
  for (const path of reached) if (holding?.test((await read(path)) ?? "") === true) kept.add(path);
  for (let size = -1; size !== kept.size; ) {
    size = kept.size;
    for (const path of reached)
      if (!kept.has(path) && (await listImports(path)).some((each) => kept.has(each))) kept.add(path);
  }
  for (const path of reached) if (!kept.has(path) && !configuration.includes(path)) reached.delete(path);
}

/** Returns the path of a module without its extension. A file with the same stem may take the module's place. */
export function stemOf(path: string): string {
  return stemsOf(path)[0] ?? path;
}

/** True for a file that other files import by its path. */
function isModule(path: string): boolean {
  const language = languageOf(path);
  const isImported = language?.importedStems !== undefined && language.searchesFolders !== true;
  return (isImported || path.endsWith(".json")) && !isManifest(path) && !isInstalled(path);
}

/** True for a package's manifest. Configuration imports it for a name or a version. */
function isManifest(path: string): boolean {
  return posix.basename(path) === "package.json";
}

/** True for tests and code, which are neither configuration of other tools nor helpers of the project's authors. */
function isCode(path: string): boolean {
  return !/\.(?:config|setup)\.\w+$/.test(path) && !undelivered.test(path);
}

/** True for a file in a folder of installed packages. */
export function isInstalled(path: string): boolean {
  return /(?:^|\/)node_modules\//.test(path);
}

/** Returns the modules that a package's manifest names, as an entry or in a command. */
function namedBy(manifest: string, text: string | undefined, modules: ReadonlySet<string>): string[] {
  const words = text?.split(/[\s"']+/) ?? [];
  const stems = new Set(words.map((word) => stemOf(posix.join(posix.dirname(manifest), word))));
  return [...modules].filter((path) => stems.has(stemOf(path)));
}
