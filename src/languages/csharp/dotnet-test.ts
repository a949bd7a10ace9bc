import { posix } from "node:path";
import { quoteWord } from "../../base/shell-word.ts";
import { cutLines } from "../../base/terminal-text.ts";
import { isFailing, type TestOutcome } from "../../domain/test-outcome.ts";
import {
  defineTestFramework,
  type Invocation,
  type InvocationRequest,
  type ProjectView,
  type ReportRequest,
  type Selection,
  type TestCommand,
  type TestReport,
} from "../contract.ts";
import { listWrittenCommands } from "../discovery/written-commands.ts";
import { parseShell } from "../javascript/javascript-shell.ts";
import { enterFolder } from "../javascript/package-script-calls.ts";
import { csharpJudging } from "./csharp-judging.ts";
import { readTrx } from "./trx-report.ts";

interface DotnetCommand {
  readonly directory: string;
  /** A solution or project, or "". */
  readonly target: string;
  readonly options: readonly string[];
}

/** Options, with their values, that choose what is tested and how it is built. */
const kept =
  /^(?:-c|--configuration|-f|--framework|-p:.*|--property:.*|\/p:.*|--filter|-s|--settings|--arch|-a|--runtime|-r)$/;
const valued =
  /^(?:-c|--configuration|-f|--framework|--filter|-s|--settings|-a|--arch|-r|--runtime|-l|--logger|-v|--verbosity|-o|--output|-d|--diag|--results-directory|--collect|--test-adapter-path|--blame-hang-timeout)$/;

function readDotnet(text: string, directory = ""): DotnetCommand | undefined {
  let current = directory;
  for (const command of parseShell(text) ?? []) {
    const [program, verb, ...rest] = command.words.map((word) => word.text);
    if (program === "cd") current = enterFolder(current, verb ?? "");
    if (program !== "dotnet" || verb !== "test") continue;
    const options: string[] = [];
    let target = "";
    for (let at = 0; at < rest.length; at += 1) {
      const word = rest[at] ?? "";
      if (word === "--") break; // settings of the run
      const value = valued.test(word) ? rest[++at] : undefined;
      if (kept.test(word)) options.push(word, ...(value === undefined ? [] : [value]));
      else if (!/^[-/]/.test(word)) target = word;
    }
    return { directory: current, target, options };
  }
  return undefined;
}

