import { posix } from "node:path";
import type { ProjectView } from "../../languages/contract.ts";
import { hasImportedEntry, needsBuild } from "../../languages/javascript/package-imports.ts";
import { type Manifest, readManifest } from "../../languages/javascript/package-manifest.ts";
import { listMembers } from "../../languages/javascript/package-workspaces.ts";
import { defineForge, type ForgedProject, type ForgeRequest } from "../contract.ts";
import { placesOf } from "../places.ts";

/** Of a workspace whose root is no package that could be imported. */
const mostPackages = 12;

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
    const targets =
      wanted.length > 0
        ? wanted
        : listMembers(project).length === 0
          ? all
          : all.filter(({ directory }) => directory !== "");
    const plain = forgeProject(request, targets.slice(0, mostPackages), "");
    const known = new Set(project.files);
    // What an earlier build left is not what the sources say, and a trace's changes are in the sources.
    const isMade = targets.some((target) => !hasImportedEntry(known, target));
    if (root.scripts["build"] === undefined) return [plain];
    if (!isMade && !targets.some((target) => needsBuild(project, target))) return [plain];
    const build = `(cd ${placesOf(request).fromShell("")} && npm run build) >&2 && `;
    const built = forgeProject(request, targets, build);
    return isMade ? [built, plain] : [plain, built];
  },
});

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
  // Short words to start it by, which build what a trace has changed too.
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
  return `What is imported by the package's name is what its build makes: each run builds it first${where}.`;
}

/** `@scope/some-thing` → `someThing`. */
function nameFor(name: string, index: number): string {
  const word = name
    .replace(/^@[^/]*\//, "")
    .replaceAll(/[^A-Za-z0-9]+(\w?)/g, (_, letter: string) => letter.toUpperCase());
  return /^[A-Za-z]\w*$/.test(word) && word !== "default" ? word : `target${index}`;
}
