import { defineTestFramework, type ProjectView, type TestCommand } from "../contract.ts";
import { pytestCanary } from "./python-canary.ts";
import { pytestCollects } from "./python-collection.ts";
import { findInterpreter, formatPythonCommand, type PythonCommand } from "./python-command.ts";
import { pytestExamples } from "./python-examples.ts";
import { describeCommand, describePythonFramework } from "./python-framework.ts";
import { baseName, findPythonProjects, findWrittenCommands, type PythonProject } from "./python-project.ts";

/**
 * Options of written commands that Millwright keeps: those that choose and find tests. Other options concern a single
 * run (output, coverage, processes), plug-ins that may be missing, or variants of a run.
 */
const keptOptions =
  /^(-k|-m|-c|-o|-p|--ignore|--ignore-glob|--deselect|--rootdir|--import-mode|--override-ini|--confcutdir)$/;
const keptFlags =
  /^(--pyargs|--doctest-modules|--doctest-glob=.*|(--ignore|--ignore-glob|--deselect|--rootdir|--import-mode|--override-ini|--confcutdir)=.*)$/;

function detect(project: ProjectView): TestCommand[] {
  const projects = findPythonProjects(project);
  const commands = projects.flatMap((described, at) =>
    describePlain(project, described, at, projects[0]?.directory === ""),
  );
  const used = projects.some((described) => described.pytestConfig ?? described.pytestUse);
  const written = used ? findWrittenCommands(project, "pytest") : [];
  const read = written.flatMap(({ command, foundBy }, at) => {
    const kept = keepArguments(command.args, command.directory, project);
    return kept === undefined ? [] : [{ command, foundBy, kept, at }];
  });
  for (const { command, foundBy, kept, at } of withExamples(read, projects)) {
    const start = [findInterpreter(project, command.directory), "-m", "pytest"];
    const sourceFolder = projects.some((one) => one.directory === command.directory && one.sourceFolder);
    const env = sourceFolder ? { PYTHONPATH: "src", ...command.env } : command.env;
    const text = formatPythonCommand({ env, start, args: kept });
    const narrow = kept.some((word) => word.endsWith(".py") || word === "-k" || word === "-m");
    commands.push(
      describeCommand("pytest", command.directory, text, foundBy, (narrow ? 0.6 : 0.93) - at / 100),
    );
  }
  const seen = new Set<string>();
  return commands
    .sort((a, b) => b.likelihood - a.likelihood)
    .filter(
      ({ directory, command }) =>
        !seen.has(`${directory}\n${command}`) && seen.add(`${directory}\n${command}`),
    );
}

interface WrittenCommand {
  readonly command: PythonCommand;
  readonly foundBy: string;
  readonly kept: readonly string[];
  readonly at: number;
}

const asksForExamples = /^--doctest-(?:modules|glob=.*)$/;
/** Maximum number of folders that a command with examples names. */
const mostFolders = 6;

/**
 * Puts a command that runs the documentation's examples first, because these are tests of the project too. If this
 * command leaves out other tests, joins it with them.
 */
function withExamples(
  read: readonly WrittenCommand[],
  projects: readonly PythonProject[],
): readonly WrittenCommand[] {
  const asking = read.find(({ kept }) => kept.some((word) => asksForExamples.test(word)));
  if (asking === undefined) return read;
  const { directory } = asking.command;
  const others = read.filter((each) => each !== asking);
  const first = others.find(({ command }) => command.directory === directory);
  const { testFiles = [] } = projects.find((one) => one.directory === directory) ?? {};
  const own = testFiles.map((file) => (directory === "" ? file : file.slice(directory.length + 1)));
  const paths = pathsOf(asking.kept);
  const isRun = (file: string): boolean =>
    paths.length === 0 || paths.some((path) => path === "." || file === path || file.startsWith(`${path}/`));
  if (own.every(isRun)) return [{ ...asking, at: -1 }, ...others];
  // The value of an option would be taken for a path.
  if ([...(first?.kept ?? []), ...asking.kept].some((word) => keptOptions.test(word))) return read;
  const folders = own.filter((file) => !isRun(file)).map((file) => file.split("/")[0] ?? file);
  const named = pathsOf(first?.kept ?? []);
  const all = [...new Set([...(named.length > 0 ? named : folders), ...paths])];
  const flags = asking.kept.filter((word) => word.startsWith("-"));
  const foundBy = first === undefined ? asking.foundBy : `${first.foundBy} and ${asking.foundBy}`;
  const { command } = first ?? asking;
  return all.length > mostFolders ? read : [{ command, foundBy, kept: [...flags, ...all], at: -1 }, ...read];
}

