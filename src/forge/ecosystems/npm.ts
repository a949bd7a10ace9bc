import { posix } from "node:path";
import type { ProjectView } from "../../languages/contract.ts";
import { hasImportedEntry, needsBuild } from "../../languages/javascript/package-imports.ts";
import { isRecord, type Manifest, readManifest } from "../../languages/javascript/package-manifest.ts";
import { listMembers } from "../../languages/javascript/package-workspaces.ts";
import { defineForge, type ForgedProject, type ForgeRequest } from "../contract.ts";
import { placesOf } from "../places.ts";

/** Maximum number of packages, for a workspace whose root cannot be imported. */
const mostPackages = 12;
/** Maximum number of packages that Millwright tries alone if they cannot be imported together. */
const mostAlone = 6;

export default defineForge({
  ecosystem: "npm",
  extensions: [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx"],
  sign: { files: /^package\.json$/, name: "package.json" },
  packagesOf: (project) => packagesOf(project).flatMap(({ name, directory }) => [name, directory]),
  forge(request) {
    const { project, packages } = request;
    const root = readManifest(project, "");
    if (root === undefined) return [];
    const all = packagesOf(project);
    const wanted = all.filter(({ name, directory }) =>
      packages.some((one) => one === name || one === directory),
    );
    const members = listMembers(project).length === 0 ? all : all.filter(({ directory }) => directory !== "");
    const targets = wanted.length > 0 ? wanted : namedFirst(members.filter(isImportable), request.about);
    const plain = forgeProject(request, targets.slice(0, mostPackages), "");
    const known = new Set(project.files);
    // Results of an earlier build may differ from the sources, and a trace changes the sources.
    const isMade = targets.some((target) => !hasImportedEntry(known, target));
    const fewer = wanted.length > 0 ? [] : forgeFewer(request, targets);
    if (root.scripts["build"] === undefined) return [plain, ...fewer];
    if (!isMade && !targets.some((target) => needsBuild(project, target))) return [plain, ...fewer];
    const build = `(cd ${placesOf(request).fromShell("")} && npm run build) >&2 && `;
    const built = forgeProject(request, targets, build);
    return [...(isMade ? [built, plain] : [plain, built]), ...fewer];
  },
});

/**
 * Makes projects with fewer packages. If nobody chose packages, a package that cannot be imported must not prevent the
 * others.
 */
function forgeFewer(request: ForgeRequest, targets: readonly Manifest[]): ForgedProject[] {
  if (targets.length < 2) return [];
  const known = new Set(request.project.files);
  const written = targets.filter((target) => hasImportedEntry(known, target));
  const groups = [
    ...(written.length > 1 && written.length < targets.length ? [written] : []),
    ...targets.slice(0, mostAlone).map((target) => [target]),
  ];
  return groups.map((group) => {
    const forged = forgeProject(request, group.slice(0, mostPackages), "");
    const others = targets.filter((target) => !group.includes(target)).map(({ name }) => name);
    const note = `These packages of the repository cannot be imported together with the chosen ones: ${others.join(", ")}.`;
    return { ...forged, notes: [...forged.notes, note] };
  });
}

/**
 * True if code can import the package by its name. Programs, and packages with only subpaths, cannot be imported by
 * name.
 */
function isImportable({ content }: Manifest): boolean {
  const { exports, main, bin } = content;
  if (Array.isArray(exports)) return exports.length > 0;
  if (isRecord(exports)) return Object.keys(exports).some((key) => key === "." || !key.startsWith("."));
  return exports !== undefined || main !== undefined || bin === undefined;
}

/** Moves manifests to the front if `about` contains their name, or its last part. */
function namedFirst(manifests: readonly Manifest[], about: string): Manifest[] {
  const words = new Set(about.toLowerCase().split(/[^\w@/.-]+/));
  const isNamed = ({ name }: Manifest): boolean =>
    [name, name.replace(/^@[^/]*\//, "")].some((each) => words.has(each.toLowerCase()));
  return [...manifests.filter(isNamed), ...manifests.filter((each) => !isNamed(each))];
}

function packagesOf(project: ProjectView): Manifest[] {
  const root = readManifest(project, "");
  return root === undefined ? [] : [root, ...listMembers(project)].filter(({ name }) => name !== "");
}

function forgeProject(request: ForgeRequest, targets: readonly Manifest[], build: string): ForgedProject {
  const { project, folder } = request;
  const places = placesOf(request);
  const entry = posix.join(folder, "reproduction.mjs");
  const tsx = "node_modules/.bin/tsx";
  const program = project.exists(tsx) ? places.fromShell(tsx) : "node";
  // Other packages are found above it, in the repository's own node_modules; a package does not find itself there.
  const links = targets.map(({ name, directory }) => {
    const link = posix.join(folder, "node_modules", name);
    const { fromProject } = placesOf({ ...request, folder: posix.dirname(link) });
    return [link, fromProject(directory)] as const;
  });
  const texts = places.isOutside
    ? []
    : links.map(([link, to]) => `mkdir -p ${posix.dirname(link)} && ln -sfn ${to} ${link} && `);
  const run = `${program} ${entry}`;
  const check = `${texts.join("")}${build}${run}`;
  const imports = targets.map(({ name }) => name);
  const prelude = imports.map((name, index) => `import * as ${nameFor(name, index)} from "${name}";\n`);
  // A short command that starts it, and also builds a trace's changes.
  const script = places.isOutside && build !== "" ? [["run.sh", `${check} "$@"\n`] as const] : [];
  const start = program === "node" ? program : places.fromProject(tsx);
  return {
    imports,
    files: new Map([[entry, prelude.join("")], ...script]),
    entry,
    run: script.length > 0 ? "sh run.sh" : places.isOutside ? run : check,
    check,
    ...(places.isOutside && { start: script.length > 0 ? ["sh", "run.sh"] : [start, entry] }),
    ...(places.isOutside && { links: new Map(links) }),
    notes: build === "" ? [] : [builtNote(places.isOutside)],
  };
}

function builtNote(isOutside: boolean): string {
  const where = isOutside ? ", in the target's own folder" : "";
  return `An import by the package's name loads the package's build, so each run builds the package first${where}.`;
}

/** Makes an identifier from a package's name: `@scope/some-thing` → `someThing`. */
function nameFor(name: string, index: number): string {
  const word = name
    .replace(/^@[^/]*\//, "")
    .replaceAll(/[^A-Za-z0-9]+(\w?)/g, (_, letter: string) => letter.toUpperCase());
  return /^[A-Za-z]\w*$/.test(word) && word !== "default" ? word : `target${index}`;
}
