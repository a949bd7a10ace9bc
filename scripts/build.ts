// Builds the program of the published package in dist/ or another given folder; `--without-types` if nobody compiles
// against it. A checkout runs its sources instead. The build includes the packages that only our code uses. So an
// installation needs only `dependencies` and a Node, runs no script, and works with every Node.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { type OutputChunk, rolldown } from "rolldown";

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly repository?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

const root = dirname(import.meta.dirname);
const words = process.argv.slice(2);
const [dist = join(root, "dist")] = words.filter((word) => !word.startsWith("--"));
const library = join(root, "src", "library.ts");
const own = readManifest(root);

/** Entry points: the program, its threads, and the library. Paths below `src/`, without extension. */
const entries = [
  "cli/main",
  "agent/review/judges/judge-worker",
  "graph/build/extract-worker",
  "graph/words/words-worker",
  "workspace/report-drain-thread",
];
if (existsSync(library)) entries.push("library");

/** Files that `ownFile` finds. Paths below `src/`. */
const files = ["languages/runtime", "sandbox/seccomp"];

/** The folder of the innermost package in a module's path. */
const packageOf = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/;

rmSync(dist, { recursive: true, force: true });
const used = await bundle();
for (const path of files) cpSync(join(root, "src", path), join(dist, path), { recursive: true });
for (const folder of [...used, ...copyGrammars()]) copyLicence(folder);
if (existsSync(library) && !words.includes("--without-types")) {
  const types = ["-p", "tsconfig.build.json", "--outDir", join(dist, "types")];
  execFileSync("tsc", types, { cwd: root, stdio: "inherit" });
}

/** Writes the code; returns the folders of the packages that became part of it. */
async function bundle(): Promise<Set<string>> {
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(entries.map((entry) => [entry, join("src", `${entry}.ts`)])),
    platform: "node",
    // Native code of optional packages (ssh2's), which do without it, is not there.
    external: [...Object.keys(own.dependencies ?? {}).map((name) => new RegExp(`^${name}(/|$)`)), /\.node$/],
    transform: { define: { __dirname: "import.meta.dirname" } },
    // web-tree-sitter's, for grammars that hold code of their own; ours hold none.
    checks: { eval: false },
  });
  const names = { entryFileNames: "[name].js", chunkFileNames: "chunks/[name]-[hash].js" };
  const { output } = await build.write({ dir: dist, format: "esm", ...names });
  await build.close();
  const chunks = output.filter((part): part is OutputChunk => part.type === "chunk");
  const packages = chunks.flatMap((chunk) => chunk.moduleIds.map((id) => packageOf.exec(id)?.[0] ?? ""));
  return new Set(packages.filter((folder) => folder !== ""));
}

/** Copies each grammar (`grammarFile` in src/base/own-files.ts); returns the folders of their packages. */
function copyGrammars(): string[] {
  const names = Object.keys(own.devDependencies ?? {}).filter((name) => name.includes("tree-sitter"));
  return names.map((name) => {
    const folder = join(root, "node_modules", name);
    for (const file of globSync("*.wasm", { cwd: folder }))
      cpSync(join(folder, file), join(dist, "packages", name, file));
    return folder;
  });
}

/** Into `dist/packages/NAME`: what it is, and on which terms it may be handed on. */
function copyLicence(folder: string): void {
  const { name, version, license, repository } = readManifest(folder);
  const target = join(dist, "packages", name);
  mkdirSync(target, { recursive: true });
  writeFileSync(
    join(target, "package.json"),
    `${JSON.stringify({ name, version, license, repository }, null, 2)}\n`,
  );
  for (const file of globSync("{LICENSE,LICENCE,License,license,NOTICE,COPYING}*", { cwd: folder }))
    cpSync(join(folder, file), join(target, basename(file)));
}

function readManifest(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;
}
