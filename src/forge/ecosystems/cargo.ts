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
import { type Places, placesOf } from "../places.ts";

/**
 * The extent of features. `all`: those of the target's own tests. `documented`: those of its documentation.
 * `mentioned`: those that the words mention. `plain`: none.
 */
type Extent = "all" | "documented" | "mentioned" | "plain";
const extents: readonly Extent[] = ["all", "documented", "mentioned", "plain"];

/**
 * Features that need another compiler, change the purpose of the code, or belong to a crate that no current compiler
 * builds.
 */
const unusualFeature =
  /^_|nightly|unstable|bench|^doc|^debug|loom|miri|simd|static|vendored|no[_-]std|rustc[_-]serialize/;

/** Benchmark and test harnesses: programs do not use them, and they take long to build. */
const harness =
  /^(?:criterion.*|bencher|divan|iai.*|trybuild.*|trycmd|ui_test|compiletest_rs|version-sync|skeptic)$/;

const lenient = 'RUSTFLAGS="$RUSTFLAGS --cap-lints allow" ';

/** Maximum number of packages, for a workspace without a root package. */
const mostPackages = 12;

export default defineForge({
  ecosystem: "cargo",
  extensions: [".rs"],
  sign: { files: /^Cargo\.toml$/, name: "Cargo.toml" },
  packagesOf: (project) =>
    readCargoWorkspace(project)?.packages.flatMap(({ name, directory }) => [name, directory]) ?? [],
  forge(request) {
    const workspace = readCargoWorkspace(request.project);
    if (workspace === undefined) return [];
    // Relaxing lints forces a full rebuild, but lints of a newer compiler break builds of old code.
    const made = choosePackages(workspace, request).flatMap((targets) =>
      extents.flatMap((extent) =>
        [false, true].map((isLenient) => forgeProject(request, workspace, targets, { extent, isLenient })),
      ),
    );
    const texts = made.map(({ files, run }) => JSON.stringify([...files, run]));
    return made.filter((_, index) => texts.indexOf(texts[index] ?? "") === index);
  },
});

/** Chooses the packages of one project, and the packages of the next project if the first does not build. */
function choosePackages(
  { packages }: CargoWorkspace,
  request: ForgeRequest,
): readonly (readonly CargoPackage[])[] {
  const named = packages.filter(({ name, directory }) =>
    request.packages.some((one) => one === name || one === directory),
  );
  if (named.length > 0) return [named];
  const root = packages.find(({ directory }) => directory === "");
  const words = wordsOf(request.about);
  const libraries = packages.filter((each) => each !== root && each.library !== undefined);
  const mentioned = libraries.filter(({ name }) => words.has(name));
  if (root !== undefined) return [...(mentioned.length > 0 ? [[root, ...mentioned]] : []), [root]];
  const sizeOf = ({ directory }: CargoPackage): number =>
    request.project.files.filter((file) => file.startsWith(`${directory}/`) && file.endsWith(".rs")).length;
  const bySize = libraries
    .map((each) => ({ each, size: sizeOf(each) }))
    .sort((a, b) => b.size - a.size)
    .map(({ each }) => each);
  const chosen = new Set([...mentioned, ...bySize].slice(0, Math.max(mostPackages, mentioned.length)));
  const all = libraries.filter((each) => chosen.has(each));
  // A package that builds only on another system breaks the build of all.
  const fewer = mentioned.length > 0 ? mentioned : bySize.slice(0, 1);
  return fewer.length === 0 || fewer.length === all.length ? [all] : [all, fewer];
}

/** Returns the words of a text, with `_` and with `-`, as in names of packages and features. */
function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.match(/[\w-]+/g)?.flatMap((word) => [word, word.replaceAll("_", "-")]));
}

function forgeProject(
  request: ForgeRequest,
  workspace: CargoWorkspace,
  targets: readonly CargoPackage[],
  { extent, isLenient }: { readonly extent: Extent; readonly isLenient: boolean },
): ForgedProject {
  const { folder } = request;
  const places = placesOf(request);
  const libraries = targets.filter(({ library }) => library !== undefined);
  const edition = targets[0]?.edition ?? "2021";
  const manifest = {
    package: { name: "millwright-reproduction", version: "0.0.0", edition, publish: false },
    // A separate workspace, so that the target's workspace need not include it.
    workspace: {},
    dependencies: dependenciesOf(libraries, extent, request),
    ...(isTable(workspace.root["patch"]) && { patch: movePatches(workspace.root["patch"], places) }),
  };
  const imports = libraries.flatMap(({ library }) => library ?? []);
  const entry = posix.join(folder, "src/main.rs");
  const files = [
    [posix.join(folder, "Cargo.toml"), stringify(manifest)],
    [entry, preludeOf(imports, edition)],
  ] as const;
  return {
    imports,
    entry,
    ...(places.isOutside
      ? outsideOf(files, request, isLenient)
      : {
          files: new Map(files),
          run: insideText(request, "run", isLenient),
          check: insideText(request, "check", isLenient),
        }),
    notes: notesOf(request, targets, manifest.dependencies),
  };
}

