import { createHash } from "node:crypto";
import { posix } from "node:path";
import {
  defineTestFramework,
  type Invocation,
  type InvocationRequest,
  type ProjectView,
  type TestCommand,
} from "../contract.ts";
import { listWrittenCommands } from "../discovery/written-commands.ts";
import { parseShell } from "../javascript/javascript-shell.ts";
import { encodeSelection } from "../selection-parts.ts";
import { cppCanary } from "./cpp-canary.ts";
import { cppJudging } from "./cpp-judging.ts";
import {
  type CtestCommand,
  formatCtestCommand,
  isConfiguring,
  readConfiguring,
  readCtestCommand,
} from "./ctest-command.ts";
import { parseCtestReport } from "./ctest-report.ts";

/**
 * Other projects inside this one: by the folder's name, a version in it (`googletest-1.16.0`), or a test library's own
 * name.
 */
const foreign =
  /(^|\/)(third_party|3rd_?party|vendor|external|extern|deps|submodules?|node_modules|examples?|cmake|[\w.-]*-v?\d+\.\d+[\w.]*|google(?:test|mock)|gtest|gmock|catch2?|doctest)(\/|$)/i;
const declaring =
  /\b(?:enable_testing|add_test|(?:catch|gtest|doctest)_discover_tests|gtest_add_tests)\s*\(|\binclude\s*\(\s*CTest\s*\)/i;

/** A program built from tests, judged by its name or that of its first sources. */
const testProgram = /\badd_executable\s*\(\s*(?:[^()\s]*(?:test|spec)|[^()]{0,200}\btests?\b)/i;

function detect(project: ProjectView): TestCommand[] {
  const declared = findRoot(project, declaring);
  // If no test is declared, our runtime treats each program that looks like one as a test.
  const directory = declared ?? findRoot(project, testProgram);
  if (directory === undefined) return [];
  const manifest = posix.join(directory, "CMakeLists.txt");
  const switches = findSwitches(project, directory);
  const plain = makeCommand(
    { directory, options: switches, selecting: [] },
    manifest,
    (switches.length > 0 ? 0.82 : 0.8) - (declared === undefined ? 0.2 : 0),
  );
  const written = listWrittenCommands(project).flatMap((one) => {
    const [command] = parseShell(one.text) ?? [];
    if (command === undefined || !isConfiguring(command)) return [];
    const read = readConfiguring(
      command.words.slice(1).map((word) => word.text),
      one.directory,
    );
    if (read?.directory !== directory) return [];
    const options = [
      ...switches.filter((each) => !read.options.some((other) => nameOf(other) === nameOf(each))),
      ...read.options.filter(isKept),
    ];
    return [makeCommand({ ...read, options }, one.foundBy, one.trust - 0.08)];
  });
  const bare =
    switches.length > 0 ? [makeCommand({ directory, options: [], selecting: [] }, manifest, 0.5)] : [];
  const seen = new Set<string>();
  return [plain, ...written.slice(0, 3), ...bare]
    .sort((a, b) => b.likelihood - a.likelihood)
    .filter(({ command }) => !seen.has(command) && seen.add(command));
}

/**
 * The folder of the outermost CMakeLists.txt at or above `sign`, or of a nested one that is a separate project.
 * Undefined if there is none.
 */
function findRoot(project: ProjectView, sign: RegExp): string | undefined {
  const files = project.files.filter((file) => /(?:^|\/)CMakeLists\.txt$|\.cmake$/.test(file));
  const lists = files.filter((file) => file.endsWith("CMakeLists.txt") && !foreign.test(file));
  const folders = lists
    .map((file) => (file.includes("/") ? posix.dirname(file) : ""))
    .sort((a, b) => a.length - b.length);
  const isProject = (folder: string): boolean =>
    /\bproject\s*\(/i.test(project.read(posix.join(folder, "CMakeLists.txt")) ?? "");
  return folders.slice(0, 20).find((folder, index) => {
    if (index > 0 && !isProject(folder)) return false;
    const below = files.filter((file) => folder === "" || file.startsWith(`${folder}/`)).slice(0, 200);
    return below.some((file) => sign.test(project.read(file) ?? ""));
  });
}

/** Disabled options that, by their name, would build the tests. */
function findSwitches(project: ProjectView, directory: string): string[] {
  const text = project.files
    .filter(
      (file) => /(?:^|\/)CMakeLists\.txt$/.test(file) && !foreign.test(file) && file.startsWith(directory),
    )
    .sort((a, b) => a.length - b.length)
    .slice(0, 20)
    .map((file) => project.read(file) ?? "")
    .join("\n");
  const options = text.matchAll(
    /^[ \t]*(?:cmake_dependent_)?option\s*\(\s*(\w*TEST\w*)\s+(?:"[^"]*"|\w+)(?:\s*(\w+))?\s*(?:"[^"]*"(?:\s*\w+)?\s*)?\)/gim,
  );
  return [...options].flatMap(([, name = "", value = ""]) => {
    const isOther =
      /FUZZ|BENCH|PERF|INSTALL|COVERAGE|HEADER|SANIT|VALGRIND|CUDA|MPI|PYTHON|SYSTEM|EXTERNAL|DOWNLOAD|USE_|WINDOWS|FAIL|SLOW|GCOV|SHARED/i.test(
        name,
      );
    const isOn = /^(?:ON|TRUE|YES|1)$/i.test(value);
    return isOther || isOn || (value !== "" && !/^(?:OFF|FALSE|NO|0|\w*(?:TOP|MAIN|MASTER)\w*)$/i.test(value))
      ? []
      : [`-D${name}=ON`];
  });
}

/**
 * True for a CI job's definition that chooses the build's parts. False for compilers, platforms, install paths and
 * checks.
 */
function isKept(option: string): boolean {
  return (
    /^-D\w+(?::\w+)?=/.test(option) &&
    !/[$`{<]|^-DCMAKE_(?!BUILD_TYPE|CXX_STANDARD)|SANITI|COVERAGE|VALGRIND|WERROR|FUZZ|BENCH/i.test(option)
  );
}

function nameOf(option: string): string {
  return /^-D(\w+)/.exec(option)?.[1] ?? option;
}

function makeCommand(command: CtestCommand, foundBy: string, likelihood: number): TestCommand {
  return {
    framework: "ctest",
    directory: command.directory,
    command: formatCtestCommand(command),
    foundBy,
    likelihood,
  };
}

function invoke(request: InvocationRequest): Invocation {
  const { paths, command } = request;
  const read = readCtestCommand(command.command) ?? { directory: "", options: [], selecting: [] };
  const prefix = command.directory === "" ? "" : `${command.directory}/`;
  const id = createHash("sha256")
    .update(`${prefix}\n${read.options.join("\n")}`)
    .digest("hex")
    .slice(0, 12);
  const options = [
    ...read.selecting,
    "--timeout",
    String(Math.max(1, Math.ceil(request.testTimeoutMs / 1000))),
    ...(request.stopAtFirstFailure ? ["--stop-on-failure"] : []),
  ];
  return {
    run: ["/bin/sh", `${paths.runtime}/cmake/millwright-ctest.sh`, ...read.options],
    env: {
      MILLWRIGHT_REPORT: paths.report,
      // Next to the report and kept for the next run, so that a candidate reuses its predecessor's build.
      MILLWRIGHT_BUILD: `${posix.dirname(paths.report)}/ctest-${id}`,
      MILLWRIGHT_PREFIX: prefix,
      MILLWRIGHT_CTEST_OPTIONS: options.join("\n"),
      ...encodeSelection(request.selection),
    },
  };
}

export default defineTestFramework({
  name: "ctest",
  language: "cpp",
  description: "CTest of CMake 3.21 and later, built outside the source folder",
  coverage: "none",
  judging: cppJudging,
  canary: cppCanary,
  exitCodeDecides: true,
  builds: true,
  isolates: true,
  detect,
  recognise(command) {
    const read = readCtestCommand(command);
    return read && makeCommand(read, "--test-command", 1);
  },
  invoke,
  parse: parseCtestReport,
});
