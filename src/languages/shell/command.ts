/**
 * Any command with an exit code counts as one test. If its output has a known format of test programs, the printed
 * tests count instead. The code under test prints to the same output. Printed results therefore count only if the exit
 * code agrees. Without a printed failure, the command must exit with 0.
 */
import { posix } from "node:path";
import { folderOf } from "../../base/folder-of.ts";
import type { TestFailure, TestKey, TestOutcome } from "../../domain/test-outcome.ts";
import { isFailing } from "../../domain/test-outcome.ts";
import {
  defineTestFramework,
  type Invocation,
  type InvocationRequest,
  type ProjectView,
  type ReportRequest,
  type TestCommand,
  type TestReport,
} from "../contract.ts";
import { findCompilerError, readCppFailure } from "../cpp/cpp-failure.ts";
import { cppJudging } from "../cpp/cpp-judging.ts";
import { csharpJudging } from "../csharp/csharp-judging.ts";
import { listDocumentedScripts } from "../discovery/documented-commands.ts";
import { listMakefiles } from "../discovery/makefile.ts";
import { testName } from "../discovery/written-script.ts";
import { goJudging } from "../go/go-judging.ts";
import { javaJudging } from "../java/java-judging.ts";
import { javascriptJudging } from "../javascript/javascript-judging.ts";
import { type JunitCase, readJunitXml } from "../junit-xml.ts";
import { luaJudging } from "../lua/lua-judging.ts";
import { phpJudging } from "../php/php-judging.ts";
import { findInterpreter } from "../python/python-command.ts";
import { pythonJudging } from "../python/python-judging.ts";
import { crashType } from "../report-lines.ts";
import { rubyJudging } from "../ruby/ruby-judging.ts";
import { rustJudging } from "../rust/rust-judging.ts";
import { plainCommand } from "./plain-command.ts";
import type { Printed, PrintedTest } from "./printed.ts";
import { readPrintedTests } from "./printed-tests.ts";

/** The name of the one test that stands for the whole command. */
export const wholeCommand = "ends with exit code 0";

/**
 * Writes the output to a file, so that it is never truncated, and copies reports. `$1` is the command, `$2` the report
 * folder.
 */
const runner = `: >"$2/started"
sh -c "$1" >"$2/output" 2>&1
code=$?
found=$(find . \\( -name .git -o -name node_modules \\) -prune -o -name '*.xml' -newer "$2/started" -size -8000k -print 2>/dev/null | head -n 200)
at=0
printf '%s\\n' "$found" | while IFS= read -r file; do
  if [ -n "$file" ] && head -c 2000 "$file" | grep -q '<testsuite'; then at=$((at + 1)); cp "$file" "$2/junit-$at.xml"; fi
done
tail -c 20000 "$2/output"
exit $code`;

function invoke({ command, paths }: InvocationRequest): Invocation {
  return { run: ["/bin/sh", "-c", runner, "sh", command.command, paths.report], env: {} };
}

function parse(request: ReportRequest): TestReport {
  const output = request.files.get("output")?.toString("utf8") ?? request.stdout;
  const printed = readJunitFiles(request) ?? readPrintedTests(output);
  const { exitCode, root } = request;
  const named = agrees(printed, exitCode) ? (printed?.tests ?? []) : [];
  const outcomes = named.map((test) => outcomeOf(test, root));
  const problem = printed?.problem;
  // A failing named test explains the command's failure.
  const isExplained = problem === undefined && outcomes.some(({ status }) => isFailing(status));
  // Without the names of tests that pass, the names of those that fail only explain the command's failure.
  const listed = named.length > 0 ? [] : (printed?.tests ?? []).filter(({ status }) => status === "failed");
  if (!isExplained || exitCode === null)
    outcomes.push(wholeOutcome(output, { exitCode, problem, listed, root }));
  const invalid = named.length === 0 ? findMissing(output, exitCode) : undefined;
  return { outcomes, coverage: new Map(), invalid };
}

/**
 * The line that a shell, `make` or npm prints if a command's file or target does not exist. It is then the only output.
 */
