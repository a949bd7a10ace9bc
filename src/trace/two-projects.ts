/**
 * A trace over two projects: the target, and a second project that depends on the target and in which the command runs.
 * Tracers plan for one root. If the trace includes functions of the second project, the root is the folder that
 * contains both projects.
 */
import { posix } from "node:path";
import type { TracePlan, TraceSources, TraceSpec } from "../instrument/tracer.ts";
import { isGlob, matchesFile, resolveSpecs } from "./trace-spec.ts";

/** A requested spec whose path may belong to another project. `otherwise` has this other interpretation. */
export interface AskedSpec extends TraceSpec {
  /**
   * The path to use if the target has no file at `path`: a path in the second project. Without a second project, it is
   * another path in the target's repository.
   */
  readonly otherwise?: string;
}

export interface ProjectSide {
  /** The project's root, as commands see it. */
  readonly root: string;
  /** The project's root in the user's own file system. */
  readonly place: string;
  readonly sources: TraceSources;
}

export interface TracedProjects {
  readonly root: string;
  readonly sources: TraceSources;
  readonly specs: readonly TraceSpec[];
  /** The prefixes of the projects' paths. `second`: undefined if nothing of the second project is traced. */
  readonly prefixes: { readonly target: string; readonly second: string | undefined };
  /**
   * Returns the readable form of a plan's or runtime's path: relative to the root for the target, absolute for the
   * second project.
   */
  shown(path: string): string;
}

/**
 * Decides to which project each spec belongs. Throws MillwrightError("usage") for a path that exists in neither
 * project.
 */
export function joinProjects(
  specs: readonly AskedSpec[],
  target: ProjectSide,
  second: ProjectSide | undefined,
): TracedProjects {
  const own: TraceSpec[] = [];
  const others: TraceSpec[] = [];
  for (const { path, names, otherwise } of specs) {
    const isElsewhere = otherwise !== undefined && !matchesFile(path, target.sources.files);
    if (!isElsewhere) own.push({ path, names });
    else if (second === undefined) own.push({ path: otherwise, names });
    else if (matchesFile(otherwise, second.sources.files)) others.push({ path: otherwise, names });
    else own.push({ path, names });
  }
  resolveSpecs(own, target.sources.files);
  if (second === undefined || others.length === 0) return onlyTarget(own, target);
  const root = folderOfBoth(target.root, second.root);
  const prefixes = { target: prefixOf(root, target.root), second: prefixOf(root, second.root) };
  return {
    root,
    prefixes,
    sources: joinSources(target.sources, second.sources, prefixes),
    specs: [...own.map(below(prefixes.target)), ...others.map(below(prefixes.second))],
    shown: (path) => showPath(path, { root: target.root, base: root, second }),
  };
}

export interface KnownPlaces {
  /** The target's root. */
  readonly root?: string | undefined;
  /** The base of relative paths, if it is not the target's root. */
  readonly base?: string | undefined;
  readonly second?: Pick<ProjectSide, "root" | "place"> | undefined;
}

/**
 * Shows a path to the user: a path of the target relative to the target's root, a path of the second project as an
 * absolute path. Other paths stay unchanged.
 */
export function showPath(path: string, { root, base, second }: KnownPlaces): string {
  const whole = base === undefined || posix.isAbsolute(path) ? path : posix.join(base, path);
  if (root !== undefined && whole.startsWith(`${root}/`)) return whole.slice(root.length + 1);
  if (second !== undefined && whole.startsWith(`${second.root}/`))
    return second.place + whole.slice(second.root.length);
  return path;
}

function onlyTarget(specs: readonly TraceSpec[], { root, sources }: ProjectSide): TracedProjects {
  const prefixes = { target: "", second: undefined };
  return { root, sources, specs, prefixes, shown: (path) => showPath(path, { root }) };
}

function folderOfBoth(a: string, b: string): string {
  const [first, second] = [a.split("/"), b.split("/")];
  const parts = first.findIndex((part, index) => part !== second[index]);
  return first.slice(0, parts === -1 ? first.length : parts).join("/") || "/";
}

/** Returns the folder's path from the root with a trailing slash, or "" for the root. */
function prefixOf(root: string, folder: string): string {
  const path = posix.relative(root, folder);
  return path === "" ? "" : `${path}/`;
}

function below(prefix: string) {
  return ({ path, names }: TraceSpec): TraceSpec => ({
    path: isGlob(path) ? `${prefix.replaceAll(/[\\*?[\]{}!()+@]/g, "\\$&")}${path}` : `${prefix}${path}`,
    names,
  });
}

function joinSources(
  target: TraceSources,
  second: TraceSources,
  prefixes: { readonly target: string; readonly second: string },
): TraceSources {
  const own = new Set(target.files.map((path) => `${prefixes.target}${path}`));
  const others = second.files.map((path) => `${prefixes.second}${path}`).filter((path) => !own.has(path));
  return {
    files: [...own, ...others],
    read: (path) =>
      own.has(path)
        ? target.read(path.slice(prefixes.target.length))
        : second.read(path.slice(prefixes.second.length)),
  };
}

export interface SplitChanges {
  readonly target: TracePlan["changes"];
  readonly second: TracePlan["changes"];
}

/** Splits a plan's changes into those of the target's tree and those of the second project's tree. */
export function splitChanges(
  changes: TracePlan["changes"],
  { target, second }: TracedProjects["prefixes"],
): SplitChanges {
  if (second === undefined) return { target: changes, second: [] };
  // One may be inside the other's folder: the longer prefix decides.
  const isTarget = (path: string): boolean =>
    path.startsWith(target) && (target.length > second.length || !path.startsWith(second));
  const cut = (prefix: string) => (change: TracePlan["changes"][number]) => ({
    ...change,
    path: change.path.slice(prefix.length),
  });
  return {
    target: changes.filter(({ path }) => isTarget(path)).map(cut(target)),
    second: changes.filter(({ path }) => !isTarget(path)).map(cut(second)),
  };
}