function detect(project: ProjectView): TestCommand[] {
  const tests = project.files.filter(
    (file) =>
      /\.(?:cs|fs|vb)proj$/.test(file) &&
      /Microsoft\.NET\.Test\.Sdk|<IsTestProject>\s*true|\bxunit\b|\bNUnit\b|\bMSTest\b/i.test(
        project.read(file) ?? "",
      ),
  );
  const [first] = tests;
  if (first === undefined) return [];
  const found = listWrittenCommands(project).flatMap(({ text, directory, foundBy, trust }) => {
    const read = readDotnet(text, directory);
    const isThere =
      read &&
      (read.target === "" ||
        project.files.some((file) => file.startsWith(enterFolder(read.directory, read.target))));
    return isThere && !read.options.some((word) => /[$`]/.test(word))
      ? [makeCommand(read, foundBy, trust)]
      : [];
  });
  const solution = project.files
    .filter((file) => /\.slnx?$/.test(file))
    .sort((a, b) => a.length - b.length)[0];
  const target = solution ?? (tests.length === 1 ? first : undefined);
  if (target !== undefined) {
    const directory = posix.dirname(target) === "." ? "" : posix.dirname(target);
    found.push(makeCommand({ directory, target: posix.basename(target), options: [] }, target, 0.8));
  }
  for (const file of target === undefined ? tests : [])
    found.push(makeCommand({ directory: "", target: file, options: [] }, file, 0.7));
  return found.sort((a, b) => b.likelihood - a.likelihood);
}

function makeCommand(read: DotnetCommand, foundBy: string, likelihood: number): TestCommand {
  const words = ["dotnet", "test", ...(read.target === "" ? [] : [read.target]), ...read.options];
  return {
    framework: "dotnet-test",
    directory: read.directory,
    command: words.map(quoteWord).join(" "),
    foundBy,
    likelihood,
  };
}

function invoke(request: InvocationRequest): Invocation {
  const read = readDotnet(request.command.command) ?? { target: "", options: [] };
  const filter = filterOf(request.selection);
  const seconds = Math.max(1, Math.ceil(request.testTimeoutMs / 1000));
  return {
    run: [
      "dotnet",
      "test",
      ...(read.target === "" ? [] : [read.target]),
      ...(filter === undefined ? read.options : withoutFilter(read.options)),
      "--nologo",
      "--logger",
      "trx;LogFilePrefix=millwright",
      "--results-directory",
      request.paths.report,
      // A hanging test ends its assembly's run; the results list the tests that did not run.
      "--blame-hang-timeout",
      `${seconds}s`,
      "--blame-hang-dump-type",
      "none",
      ...(filter === undefined ? [] : ["--filter", filter]),
    ],
    env: { DOTNET_CLI_TELEMETRY_OPTOUT: "1", DOTNET_NOLOGO: "1", DOTNET_CLI_UI_LANGUAGE: "en" },
  };
}

/**
 * Linux limits one argument to 128 KiB. If the selection does not fit, Millwright runs all tests and drops unselected
 * outcomes.
 */
const filterLength = 100_000;

function filterOf(selection: Selection): string | undefined {
  if (selection.kind === "all") return undefined;
  const names =
    selection.kind === "files"
      ? selection.files.map((name) => `~${escapeValue(`${name}.`)}`)
      : selection.tests.map(
          (key) => `=${escapeValue(`${key.target}.${key.name.replace(/ ?[(#].*$/s, "")}`)}`,
        );
  const filter = [...new Set(names)].map((name) => `FullyQualifiedName${name}`).join("|");
  return Buffer.byteLength(filter) > filterLength ? undefined : filter;
}

function escapeValue(name: string): string {
  return name.replace(/[\\()&|=!~]/g, "\\$&");
}

function withoutFilter(options: readonly string[]): string[] {
  return options.filter((word, at) => word !== "--filter" && options[at - 1] !== "--filter");
}

function parse(request: ReportRequest): TestReport {
  const runs = [...request.files]
    .filter(([name]) => name.endsWith(".trx"))
    .map(([name, content]) => ({ name, ...readTrx(content.toString("utf8"), request.root) }));
  const outcomes: TestOutcome[] = [...runs.flatMap((run) => run.outcomes), ...readBuildErrors(request)];
  const problem = runs.find((run) => run.problem !== undefined);
  const report = (invalid: string | undefined): TestReport => ({ outcomes, coverage: new Map(), invalid });
  if (problem !== undefined) return report(`${problem.name}: ${problem.problem}`);
  const failing = outcomes.some((outcome) => isFailing(outcome.status));
  if (outcomes.length === 0)
    return report(`no test ran: ${(request.stderr.trim() || request.stdout.trim()).slice(-500)}`);
  if (request.exitCode === null) return report("the run was killed before its end");
  if (failing && request.exitCode === 0) return report("a test failed, but the run ended with exit code 0");
  if (!failing && request.exitCode !== 0)
    return report(`no test failed, but the run ended with exit code ${request.exitCode}`);
  return report(undefined);
}

const longestLine = 2_000;

/**
 * Reports each project that does not compile as a failed target, from lines such as
 * `File.cs(12,5): error CS1002: ; expected [/path/Project.csproj]`.
 */
function readBuildErrors(request: ReportRequest): TestOutcome[] {
  const found = new Map<string, TestOutcome>();
  const errors = cutLines(request.stdout, longestLine).matchAll(
    /^[^\S\n]*(\S.*?)\((\d+),\d+\): error (\w+): (.*?)(?: \[(.*?)(?:::.*)?\])?[^\S\n]*$/gm,
  );
  for (const [text, path = "", line = "1", code = "", message = "", project = ""] of errors) {
    const name = posix.basename(project.replaceAll("\\", "/")).replace(/\.\w+proj$/, "");
    const file = path.startsWith(`${request.root}/`) ? path.slice(request.root.length + 1) : path;
    const failure = {
      type: "BuildError",
      message: `${code}: ${message}`,
      frames: [{ file, line: Number(line) }],
      text: text.trim(),
    };
    if (!found.has(name))
      found.set(name, {
        key: { package: name, target: file, name: "" },
        status: "errored",
        durationMs: 0,
        failure,
      });
  }
  return [...found.values()];
}

export default defineTestFramework({
  name: "dotnet-test",
  language: "csharp",
  description:
    "dotnet test of the .NET SDK 6 and later, through its TRX reports; checked only against sample reports, never run",
  coverage: "none",
  judging: csharpJudging,
  withoutCanary: "dotnet was not available for tests",
  builds: true,
  detect,
  recognise(command) {
    const read = readDotnet(command);
    return read && makeCommand(read, "--test-command", 1);
  },
  invoke,
  parse,
});
