import { posix } from "node:path";
import { stringify } from "smol-toml";
import {
  type CargoPackage,
  type CargoWorkspace,
  isTable,
  readCargoWorkspace,
  type Table,
  tableOf,
} from "../cargo-manifest.ts";
import { defineForge, type ForgedProject, type ForgeRequest } from "../contract.ts";

/** How much is asked for: what the target's own tests may use; what its documentation is built with; itself alone. */
type Extent = "all" | "documented" | "plain";
const extents: readonly Extent[] = ["all", "documented", "plain"];

/** Features that want another compiler, change what the code is for, or are of a crate that no compiler of today builds. */
const unusualFeature =
  /^_|nightly|unstable|bench|^doc|loom|miri|simd|static|vendored|no[_-]std|rustc[_-]serialize/;

const lenient = 'RUSTFLAGS="$RUSTFLAGS --cap-lints allow" ';

/** Of a workspace without a package of its own. */
const mostPackages = 12;

export default defineForge({
  ecosystem: "cargo",
  extensions: [".rs"],
  forge(request) {
    const workspace = readCargoWorkspace(request.project);
    if (workspace === undefined) return [];
    const targets = choosePackages(workspace, request);
    // Lints of a newer compiler end builds of old code; to be lenient costs that all is built again.
    const made = extents.flatMap((extent) =>
      [false, true].map((isLenient) => forgeProject(request, workspace, targets, { extent, isLenient })),
    );
    const texts = made.map(({ files, run }) => JSON.stringify([...files, run]));
    return made.filter((_, index) => texts.indexOf(texts[index] ?? "") === index);
  },
});

function choosePackages({ packages }: CargoWorkspace, request: ForgeRequest): readonly CargoPackage[] {
  const named = packages.filter(({ name, directory }) =>
    request.packages.some((one) => one === name || one === directory),
  );
  if (named.length > 0) return named;
  const root = packages.find(({ directory }) => directory === "");
  if (root !== undefined) return [root];
  const words = new Set(request.about.match(/[\w-]+/g)?.flatMap((word) => [word, word.replaceAll("_", "-")]));
  const libraries = packages.filter(({ library }) => library !== undefined);
  const mentioned = libraries.filter(({ name }) => words.has(name));
  return [...new Set([...mentioned, ...libraries])].slice(0, Math.max(mostPackages, mentioned.length));
}

function forgeProject(
  { folder, offline }: ForgeRequest,
  workspace: CargoWorkspace,
  targets: readonly CargoPackage[],
  { extent, isLenient }: { readonly extent: Extent; readonly isLenient: boolean },
): ForgedProject {
  const libraries = targets.filter(({ library }) => library !== undefined);
  const edition = targets[0]?.edition ?? "2021";
  const manifest = {
    package: { name: "millwright-reproduction", version: "0.0.0", edition, publish: false },
    // A workspace of its own: the target's does not have to know it.
    workspace: {},
    dependencies: dependenciesOf(libraries, extent, folder),
    ...(isTable(workspace.root["patch"]) && { patch: movePatches(workspace.root["patch"], folder) }),
  };
  const imports = libraries.flatMap(({ library }) => library ?? []);
  const entry = posix.join(folder, "src/main.rs");
  const cargo = (verb: string): string =>
    `${copyLock(folder)}${isLenient ? lenient : ""}cargo ${verb} --quiet${offline ? " --offline" : ""} --manifest-path ${folder}/Cargo.toml --target-dir target`;
  return {
    imports,
    files: new Map([
      [posix.join(folder, "Cargo.toml"), stringify(manifest)],
      [entry, preludeOf(imports, edition)],
    ]),
    entry,
    run: cargo("run"),
    check: cargo("check"),
    notes: notesOf(targets, libraries, manifest.dependencies),
  };
}

/** The versions that the target was built with are those on the machine. A lock file that git ignores counts too. */
function copyLock(folder: string): string {
  return `{ [ -e ${folder}/Cargo.lock ] || [ ! -e Cargo.lock ] || cp Cargo.lock ${folder}/; } && `;
}

function dependenciesOf(
  libraries: readonly CargoPackage[],
  extent: Extent,
  folder: string,
): Record<string, unknown> {
  const own = new Set(libraries.map(({ name }) => name));
  const found: Record<string, unknown> = {};
  for (const each of libraries) {
    const others = extent === "plain" ? {} : { ...each.testDependencies, ...each.dependencies };
    for (const [name, value] of Object.entries(others)) {
      if (own.has(name) || own.has(String(tableOf(value)["package"]))) continue;
      found[name] ??= pathFrom(folder, value);
    }
  }
  for (const each of libraries) {
    const features = featuresOf(each, extent);
    found[each.name] = {
      path: posix.relative(folder, each.directory) || ".",
      ...(features.length > 0 && { features }),
    };
  }
  return found;
}

function featuresOf({ features, implied, documented }: CargoPackage, extent: Extent): readonly string[] {
  if (extent === "plain") return [];
  const usual = [...Object.keys(features), ...implied].filter(
    (name) => name !== "default" && !unusualFeature.test(name),
  );
  return extent === "all" || documented === "all" ? usual : documented;
}

function pathFrom(folder: string, value: unknown): unknown {
  if (!isTable(value)) return value;
  const { optional: _, ...kept } = value;
  return typeof kept["path"] === "string" ? { ...kept, path: posix.relative(folder, kept["path"]) } : kept;
}

function movePatches(patches: Table, folder: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(patches).map(([source, packages]) => [
      source,
      Object.fromEntries(
        Object.entries(tableOf(packages)).map(([name, value]) => [name, pathFrom(folder, value)]),
      ),
    ]),
  );
}

function preludeOf(imports: readonly string[], edition: string): string {
  const old = edition === "2015" ? imports.map((name) => `#[macro_use] extern crate ${name};`) : [];
  return [
    "#![allow(unused_imports, unused_macros, dead_code)]",
    ...old,
    ...imports.map((name) => `use ${name}::*;`),
    "",
    "fn main() {",
    "}",
    "",
  ].join("\n");
}

function notesOf(
  targets: readonly CargoPackage[],
  libraries: readonly CargoPackage[],
  dependencies: Record<string, unknown>,
): string[] {
  const programs = targets.filter(({ library }) => library === undefined).map(({ name }) => name);
  const others = Object.keys(dependencies).filter((name) => !libraries.some((each) => each.name === name));
  return [
    ...(programs.length === 0
      ? []
      : [
          `${programs.join(", ")} ${programs.length === 1 ? "has" : "have"} no library that could be imported: a reproduction starts the program, which \`cargo build\` in the root leaves in target/debug.`,
        ]),
    ...(others.length === 0 ? [] : [`These can be used too: ${others.sort().join(", ")}.`]),
  ];
}