function insideText({ folder, offline }: ForgeRequest, verb: string, isLenient: boolean): string {
  const lock = copyLock(placesOf({ folder }));
  return `${lock}${isLenient ? lenient : ""}cargo ${verb} --quiet${offline ? " --offline" : ""} --manifest-path ${folder}/Cargo.toml --target-dir target`;
}

/**
 * Makes a project outside the target. `check` builds it in the form in which `run` runs it, so that cargo builds the
 * dependencies only once.
 */
function outsideOf(
  files: readonly (readonly [string, string])[],
  request: ForgeRequest,
  isLenient: boolean,
): Pick<ForgedProject, "files" | "run" | "check" | "start" | "resolved"> {
  const start = ["cargo", "run", "--quiet"];
  const config = isLenient ? [[".cargo/config.toml", stringify(lenientConfig)] as const] : [];
  return {
    files: new Map([...files, ...config, [".gitignore", "/target\n"]]),
    run: start.join(" "),
    check: `${copyLock(placesOf(request))}cargo build --quiet${request.offline ? " --offline" : ""}`,
    start,
    resolved: ["Cargo.lock"],
  };
}

const lenientConfig = { build: { rustflags: ["--cap-lints", "allow"] } };

/**
 * Copies the target's lock file. The machine has only the versions with which the target was built. A lock file that
 * git ignores counts too.
 */
function copyLock({ fromShell, project }: Places): string {
  const lock = fromShell("Cargo.lock");
  return `{ [ -e ${project}/Cargo.lock ] || [ ! -e ${lock} ] || cp ${lock} ${project}/; } && `;
}

function dependenciesOf(
  libraries: readonly CargoPackage[],
  extent: Extent,
  request: ForgeRequest,
): Record<string, unknown> {
  const places = placesOf(request);
  const own = new Set(libraries.map(({ name }) => name));
  const found: Record<string, unknown> = {};
  for (const each of libraries) {
    const others =
      extent === "plain" ? {} : { ...withoutHarness(each.testDependencies), ...each.dependencies };
    for (const [name, value] of Object.entries(others)) {
      if (own.has(name) || own.has(String(tableOf(value)["package"]))) continue;
      found[name] ??= pathFrom(places, value);
    }
  }
  for (const each of libraries) {
    const features = featuresOf(each, extent, request.about);
    found[each.name] = {
      path: places.fromProject(each.directory),
      ...(features.length > 0 && { features }),
    };
  }
  return found;
}

function withoutHarness(dependencies: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(dependencies).filter(([name]) => !harness.test(name)));
}

function featuresOf(
  { features, implied, documented }: CargoPackage,
  extent: Extent,
  about: string,
): readonly string[] {
  if (extent === "plain") return [];
  const usual = [...Object.keys(features), ...implied].filter(
    (name) => name !== "default" && !unusualFeature.test(name),
  );
  if (extent === "mentioned") {
    const words = wordsOf(about);
    return usual.filter((name) => words.has(name));
  }
  return extent === "all" || documented === "all" ? usual : documented;
}

function pathFrom(places: Places, value: unknown): unknown {
  if (!isTable(value)) return value;
  const { optional: _, ...kept } = value;
  return typeof kept["path"] === "string" ? { ...kept, path: places.fromProject(kept["path"]) } : kept;
}

function movePatches(patches: Table, places: Places): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(patches).map(([source, packages]) => [
      source,
      Object.fromEntries(
        Object.entries(tableOf(packages)).map(([name, value]) => [name, pathFrom(places, value)]),
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
  { outside }: ForgeRequest,
  targets: readonly CargoPackage[],
  dependencies: Record<string, unknown>,
): string[] {
  const start =
    outside === undefined
      ? "a reproduction can start the program, which `cargo build` in the root leaves in target/debug."
      : "start the program with `cargo run` in the repository itself; a trace runs this command on a copy.";
  const libraries = targets.filter(({ library }) => library !== undefined);
  const programs = targets.filter(({ library }) => library === undefined).map(({ name }) => name);
  const others = Object.keys(dependencies).filter((name) => !libraries.some((each) => each.name === name));
  return [
    ...(programs.length === 0
      ? []
      : [`${programs.join(", ")} ${programs.length === 1 ? "has" : "have"} no library to import: ${start}`]),
    ...(others.length === 0 ? [] : [`The program can use these crates too: ${others.sort().join(", ")}.`]),
  ];
}