const missing =
  /^(?:make: \*\*\* No rule to make target|make: \*\*\* No targets specified|(?:ba|da|z)?sh: .*(?:open|No such file)|npm (?:error|ERR!) Missing script)/;

function findMissing(output: string, exitCode: number | null): string | undefined {
  if (exitCode === 126 || exitCode === 127)
    return `the shell could not run the command (exit code ${exitCode})`;
  const [first = "", ...more] = output.split("\n").filter((line) => line.trim() !== "");
  return exitCode !== 0 && more.length === 0 && missing.test(first) ? first.trim() : undefined;
}

/**
 * True if the printed results count. Lines that merely resemble results count only if the exit code agrees. A list of
 * failures alone names no test that passes: after a repair, nothing would show that its tests ran.
 */
function agrees(printed: Printed | undefined, exitCode: number | null): boolean {
  if (printed === undefined || !/^(?:lines of results|unittest|go)$/.test(printed.dialect)) return true;
  const isFailed = printed.tests.some(({ status }) => status === "failed");
  const isWhole = printed.tests.some(({ status }) => status !== "failed");
  return exitCode !== null && isFailed === (exitCode !== 0) && isWhole;
}

const keyOf = (name: string): TestKey => ({ package: "", target: "command", name });

function outcomeOf({ name, status, said, durationMs = 0 }: PrintedTest, root: string): TestOutcome {
  const key = keyOf(name);
  if (status !== "failed") return { key, status, durationMs };
  const first =
    said
      .split("\n")
      .find((line) => line.trim() !== "")
      ?.trim() ?? "it failed";
  return { key, status, durationMs, failure: failureOf(said, "Failed", first, root) };
}

interface Ended {
  readonly exitCode: number | null;
  readonly problem: string | undefined;
  /** Failures that the output names, if they do not count as tests. */
  readonly listed: readonly PrintedTest[];
  readonly root: string;
}

function wholeOutcome(output: string, { exitCode, problem, listed, root }: Ended): TestOutcome {
  const key = keyOf(wholeCommand);
  if (exitCode === 0 && problem === undefined) return { key, status: "passed", durationMs: 0 };
  const tail = output.slice(-longest);
  if (exitCode === null) {
    const failure = {
      type: crashType,
      message: "the command was stopped before it ended",
      frames: [],
      text: tail,
    };
    return { key, status: "failed", durationMs: 0, failure };
  }
  const lines = tail.split("\n").map((line) => line.trim());
  const last = lines.findLast((line) => line !== "" && !/^make(?:\[\d+\])?: /.test(line)) ?? "";
  const names = listed.map(({ name }) => name).sort();
  const said = [...names.slice(0, 5), last === "" ? `exit code ${exitCode}` : last].join("; ");
  const message = problem ?? said;
  return { key, status: "failed", durationMs: 0, failure: failureOf(tail, "ExitCode", message, root) };
}

const longest = 8000;

function failureOf(text: string, type: string, message: string, root: string): TestFailure {
  if (/^[^\s:]+:\d+(?::\d+)?: (?:fatal )?error: /m.test(text)) return findCompilerError(text, root);
  return readCppFailure(text, type, message, root);
}

/** JUnit-style reports that the run wrote; undefined if there are none. */
function readJunitFiles({ files }: ReportRequest): Printed | undefined {
  const found = [...files].filter(([name]) => name.startsWith("junit-")).sort(([a], [b]) => (a < b ? -1 : 1));
  const suites = found.flatMap(([, content]) => readJunitXml(content.toString("utf8")));
  const tests = suites.flatMap(({ cases }) => cases.map(testOfCase));
  const problem = suites.find((suite) => suite.problem !== undefined)?.problem;
  return tests.length === 0 ? undefined : { dialect: "JUnit XML", tests, problem };
}

function testOfCase({ className, name, result, durationMs, message, text }: JunitCase): PrintedTest {
  const title = className === "" ? name : `${className} > ${name}`;
  const status = result === "passed" || result === "skipped" ? result : "failed";
  return { name: title, status, said: [message, text].filter((each) => each !== "").join("\n"), durationMs };
}