function pathsOf(words: readonly string[]): string[] {
  return words.filter((word) => !word.startsWith("-")).map((word) => word.replace(/^\.\/(?=.)|\/$/g, ""));
}

/** Plain `python -m pytest`, which uses the configuration and puts the folder on the module path. */
function describePlain(
  project: ProjectView,
  described: PythonProject,
  at: number,
  projectAtRoot: boolean,
): TestCommand[] {
  const { directory, pytestConfig, pytestUse } = described;
  const likelihood = pytestConfig ? 0.9 : pytestUse ? 0.85 : 0.3;
  const foundBy = pytestConfig ?? pytestUse ?? described.testFiles[0] ?? "";
  const env = described.sourceFolder ? { PYTHONPATH: "src" } : {};
  const interpreter = findInterpreter(project, directory);
  const starts: (readonly [readonly string[], number])[] = [
    [[interpreter, "-m", "pytest"], likelihood - (at > 0 && projectAtRoot ? 0.35 : 0) - at / 50],
  ];
  if (interpreter === "python3" && at === 0 && likelihood > 0.5) {
    starts.push([["pytest"], likelihood - 0.4], [["python", "-m", "pytest"], likelihood - 0.5]);
  }
  const args = pytestConfig === undefined ? chooseNames(described) : [];
  const plain = starts.map(([start, value]) =>
    describeCommand("pytest", directory, formatPythonCommand({ env, start, args }), foundBy, value),
  );
  // Configured options of a plug-in that is not installed keep pytest from starting; the tests themselves need none of them.
  const isConfigured = pytestConfig !== undefined && /\baddopts\b/.test(project.read(pytestConfig) ?? "");
  if (!isConfigured) return plain;
  const bare = formatPythonCommand({ env, start: [interpreter, "-m", "pytest"], args: ["-o", "addopts="] });
  return [...plain, describeCommand("pytest", directory, bare, foundBy, likelihood / 2 - at / 50)];
}

/**
 * Without configuration, pytest finds only `test_*.py` and `*_test.py`. Other runners also find `*_tests.py` and
 * `tests.py`.
 */
function chooseNames({ testFiles }: PythonProject): string[] {
  const names = testFiles.map(baseName);
  const others = ["*_tests.py", "tests.py"].filter((pattern) =>
    names.some((name) => (pattern.startsWith("*") ? name.endsWith("_tests.py") : name === pattern)),
  );
  if (others.length === 0) return [];
  const usual = [/^test_/, /_test\.py$/].some((pattern) => names.some((name) => pattern.test(name)));
  return ["-o", `python_files=${[...(usual ? ["test_*.py", "*_test.py"] : []), ...others].join(" ")}`];
}

/** The arguments that select tests; undefined if they name a missing path. */
function keepArguments(
  args: readonly string[],
  directory: string,
  project: ProjectView,
): string[] | undefined {
  const kept: string[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? "";
    const next = args[at + 1];
    if (keptOptions.test(word) && next !== undefined) {
      kept.push(word, next);
      at += 1;
    } else if (keptFlags.test(word)) kept.push(word);
    else if (word.startsWith("-")) {
      // The value of an option that is left out looks like a path and is none.
      const value = next !== undefined && !next.startsWith("-") && !isPath(project, directory, next);
      if (!word.includes("=") && value) at += 1;
    } else if (isPath(project, directory, word)) kept.push(word);
    else return undefined;
  }
  return kept;
}

function isPath(project: ProjectView, directory: string, word: string): boolean {
  const path = [directory, word.replace(/^\.\//, "").replace(/\/$/, "")]
    .filter((part) => part !== "")
    .join("/");
  return (
    word === "." ||
    project.files.some(
      (file) => (file === path && /\.(py|rst|txt|md)$/.test(path)) || file.startsWith(`${path}/`),
    )
  );
}

export default defineTestFramework(
  describePythonFramework({
    name: "pytest",
    description:
      "pytest 3.10 and later, with a plug-in that only Millwright's runs load; nothing is installed",
    detect,
    canary: pytestCanary,
    examples: pytestExamples,
    collects: pytestCollects,
    argvOf: (start, args) => [...start, "-p", "millwright_pytest", ...args],
    isOwn: ({ files }) => files.some((file) => /(?:^|\/)_pytest\/__init__\.py$/.test(file)),
  }),
);
