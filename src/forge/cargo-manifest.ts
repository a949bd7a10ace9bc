/**
 * Reads packages and their workspace from `Cargo.toml` files. Reads only the data that another package needs for
 * depending on them.
 */
import { posix } from "node:path";
import { parse } from "smol-toml";
import type { ProjectView } from "../languages/contract.ts";

export type Table = Readonly<Record<string, unknown>>;

export interface CargoPackage {
  /** The package's folder, relative to the root of the repository; "" is the root. */
  readonly directory: string;
  readonly name: string;
  /** The package's name in code; undefined if the package contains only programs. */
  readonly library: string | undefined;
  readonly edition: string;
  readonly features: Readonly<Record<string, readonly string[]>>;
  /** Optional dependencies that are also features of the same name, because no feature contains `dep:NAME`. */
  readonly implied: readonly string[];
  /**
   * Dependencies for all platforms, without `optional` ones, and dependencies for tests. They include values that the
   * workspace defines. Paths are relative to the repository's root.
   */
  readonly dependencies: Readonly<Record<string, unknown>>;
  readonly testDependencies: Readonly<Record<string, unknown>>;
  /** The features for building documentation: a combination that the author chose. */
  readonly documented: readonly string[] | "all";
}

export interface CargoWorkspace {
  readonly root: Table;
  readonly packages: readonly CargoPackage[];
}

/** Reads the Cargo workspace at the repository's root. Undefined if the root has no readable manifest. */
export function readCargoWorkspace(project: ProjectView): CargoWorkspace | undefined {
  const root = readToml(project, "Cargo.toml");
  if (root === undefined) return undefined;
  const shared = tableOf(root["workspace"]);
  const folders = project.files
    .filter((file) => posix.basename(file) === "Cargo.toml")
    .map((file) => (file === "Cargo.toml" ? "" : posix.dirname(file)));
  const members = folders.filter((folder) => folder === "" || isMember(folder, shared));
  const packages = members.flatMap((folder) => readPackage(project, folder, shared) ?? []);
  return { root, packages };
}

/** True if the workspace lists the folder in `members`, and not in `exclude`. */
function isMember(folder: string, workspace: Table): boolean {
  const matches = (pattern: string): boolean =>
    posix.matchesGlob(folder, posix.normalize(pattern).replace(/\/$/, ""));
  return textsOf(workspace["members"]).some(matches) && !textsOf(workspace["exclude"]).some(matches);
}

function readPackage(project: ProjectView, directory: string, workspace: Table): CargoPackage | undefined {
  const manifest = readToml(project, posix.join(directory, "Cargo.toml"));
  const described = tableOf(manifest?.["package"] ?? manifest?.["project"]);
  const name = described["name"];
  if (manifest === undefined || typeof name !== "string") return undefined;
  const inherited = tableOf(workspace["package"]);
  const edition = isInherited(described["edition"]) ? inherited["edition"] : described["edition"];
  const take = (key: string): Record<string, unknown> =>
    takeOver(tableOf(manifest[key]), tableOf(workspace["dependencies"]), directory);
  const features = Object.fromEntries(
    Object.entries(tableOf(manifest["features"])).map(([key, value]) => [key, textsOf(value)]),
  );
  return {
    directory,
    name,
    library: libraryOf(project, directory, manifest, name),
    edition: typeof edition === "string" ? edition : "2015",
    features,
    implied: impliedBy(tableOf(manifest["dependencies"]), Object.values(features).flat()),
    dependencies: withoutOptional(take("dependencies")),
    testDependencies: take("dev-dependencies"),
    documented: documentedOf(described),
  };
}

function libraryOf(
  project: ProjectView,
  directory: string,
  manifest: Table,
  name: string,
): string | undefined {
  const library = tableOf(manifest["lib"]);
  const path = typeof library["path"] === "string" ? library["path"] : "src/lib.rs";
  if (!project.files.includes(posix.join(directory, path))) return undefined;
  return (typeof library["name"] === "string" ? library["name"] : name).replaceAll("-", "_");
}

function documentedOf(described: Table): readonly string[] | "all" {
  const docs = tableOf(tableOf(tableOf(described["metadata"])["docs"])["rs"]);
  return docs["all-features"] === true ? "all" : textsOf(docs["features"]);
}

/**
 * Merges dependencies that refer to the workspace's with their own additions. Makes paths relative to the repository's
 * root.
 */
function takeOver(own: Table, shared: Table, directory: string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(own).map(([name, value]) => {
      if (!isInherited(value)) return [name, movePath(value, directory)];
      const { workspace: _workspace, features, ...more } = tableOf(value);
      const base = shared[name];
      const described = typeof base === "string" ? { version: base } : tableOf(base);
      const all = [...textsOf(described["features"]), ...textsOf(features)];
      return [name, movePath({ ...described, ...more, ...(all.length > 0 && { features: all }) }, "")];
    }),
  );
}

function movePath(value: unknown, directory: string): unknown {
  if (!isTable(value) || typeof value["path"] !== "string") return value;
  return { ...value, path: posix.join(directory, value["path"]) };
}

function impliedBy(dependencies: Table, named: readonly string[]): string[] {
  return Object.entries(dependencies)
    .filter(([name, value]) => tableOf(value)["optional"] === true && !named.includes(`dep:${name}`))
    .map(([name]) => name);
}

function withoutOptional(dependencies: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(dependencies).filter(([, value]) => tableOf(value)["optional"] !== true),
  );
}

function isInherited(value: unknown): boolean {
  return tableOf(value)["workspace"] === true;
}

function readToml(project: ProjectView, path: string): Table | undefined {
  const text = project.read(path);
  try {
    return text === undefined ? undefined : parse(text);
  } catch {
    return undefined; // not TOML: cargo reports it
  }
}

export function isTable(value: unknown): value is Table {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function tableOf(value: unknown): Table {
  return isTable(value) ? value : {};
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : [];
}
