/** The `package.json` files of a repository. */
import { posix } from "node:path";
import { once } from "../../base/once.ts";
import type { ProjectView } from "../contract.ts";

export interface Manifest {
  /** Folder of the file, relative to the root; "" is the root. */
  readonly directory: string;
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
  /** Names of all packages in any group of its dependencies. */
  readonly dependencies: ReadonlySet<string>;
  /** The whole file; a tool's configuration is under the tool's name. */
  readonly content: Readonly<Record<string, unknown>>;
}

const groups = ["dependencies", "devDependencies", "peerDependencies", "optionalDependencies"];
/** Folders whose packages are material for tests, or not the project's own. */
const foreign = /(^|\/)(node_modules|fixtures?|__fixtures__|examples?|templates?|vendor|testdata)(\/|$)/;

const manifestsOf = once((_project: ProjectView) => new Map<string, Manifest | undefined>());

export function readManifest(project: ProjectView, directory: string): Manifest | undefined {
  const known = manifestsOf(project);
  if (!known.has(directory)) known.set(directory, parseManifest(project, directory));
  return known.get(directory);
}

function parseManifest(project: ProjectView, directory: string): Manifest | undefined {
  const text = project.read(posix.join(directory, "package.json"));
  if (text === undefined) return undefined;
  let content: unknown;
  try {
    content = JSON.parse(text.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
  if (!isRecord(content)) return undefined;
  return {
    directory,
    name: typeof content["name"] === "string" ? content["name"] : "",
    scripts: textsOf(content["scripts"]),
    dependencies: new Set(groups.flatMap((group) => Object.keys(textsOf(content[group])))),
    content,
  };
}

/** Returns the requested range of a package's versions; undefined if the package is not requested. */
export function versionOf(manifest: Manifest | undefined, name: string): string | undefined {
  return groups.map((group) => textsOf(manifest?.content[group])[name]).find((range) => range !== undefined);
}

/** Returns the manifests of the repository's own packages, outermost first. */
export function listManifests(project: ProjectView): Manifest[] {
  return project.files
    .filter((file) => posix.basename(file) === "package.json" && !foreign.test(file))
    .map((file) => (posix.dirname(file) === "." ? "" : posix.dirname(file)))
    .sort((a, b) => depthOf(a) - depthOf(b) || (a < b ? -1 : 1))
    .flatMap((directory) => readManifest(project, directory) ?? []);
}

function depthOf(directory: string): number {
  return directory === "" ? 0 : directory.split("/").length;
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function textsOf(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(
    Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
}
