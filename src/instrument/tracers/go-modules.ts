/** The modules of a tree, and where our runtime's package stands in one: in a folder that `./...` and `go:embed` pass over. */
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
  /** Of its `go.mod`, relative to the root; "" is the root itself. */
  readonly folder: string;
  /** As it is imported. */
  readonly path: string;
}

/** Inner ones first. */
export async function findGoModules(sources: TraceSources): Promise<GoModule[]> {
  const modules: GoModule[] = [];
  for (const file of sources.files) {
    if (posix.basename(file) !== "go.mod") continue;
    const [, path] = /^\s*module\s+"?([^\s"]+)"?/m.exec((await sources.read(file)) ?? "") ?? [];
    const folder = posix.dirname(file);
    if (path !== undefined) modules.push({ folder: folder === "." ? "" : folder, path });
  }
  return modules.sort((a, b) => b.folder.length - a.folder.length);
}

/** The overlay's entries of the runtime's package in a module. */
export function runtimeFiles(
  module: GoModule,
  { root, runtime }: TracerRequest["paths"],
): Record<string, string> {
  const folder = posix.join(root, module.folder, runtimeFolder);
  return Object.fromEntries(
    runtimeNames.map((name) => [posix.join(folder, name), posix.join(runtime, "go-trace", name)]),
  );
}
