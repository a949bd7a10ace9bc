import { posix } from "node:path";
import {
  defineTestFramework,
  type Invocation,
  type InvocationRequest,
  type ProjectView,
  type TestCommand,
} from "../contract.ts";
import { listWrittenCommands } from "../discovery/written-commands.ts";
import { forkedBatch } from "../forked-batch.ts";
import { withoutOptions } from "../option-words.ts";
import { parseReportLines } from "../report-lines.ts";
import { encodeSelection, encodeShare } from "../selection-parts.ts";
import { phpunitCanary } from "./php-canary.ts";
import { phpunitExamples } from "./php-examples.ts";
import { phpJudging } from "./php-judging.ts";
import { formatPhpunit, type PhpunitCommand, readPhpunit } from "./phpunit-command.ts";

const foreign = /(?:^|\/)(?:vendor|node_modules)\//;
const configurations = ["phpunit.xml", "phpunit.xml.dist", "phpunit.dist.xml"];

function testFilesOf(project: ProjectView, directory: string): string[] {
  const below = directory === "" ? "" : `${directory}/`;
  return project.files.filter(
    (file) =>
      file.startsWith(below) && /Test\.php$|(?:^|\/)test_?\w+\.php$/.test(file) && !foreign.test(file),
  );
}

function configurationIn(project: ProjectView, directory: string): string | undefined {
  return configurations
    .map((name) => posix.join(directory, name))
    .find((path) => project.files.includes(path));
}

function programOf(project: ProjectView, directory: string): string {
  const own = posix.join(directory, "vendor/bin/phpunit");
  return project.exists(own) ? "vendor/bin/phpunit" : "phpunit";
}

function detect(project: ProjectView): TestCommand[] {
  const configured = project.files.filter(
    (file) => configurations.includes(posix.basename(file)) && !foreign.test(file),
  );
  const tests = testFilesOf(project, "").filter((file) => /PHPUnit|TestCase/.test(project.read(file) ?? ""));
  if (tests.length === 0) return [];
  const found: TestCommand[] = [];
  for (const { text, directory, env, foundBy, trust } of listWrittenCommands(project)) {
    const read = readPhpunit(text, directory, env);
    if (read === undefined || [...read.files, ...read.options].some((word) => /[$`{]/.test(word))) continue;
    if (testFilesOf(project, read.directory).length === 0) continue;
    found.push(
      makeCommand({ ...read, env: {}, program: programOf(project, read.directory) }, foundBy, trust),
    );
  }
  for (const path of configured) {
    const directory = posix.dirname(path) === "." ? "" : posix.dirname(path);
    found.push(makeCommand(usualCommand(project, directory), path, directory === "" ? 0.9 : 0.7));
  }
  if (configured.length === 0) found.push(makeCommand(usualCommand(project, ""), tests[0] ?? "", 0.8));
  const seen = new Set<string>();
  return found
    .sort((a, b) => b.likelihood - a.likelihood)
    .filter(
      ({ directory, command }) => !seen.has(`${directory} ${command}`) && seen.add(`${directory} ${command}`),
    );
}

function usualCommand(project: ProjectView, directory: string): PhpunitCommand {
  const none = { directory, env: {}, program: programOf(project, directory), options: [], files: [] };
  if (configurationIn(project, directory) !== undefined) return none;
  const folders = new Set(
    testFilesOf(project, directory).map(
      (file) => posix.relative(`/${directory}`, `/${file}`).split("/")[0] ?? ".",
    ),
  );
  return { ...none, files: [...folders] };
}

function makeCommand(read: PhpunitCommand, foundBy: string, likelihood: number): TestCommand {
  return {
    framework: "phpunit",
    directory: read.directory,
    command: formatPhpunit(read),
    foundBy,
    likelihood,
  };
}

/** The files to run, from the command's folder; empty if PHPUnit's configuration names them. */
function filesOf({ command, selection, project }: InvocationRequest, read: PhpunitCommand): string[] {
  const relative = (file: string): string => posix.relative(`/${command.directory}`, `/${file}`);
  if (selection.kind === "files") return selection.files.map(relative);
  if (selection.kind === "tests")
    return [...new Set(selection.tests.map(({ target }) => target))].map(relative);
  const named = read.files.map((file) => posix.join(command.directory, file));
  const tests = testFilesOf(project, command.directory);
  const below = tests.filter((file) => named.some((one) => file === one || file.startsWith(`${one}/`)));
  return [...new Set([...named.filter((one) => one.endsWith(".php")), ...below])].map(relative);
}

/** Options by which PHPUnit chooses tests. Chosen ones take their place. */
const choosing = /^--(?:filter|group|exclude-group)$/;

function invoke(request: InvocationRequest): Invocation {
  const { paths, command, project } = request;
  const read = readPhpunit(command.command, command.directory) ?? usualCommand(project, command.directory);
  return {
    run: [
      "php",
      // Ignored where PHP has no pcov.
      "-dpcov.enabled=1",
      `-dpcov.directory=${paths.root}`,
      `-dpcov.exclude=~/vendor/~`,
      "-dxdebug.mode=coverage",
      `${paths.runtime}/php/millwright_phpunit.php`,
      ...(request.selection.kind === "tests" ? withoutOptions(read.options, choosing) : read.options),
      ...(request.stopAtFirstFailure ? ["--stop-on-error", "--stop-on-failure"] : []),
      ...(request.varied === true ? ["--order-by=random", "--random-order-seed=4711"] : []),
      "--",
      ...filesOf(request, read),
    ],
    env: {
      ...read.env,
      MILLWRIGHT_ROOT: paths.root,
      MILLWRIGHT_CHANNEL: paths.channel,
      MILLWRIGHT_TEST_SECONDS: String(request.testTimeoutMs / 1000),
      MILLWRIGHT_COVERAGE: request.coverage ? "1" : "0",
      ...encodeSelection(request.selection),
      ...encodeShare(request.share),
    },
  };
}

export default defineTestFramework({
  name: "phpunit",
  language: "php",
  description: "PHPUnit 9, with Millwright's listener",
  coverage: "tracer",
  divides: true,
  judging: phpJudging,
  detect,
  recognise(command) {
    const read = readPhpunit(command);
    return read && makeCommand(read, "--test-command", 1);
  },
  canary: phpunitCanary,
  examples: phpunitExamples,
  varies: "in random order",
  invoke,
  parse: parseReportLines,
  batch: forkedBatch(invoke),
});
