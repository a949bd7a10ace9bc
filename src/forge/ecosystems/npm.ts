import { posix } from "node:path";
import type { ProjectView } from "../../languages/contract.ts";
import { needsBuild } from "../../languages/javascript/package-imports.ts";
import { type Manifest, readManifest } from "../../languages/javascript/package-manifest.ts";
import { listMembers } from "../../languages/javascript/package-workspaces.ts";
import { defineForge, type ForgedProject } from "../contract.ts";

/** Of a workspace whose root is no package that could be imported. */
const mostPackages = 12;

export default defineForge({
  ecosystem: "npm",
  extensions: [".js", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx", ".jsx"],
  forge({ project, folder, packages }) {
    const root = readManifest(project, "");
    if (root === undefined) return [];
    const members = listMembers(project);
    const all = [root, ...members].filter(({ name }) => name !== "");
    const wanted = all.filter(({ name, directory }) =>
      packages.some((one) => one === name || one === directory),
    );
    const targets =
      wanted.length > 0 ? wanted : members.length === 0 ? all : all.filter((one) => one !== root);
    const plain = forgeProject(project, folder, targets.slice(0, mostPackages), "");
    const isBuilt = targets.some((target) => needsBuild(project, target));
    const build = isBuilt && root.scripts["build"] !== undefined ? "npm run build >&2 && " : "";
    return build === "" ? [plain] : [plain, forgeProject(project, folder, targets, build)];
  },
});

function forgeProject(
  project: ProjectView,
  folder: string,
  targets: readonly Manifest[],
  build: string,
): ForgedProject {
  const entry = posix.join(folder, "reproduction.mjs");
  const program = project.exists("node_modules/.bin/tsx") ? "node_modules/.bin/tsx" : "node";
  // Other packages are found above it, in the repository's own node_modules; a package does not find itself there.
  const links = targets.map(({ name, directory }) => {
    const link = posix.join(folder, "node_modules", name);
    return `mkdir -p ${posix.dirname(link)} && ln -sfn ${posix.relative(posix.dirname(link), directory) || "."} ${link}`;
  });
  const start = `${[...links, ""].join(" && ")}${build}${program} ${entry}`;
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
    run: start,
    check: start,
    notes:
      build === ""
        ? []
        : ["What is imported by the package's name is what its build makes: each run builds it first."],
  };
}

/** `@scope/some-thing` → `someThing`. */
function nameFor(name: string, index: number): string {
  const word = name
    .replace(/^@[^/]*\//, "")
    .replaceAll(/[^A-Za-z0-9]+(\w?)/g, (_, letter: string) => letter.toUpperCase());
  return /^[A-Za-z]\w*$/.test(word) && word !== "default" ? word : `target${index}`;
}
