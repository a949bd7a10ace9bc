/**
 * The Go modules of a tree, and the folder for our runtime's package in a module. `./...` and `go:embed` ignore this
 * folder.
 */
import { posix } from "node:path";
import type { TracerRequest, TraceSources } from "../tracer.ts";

export const runtimeFolder = "_millwright";

const runtimeNames = [
  "calls.go",
  "goroutines.go",
  "identity.go",
  "lines.go",
  "race_off.go",
  "race_on.go",
  "record_amd64.s",
  "record_arm64.s",
  "record_other.go",
  "record_words.go",
  "settings.go",
  "spawners.go",
  "strings.go",
  "texts.go",
  "values.go",
];

export interface GoModule {
  /** The folder of the module's `go.mod`, relative to the root; "" is the root itself. */
  readonly folder: string;
  /** The module's import path. */
  readonly path: string;
  /** Modules that this module requires and replaces by folders of this machine. */
  readonly replaces: readonly string[];
}

/** Finds the Go modules of the repository, those with the longest folder paths first. */
export async function findGoModules(sources: TraceSources): Promise<GoModule[]> {
  const modules: GoModule[] = [];
  for (const file of sources.files) {
    if (posix.basename(file) !== "go.mod") continue;
    const text = (await sources.read(file)) ?? "";
    const [, path] = /^\s*module\s+"?([^\s"]+)"?/m.exec(text) ?? [];
    const folder = posix.dirname(file);
    const replaces = [...text.matchAll(/^\s*(?:replace\s+)?(\S+)(?:\s+v\S+)?\s*=>\s*\.{0,2}\//gm)];
    if (path === undefined) continue;
    modules.push({
      folder: folder === "." ? "" : folder,
      path,
      replaces: replaces.map(([, name = ""]) => name).filter((name) => text.includes(`${name} v`)),
    });
  }
  return modules.sort((a, b) => b.folder.length - a.folder.length);
}

/**
 * Chooses the module that gets the copy of our runtime for the files of `module`. If the `go.mod` of `module` replaces
 * another of the modules by a folder, the other module gets the copy; otherwise `module` itself. So each program
 * contains only one copy.
 */
export function runtimeModule(module: GoModule, modules: readonly GoModule[]): GoModule {
  const others = modules.filter(({ path }) => path !== module.path && module.replaces.includes(path));
  // A module that itself uses another's copy is not suitable.
  return others.find((other) => runtimeModule(other, withoutReplaced(modules, module)) === other) ?? module;
}

function withoutReplaced(modules: readonly GoModule[], module: GoModule): GoModule[] {
  return modules.filter((each) => each !== module);
}

/**
 * Returns overlay entries that add the runtime's package to a module: absolute paths in the module, each with the path
 * of our file.
 */
export function runtimeFiles(
  module: GoModule,
  { root, runtime }: TracerRequest["paths"],
): Record<string, string> {
  const folder = posix.join(root, module.folder, runtimeFolder);
  return Object.fromEntries(
    runtimeNames.map((name) => [posix.join(folder, name), posix.join(runtime, "go-trace", name)]),
  );
}