/**
 * Finds scripts and Makefile targets whose names say that they run all tests, and documents' lines that start them. Also
 * finds Django's script for a project.
 */
function detect(project: ProjectView): TestCommand[] {
  const documented = listDocumentedScripts(project)
    .filter(({ text }) => startsTests(project, text))
    .map(({ directory, text, foundBy }) => make(text, directory, foundBy, 0.28));
  const targets = listMakefiles(project).flatMap(({ directory, file, targets: of }) =>
    [...of.keys()]
      .filter((target) => testName.test(target))
      .map((target) =>
        make(`make ${target}`, directory, `${file}, target ${target}`, directory === "" ? 0.26 : 0.2),
      ),
  );
  const scripts = project.files
    .filter((path) => allTests.test(path))
    .sort((a, b) => a.split("/").length - b.split("/").length)
    .map((path) => make(`${startOf(project, path)}${path}`, "", path, 0.24));
  const managed = project.files
    .filter((path) => posix.basename(path) === "manage.py" && /\bdjango\b/.test(project.read(path) ?? ""))
    .map((path) => {
      const folder = folderOf(path);
      return make(`${findInterpreter(project, folder)} manage.py test -v 2`, folder, path, 0.27);
    });
  const seen = new Set<string>();
  return [...documented, ...managed, ...targets, ...scripts].filter(({ command, directory }) => {
    const id = JSON.stringify([directory, command]);
    return !seen.has(id) && seen.add(id);
  });
}

const allTests =
  /^(?:(?:tests?|scripts?|tools|t|ci|bin|dev|util)\/)?(?:run[-_]?)?(?:all[-_]?)?(?:unit[-_]?)?(?:tests?|check|checks|specs?|run)(?:[-_]all)?(?:\.(?:sh|bash))?$/i;

/**
 * Starts a script with bash if its first line or name says so, and otherwise with sh, because the script may not be
 * executable.
 */
function startOf(project: ProjectView, path: string): string {
  const [head = ""] = (project.read(path) ?? "").split("\n");
  return /\bbash\b|\.bash$/.test(`${head} ${path}`) ? "bash " : "sh ";
}

/** True for a single command in the repository that starts tests: `sh check.sh`, `./run-tests`, `make check`. */
function startsTests(project: ProjectView, text: string): boolean {
  const words = text.trim().split(/\s+/);
  const [first = "", second = ""] = words;
  if (/[;&|<>`$]/.test(text) || words.length > 4) return false;
  if (first === "make") return words.slice(1).some((word) => testName.test(word));
  const path = /^(?:ba|da|z)?sh$/.test(first) ? second : first.startsWith("./") ? first : "";
  return path !== "" && project.files.includes(posix.normalize(path)) && !path.endsWith(".t");
}

function make(command: string, directory: string, foundBy: string, likelihood: number): TestCommand {
  return { framework: plainCommand, directory, command, foundBy, likelihood };
}

export default defineTestFramework({
  name: plainCommand,
  language: "shell",
  description:
    "any command: its exit code, and the test results that it prints or writes (TAP, JUnit XML, GoogleTest, Automake …)",
  coverage: "none",
  judging: [
    // A command can start the tools of any language. The languages share rules.
    ...new Set([
      ...cppJudging,
      ...csharpJudging,
      ...goJudging,
      ...javaJudging,
      ...javascriptJudging,
      ...luaJudging,
      ...phpJudging,
      ...pythonJudging,
      ...rubyJudging,
      ...rustJudging,
    ]),
    {
      files: "**/{GNUmakefile,makefile,Makefile,Makefile.am,Makefile.in}",
      loads: /^\t.*?([\w./-]+\.(?:sh|bash|pl|t|tap|awk))\b/m,
    },
  ],
  builds: true,
  detect,
  recognise: (command) => (command.trim() === "" ? undefined : make(command.trim(), "", "--test-command", 1)),
  invoke,
  parse,
});
