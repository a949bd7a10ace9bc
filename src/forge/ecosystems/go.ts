import { posix } from "node:path";
import type { ProjectView } from "../../languages/contract.ts";
import { defineForge, type ForgedProject, type ForgeRequest } from "../contract.ts";
import { type Places, placesOf } from "../places.ts";

const foreign = /(?:^|\/)(?:vendor|testdata|node_modules|third_party|[._][^/]*)\//;

export default defineForge({
  ecosystem: "go",
  extensions: [".go"],
  sign: { files: /(?:^|\/)go\.mod$/, name: "go.mod" },
  packagesOf: (project) => modulesOf(project).flatMap(({ name, directory }) => [name, directory]),
  forge(request) {
    const { project, packages } = request;
    const modules = modulesOf(project);
    const wanted = modules.filter(({ name, directory }) =>
      packages.some((one) => one === name || one === directory),
    );
    const main = modules.find(({ directory }) => directory === "") ?? modules[0];
    const targets = wanted.length > 0 ? wanted : main === undefined ? [] : [main];
    return targets.length === 0 ? [] : [forgeProject(targets, request)];
  },
});

interface GoModule {
  readonly directory: string;
  readonly name: string;
  /** The text of the module's `go.mod`. */
  readonly text: string;
  /** Import paths that others may use, the outermost first. */
  readonly packages: readonly string[];
}

function modulesOf(project: ProjectView): GoModule[] {
  return project.files
    .filter((file) => posix.basename(file) === "go.mod" && !foreign.test(file))
    .map((file) => (file === "go.mod" ? "" : posix.dirname(file)))
    .flatMap((directory) => readModule(project, directory));
}

function readModule(project: ProjectView, directory: string): GoModule[] {
  const text = project.read(posix.join(directory, "go.mod")) ?? "";
  const name = /^\s*module\s+"?([^\s"]+)/m.exec(text)?.[1];
  if (name === undefined) return [];
  const prefix = directory === "" ? "" : `${directory}/`;
  const folders = project.files
    .filter((file) => file.startsWith(prefix) && /(?<!_test)\.go$/.test(file) && !foreign.test(file))
    .filter((file) => /^package\s+(?!main\b)/m.test(project.read(file) ?? ""))
    .map((file) => posix.dirname(file.slice(prefix.length)));
  const packages = [...new Set(folders)]
    .filter((folder) => !/(?:^|\/)internal(?:\/|$)/.test(folder))
    .sort((a, b) => a.split("/").length - b.split("/").length || (a < b ? -1 : 1))
    .sort((a, b) => Number(b === ".") - Number(a === "."))
    .map((folder) => posix.join(name, folder));
  return [{ directory, name, text, packages }];
}

/**
 * Makes the program with the imports. Go refuses an unused import, so the blank identifier imports each package, which
 * only runs its initialisation.
 */
function preludeOf(imports: readonly string[]): string {
  const block = imports.map((path) => `import _ "${path}"\n`).join("");
  return `package main\n\n${block}\nfunc main() {\n}\n`;
}

function forgeProject(targets: readonly GoModule[], request: ForgeRequest): ForgedProject {
  const { folder, offline } = request;
  const places = placesOf(request);
  const version = /^go\s+(\S+)/m.exec(targets[0]?.text ?? "")?.[1];
  const modules = targets.map(
    ({ name, directory }) =>
      `require ${name} ${majorOf(name)}.0.0-00010101000000-000000000000\nreplace ${name} => ${places.fromProject(directory)}`,
  );
  const manifest = [
    `module millwright.reproduction`,
    ...(version === undefined ? [] : [`go ${version}`]),
    ...modules,
    ...targets.flatMap((each) => requirementsOf(each, places)),
    "",
  ].join("\n");
  const entry = posix.join(folder, "main.go");
  const sums = targets.map(({ directory }) => places.fromShell(posix.join(directory, "go.sum"))).join(" ");
  const go = (verb: string): string =>
    `{ cat ${sums} > ${places.project}/go.sum 2>/dev/null; cd ${places.project}; } && GOWORK=off GO111MODULE=on GOFLAGS="$GOFLAGS -mod=mod"${offline ? " GOPROXY=off" : ""} go ${verb}`;
  const imports = targets.flatMap((each) => each.packages.slice(0, 1));
  return {
    imports,
    files: new Map([
      [posix.join(folder, "go.mod"), manifest],
      [entry, preludeOf(imports)],
    ]),
    entry,
    run: places.isOutside ? "go run ." : go("run ."),
    check: go("build -o /dev/null ."),
    ...(places.isOutside && { start: ["go", "run", "."], resolved: ["go.mod", "go.sum"] }),
    notes: [
      "Packages below internal/ cannot be imported from outside their module. Call them through a package that uses them, or write a test in that package.",
    ],
  };
}

/**
 * Returns the major version in a module's path. The path contains it from version 2 on, and for gopkg.in always. The
 * required version must match.
 */
function majorOf(name: string): string {
  return /(?:\/|^gopkg\.in\/.*\.)(v\d+)(?:-unstable)?$/.exec(name)?.[1] ?? "v0";
}

/** Returns the target's own requirements and replacements. Replacements count only in the main module. */
function requirementsOf({ text, directory }: GoModule, places: Places): string[] {
  const found: string[] = [];
  let block: string | undefined;
  for (const line of text.split("\n").map((one) => one.replace(/\/\/.*$/, "").trim())) {
    const opened = /^(require|replace|exclude|retract)\s*\(/.exec(line)?.[1];
    if (opened !== undefined) block = opened;
    else if (line === ")") block = undefined;
    else if (line !== "")
      found.push(...directiveOf(block === undefined ? line : `${block} ${line}`, directory, places));
  }
  return found;
}

function directiveOf(line: string, directory: string, places: Places): string[] {
  if (/^(?:require|exclude)\s/.test(line)) return [line];
  const [, left, path] = /^replace\s+(.+?)\s*=>\s*(\.\.?(?:\/\S*)?)$/.exec(line) ?? [];
  if (left !== undefined && path !== undefined)
    return [`replace ${left} => ${places.fromProject(posix.join(directory, path))}`];
  return /^replace\s/.test(line) ? [line] : [];
}
