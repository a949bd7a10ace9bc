/** The Go modules in a repository, and the commands that may run their tests. */
import type { ProjectView, TestCommand } from "../contract.ts";
import { listWrittenCommands } from "../discovery/written-commands.ts";
import { formatGoCommand, type GoTestCall, readGoTest } from "./go-command.ts";

interface GoModule {
  /** The module's folder, relative to the root. */
  readonly directory: string;
  readonly testFiles: number;
}

/** Folders that the go command ignores, and folders of auxiliary modules. */
const foreign = /(?:^|\/)(?:vendor|testdata|node_modules|third_party|[._][^/]*)\//;
const helping = /(?:^|\/)(?:_?examples?|tools?|hack|scripts?|benchmarks?|docs?)(?:\/|$)/i;

/** Modules with tests of their own. */
function listModules(project: ProjectView): GoModule[] {
  const directories = project.files
    .filter((file) => /(?:^|\/)go\.mod$/.test(file) && !foreign.test(file))
    .map((file) => file.replace(/\/?go\.mod$/, ""))
    .sort((a, b) => b.length - a.length);
  const counts = new Map(directories.map((directory) => [directory, 0]));
  for (const file of project.files) {
    if (!file.endsWith("_test.go") || foreign.test(file)) continue;
    const owner = directories.find((directory) => directory === "" || file.startsWith(`${directory}/`));
    if (owner !== undefined) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  }
  return [...counts]
    .map(([directory, testFiles]) => ({ directory, testFiles }))
    .filter(({ testFiles }) => testFiles > 0)
    .sort(
      (a, b) =>
        Number(b.directory === "") - Number(a.directory === "") ||
        b.testFiles - a.testFiles ||
        (a.directory < b.directory ? -1 : 1),
    );
}

/** Maximum number of modules that one command runs together. */
const mostTogether = 12;

export function detectGo(project: ProjectView): TestCommand[] {
  const modules = listModules(project);
  const found = [...fromManifests(project, modules), ...(modules.length > 0 ? fromFiles(project) : [])];
  const seen = new Set<string>();
  return found
    .sort((a, b) => b.likelihood - a.likelihood)
    .filter(({ directory, command }) => {
      const id = `${directory}\n${command}`;
      return !seen.has(id) && seen.add(id);
    });
}

function fromManifests(project: ProjectView, modules: readonly GoModule[]): TestCommand[] {
  const used = workspaceOf(project).filter((directory) =>
    modules.some((module) => module.directory === directory),
  );
  const found: TestCommand[] = [];
  if (used.length > 1) {
    const packages = used.map((directory) => (directory === "" ? "./..." : `./${directory}/...`));
    found.push(makeCommand([callOf("", packages)], "go.work", 0.92));
  }
  const root = modules.some((module) => module.directory === "");
  const main = modules.filter((module) => !helping.test(module.directory));
  if (!root && main.length > 1 && main.length <= mostTogether) {
    const calls = main.map((module) => callOf(module.directory));
    found.push(makeCommand(calls, main.map((module) => `${module.directory}/go.mod`).join(", "), 0.88));
  }
  for (const [at, { directory }] of modules.slice(0, 6).entries()) {
    const likelihood = (at === 0 ? 0.85 : root ? 0.55 : 0.7) - at / 50;
    const manifest = directory === "" ? "go.mod" : `${directory}/go.mod`;
    found.push(makeCommand([callOf(directory)], manifest, likelihood));
  }
  const first = project.files.find((file) => file.endsWith("_test.go") && !foreign.test(file));
  if (modules.length === 0 && first !== undefined) {
    found.push(makeCommand([{ ...callOf(""), env: { GO111MODULE: "off" } }], first, 0.3));
  }
  return found;
}

/** The folders listed in the root's `go.work`. */
function workspaceOf(project: ProjectView): string[] {
  const text = project.read("go.work") ?? "";
  const block = [...text.matchAll(/^use\s*\(([^)]*)\)/gm)].flatMap((match) => (match[1] ?? "").split("\n"));
  const single = [...text.matchAll(/^use[ \t]+([^\s(]+)/gm)].map((match) => match[1] ?? "");
  return [...block, ...single]
    .map((line) =>
      line
        .replace(/\/\/.*/, "")
        .trim()
        .replace(/^"|"$/g, ""),
    )
    .filter((line) => line !== "")
    .map((line) => line.replace(/^\.\/?/, "").replace(/\/$/, ""));
}

/** Variables of CI jobs that affect the build or the behaviour of programs. The others belong to the job itself. */
const keptVariables = /^(?:CGO_\w+|GOEXPERIMENT|GOFLAGS|GODEBUG|GO111MODULE|TZ)$/;

/** The commands that the repository itself documents. */
function fromFiles(project: ProjectView): TestCommand[] {
  const found: TestCommand[] = [];
  for (const { foundBy, env, ...written } of listWrittenCommands(project)) {
    const kept = Object.entries(env).filter(([name]) => keptVariables.test(name));
    const call = readGoTest({ ...written, env: Object.fromEntries(kept) });
    if (call === undefined || !isUsable(project, call)) continue;
    found.push(makeCommand([call], foundBy, likelihoodOf(call) - found.length / 100));
    if (found.length >= 8) break;
  }
  return found;
}

/** False if the call names a folder without files of the repository, or a package outside its own folder. */
function isUsable(project: ProjectView, call: GoTestCall): boolean {
  const isThere = (folder: string): boolean =>
    folder === "" || project.files.some((file) => file.startsWith(`${folder}/`));
  const local = call.packages.filter((path) => path.startsWith("."));
  return (
    isThere(call.directory) &&
    local.every((path) => {
      const folder = path
        .replace(/\/?\.\.\.$/, "")
        .replace(/^\.\/?/, "")
        .replace(/\/$/, "");
      return (
        !path.startsWith("..") && isThere([call.directory, folder].filter((part) => part !== "").join("/"))
      );
    })
  );
}

/** The likelihood of a command; lower if it runs only a part of the tests, or needs more than the repository. */
function likelihoodOf(call: GoTestCall): number {
  const isWhole = call.directory === "" && call.packages.includes("./...");
  const isPart = call.flags.some((flag) => /^-(?:run|skip)=/.test(flag));
  const isOutside = [...call.flags, ...call.arguments].some((word) =>
    /integration|e2e|acceptance|docker|live|update|bench/i.test(word),
  );
  return isOutside ? 0.4 : isWhole && !isPart ? 0.93 : isWhole ? 0.7 : 0.6;
}

function callOf(directory: string, packages: readonly string[] = ["./..."]): GoTestCall {
  return { directory, env: {}, flags: [], packages, arguments: [] };
}

/** Makes one test command from calls. A single call runs in its own folder; several calls run in the root. */
export function makeCommand(calls: readonly GoTestCall[], foundBy: string, likelihood: number): TestCommand {
  const directory = calls.length === 1 ? (calls[0]?.directory ?? "") : "";
  return { framework: "go-test", directory, command: formatGoCommand(calls, directory), foundBy, likelihood };
}

/** True if the calls may test more than one module. */
export function coversSeveral(project: ProjectView, calls: readonly GoTestCall[]): boolean {
  return (
    calls.length > 1 || (workspaceOf(project).length > 1 && calls.some((call) => call.packages.length > 1))
  );
}
