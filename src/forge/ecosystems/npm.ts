import { posix } from "node:path";
import type { ProjectView } from "../../languages/contract.ts";
import { needsBuild } from "../../languages/javascript/package-imports.ts";
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
    const isBuilt = targets.some((target) => needsBuild(project, target));
    const build =
      isBuilt && root.scripts["build"] !== undefined
        ? `(cd ${placesOf(request).fromShell("")} && npm run build) >&2 && `
        : "";
    return build === "" ? [plain] : [plain, forgeProject(request, targets, build)];
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
  return {
    imports,
    files: new Map([
      [
        entry,
        `${imports.map((name, index) => `import * as ${nameFor(name, index)} from "${name}";`).join("\n")}\n`,
      ],
    ]),
    entry,
    run: places.isOutside ? run : check,
    check,
    ...(places.isOutside && { start: [program === "node" ? program : places.fromProject(tsx), entry] }),
    ...(places.isOutside && { links: new Map(links) }),
    notes: build === "" ? [] : [builtNote(places.isOutside)],
  };
}

function builtNote(isOutside: boolean): string {
  const when = isOutside ? "build it before a run" : "each run builds it first";
  return `What is imported by the package's name is what its build makes: ${when}.`;
}

/** `@scope/some-thing` → `someThing`. */
function nameFor(name: string, index: number): string {
  const word = name
    .replace(/^@[^/]*\//, "")
    .replaceAll(/[^A-Za-z0-9]+(\w?)/g, (_, letter: string) => letter.toUpperCase());
  return /^[A-Za-z]\w*$/.test(word) && word !== "default" ? word : `target${index}`;
}
