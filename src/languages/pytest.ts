import {
  defineTestFramework,
  type InvocationRequest,
  type ProjectView,
  type TestCommand,
} from "./contract.ts";
import {
  findInterpreter,
  formatPythonCommand,
  type PythonCommand,
  readPythonCommand,
} from "./python-command.ts";
import { invokePython, parsePythonReport } from "./python-invocation.ts";
import { findPythonProjects, findWrittenCommands, type PythonProject } from "./python-project.ts";

/** Options of CI runs that our plug-in makes idle, and that need plug-ins of pytest that may not be there. */
const idleOptions =
  /^(--cov(-[\w-]+)?(=.*)?|--no-cov.*|--junit-?xml(=.*)?|--html=.*|-n\d+|-nauto|--dist=.*|--durations=.*)$/;
const idleWithValue = new Set([
  "-n",
  "--numprocesses",
  "--dist",
  "--junitxml",
  "--junit-xml",
  "--cov-report",
  "--cov-config",
]);

function detect(project: ProjectView): TestCommand[] {
  const projects = findPythonProjects(project);
  const commands = projects.flatMap((described, at) => describePlain(project, described, at));
  const used = projects.some((described) => described.pytestConfig ?? described.pytestUse);
  const written = used ? findWrittenCommands(project, "pytest") : [];
  for (const [at, { command, foundBy }] of written.entries()) {
    const start = [findInterpreter(project, command.directory), "-m", "pytest"];
    const sourceFolder = projects.some((one) => one.directory === command.directory && one.sourceFolder);
    const env = sourceFolder ? { PYTHONPATH: "src", ...command.env } : command.env;
    const text = formatPythonCommand({ env, start, args: dropIdle(command.args) });
    commands.push(makeCommand(command.directory, text, foundBy, 0.93 - at / 100));
  }
  const seen = new Set<string>();
  return commands
    .sort((a, b) => b.likelihood - a.likelihood)
    .filter(
      ({ directory, command }) =>
        !seen.has(`${directory}\n${command}`) && seen.add(`${directory}\n${command}`),
    );
}

/** Plain `python -m pytest`, which takes what is configured and puts the folder on the module path. */
function describePlain(project: ProjectView, described: PythonProject, at: number): TestCommand[] {
  const { directory, pytestConfig, pytestUse } = described;
  const likelihood = pytestConfig ? 0.9 : pytestUse ? 0.85 : 0.3;
  const foundBy = pytestConfig ?? pytestUse ?? described.testFiles[0] ?? "";
  const env = described.sourceFolder ? { PYTHONPATH: "src" } : {};
  const interpreter = findInterpreter(project, directory);
  const starts: (readonly [readonly string[], number])[] = [
    [[interpreter, "-m", "pytest"], likelihood - at / 50],
  ];
  if (interpreter === "python3" && at === 0 && likelihood > 0.5) {
    starts.push([["pytest"], likelihood - 0.4], [["python", "-m", "pytest"], likelihood - 0.5]);
  }
  return starts.map(([start, value]) =>
    makeCommand(directory, formatPythonCommand({ env, start, args: [] }), foundBy, value),
  );
}

function makeCommand(directory: string, command: string, foundBy: string, likelihood: number): TestCommand {
  return { framework: "pytest", directory, command, foundBy, likelihood };
}

function dropIdle(args: readonly string[]): string[] {
  return args.filter(
    (word, at) =>
      !idleOptions.test(word) && !idleWithValue.has(word) && !idleWithValue.has(args[at - 1] ?? ""),
  );
}

function read(command: string, project: ProjectView, directory: string): PythonCommand | undefined {
  const found = readPythonCommand(command, project, directory);
  return found?.runner === "pytest" ? found : undefined;
}

export default defineTestFramework({
  name: "pytest",
  language: "python",
  description: "pytest 3.10 and later, with a plug-in that is loaded for the run and installed nowhere",
  coverage: "tracer",
  detect,
  recognise(command, project) {
    const found = read(command, project, "");
    return found && makeCommand(found.directory, formatPythonCommand(found), "--test-command", 1);
  },
  invoke(request: InvocationRequest) {
    const found = read(request.command.command, request.project, request.command.directory);
    const { start, args, env } = found ?? { start: ["python3", "-m", "pytest"], args: [], env: {} };
    return invokePython(request, [...start, "-p", "millwright_pytest", ...args], env);
  },
  parse: parsePythonReport,
});
