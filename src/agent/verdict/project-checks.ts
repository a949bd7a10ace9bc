/** The compilers and type checkers that judge a patch without tests: one record per toolchain. Pure. */
import { posix } from "node:path";
import { isCutOutput } from "../../base/captured-output.ts";
import { countOf, nameFirst } from "../../base/count.ts";
import { quoteWord } from "../../base/shell-word.ts";
import { stripComments } from "../../graph/manifests.ts";

export interface ProjectCheck {
  readonly tool: string;
  /** The folder of the project's configuration, relative to the root; "." for the root. */
  readonly directory: string;
  /** The shell command, relative to `directory`. */
  readonly command: string;
  /** The configuration's file name. Absent if the tool needs none. */
  readonly configuration?: string | undefined;
  /** Extracts an error's text without its line: group 1 is the file, group 2 the message. */
  readonly error: RegExp;
  /** Errors of a dependency that is not installed. They never count. */
  readonly lacking: RegExp;
  /** Errors ("file: message") after which the tool stops, so that it may hide others. */
  readonly stopping: RegExp;
  /** The files that the patch changes and the tool judges, relative to `directory`. */
  readonly changed: ReadonlySet<string>;
  /** True if the patch changes a file that declares dependencies. */
  readonly changesDependencies: boolean;
}

interface Toolchain extends Pick<ProjectCheck, "tool" | "error" | "lacking" | "stopping"> {
  /** The changed files that the tool judges. */
  readonly judges: RegExp;
  /** The project's configuration, next to a changed file or in a folder above it. Absent: the root. */
  readonly configuration?: string;
  /** Files that declare dependencies. */
  readonly dependencies: RegExp;
  /** `up`: the folders above the configuration's folder. `files`: the changed files, relative to this folder. */
  readonly command: (up: string, files: readonly string[]) => string;
}

const toolchains: readonly Toolchain[] = [
  {
    tool: "tsc",
    judges: /\.[cm]?tsx?$|(?:^|\/)tsconfig[\w.-]*\.json$/,
    configuration: "tsconfig.json",
    dependencies: /(?:^|\/)package\.json$/,
    // Only the project's own compiler counts, because versions disagree.
    command: (up) =>
      `for folder in . ${up}; do tsc="$folder/node_modules/.bin/tsc"; [ -x "$tsc" ] && exec "$tsc" --noEmit --pretty false -p .; done; echo "the project has no installed tsc" >&2; exit 127`,
    error: /^(.+?)\(\d+,\d+\): error (TS\d+: .*)$|^()error (TS\d+: .*)$/,
    // A relative path to a script is no dependency. The last codes name types of packages, such as Node's or React's.
    lacking:
      /TS(?:2307|2792|7016): [^']*'(?!\.{1,2}(?:\/[\w-]+)*(?:\.[cm]?[jt]sx?)?')|TS(?:2580|2582|2591|2592|2593|2688|2867|2868|2875|7026): /,
    // Syntax errors, and errors without a source file, such as those of tsconfig.json.
    stopping: /TS(?:1\d{3}|8\d{3}|17\d{3}): |^: |^[^:]*tsconfig[\w.-]*\.json: /,
  },
  {
    tool: "cargo check",
    judges: /\.rs$|(?:^|\/)Cargo\.toml$/,
    configuration: "Cargo.toml",
    dependencies: /(?:^|\/)Cargo\.(?:toml|lock)$/,
    command: () => "cargo check --offline --tests --message-format short",
    error: /^(.+?):\d+:\d+: (error.*)$/,
    lacking:
      /can't find crate|(?:unresolved import|undeclared crate or module|unlinked crate) `(?!(?:crate|self|super)\b)|no matching package|failed to (?:get|download|load source)/,
    stopping: /^/,
  },
  {
    tool: "go vet",
    judges: /\.go$|(?:^|\/)go\.mod$/,
    configuration: "go.mod",
    dependencies: /(?:^|\/)go\.(?:mod|sum)$/,
    // This only analyzer judges assembly files: each error of a Go file is then the compiler's.
    command: () => "GOPROXY=off go vet -asmdecl ./...",
    error: /^(?:vet: )?(.+?\.go):\d+(?::\d+)?: (.*)$/,
    lacking:
      /no required module|cannot find (?:module|package)|missing go\.sum|module lookup disabled by|is not in (?:GOROOT|std)|could not import|cannot query module|inconsistent vendoring|updates to go\.(?:mod|sum)/,
    stopping: /^/,
  },
  {
    tool: "python compileall",
    judges: /\.py$/,
    dependencies: /(?!)/,
    command: (_, files) =>
      `python=$(command -v python3 || command -v python) || { echo "Python is not installed" >&2; exit 127; }; "$python" --version >/dev/null || exit 127; set --; for file in ${files.map(quoteWord).join(" ")}; do [ -f "$file" ] && set -- "$@" "$file"; done; [ $# -eq 0 ] || "$python" -m compileall -q -f "$@"`,
    error: /^\*\*\* Error compiling '(.*?)'()\.\.\.$/,
    lacking: /(?!)/,
    stopping: /(?!)/,
  },
];

/** Maximum number of checks that run, each in its folder. */
export const mostChecks = 4;
const mostNamed = 5;

/** Chooses the checks for a patch. `paths`: the base's files. */
export function listChecks(changed: readonly string[], paths: ReadonlySet<string>): ProjectCheck[] {
  return toolchains.flatMap((chain) => {
    const { tool, error, lacking, stopping, configuration } = chain;
    const judged = changed.filter((path) => chain.judges.test(path));
    const folders = judged.map((path) =>
      configuration === undefined ? "." : nearest(path, configuration, paths),
    );
    return [...new Set(folders)].flatMap((directory) => {
      if (directory === undefined) return [];
      const files = judged.map((path) => posix.relative(directory, path));
      const kind = { tool, configuration, error, lacking, stopping };
      const command = chain.command(foldersAbove(directory), files);
      const changesDependencies = changed.some((path) => chain.dependencies.test(path));
      return [{ ...kind, directory, command, changed: new Set(files), changesDependencies }];
    });
  });
}

function nearest(path: string, name: string, paths: ReadonlySet<string>): string | undefined {
  for (let folder = posix.dirname(path); ; folder = posix.dirname(folder)) {
    if (paths.has(posix.join(folder, name))) return folder;
    if (folder === ".") return undefined;
  }
}

function foldersAbove(directory: string): string {
  if (directory === ".") return "";
  return directory
    .split("/")
    .map((_, at) => Array.from({ length: at + 1 }, () => "..").join("/"))
    .join(" ");
}

export interface CheckRun {
  readonly end: string;
  readonly exitCode: number | null;
  readonly output: string;
}

export interface CheckResult {
  /** The reason why the check decides nothing. */
  readonly unavailable?: string | undefined;
  readonly errors: readonly string[];
}

/**
 * Returns the reason why a check with this configuration file judges nothing; undefined if it judges the patch. `text`:
 * the file with the patch.
 */
export function whyEmpty(
  { tool, configuration }: ProjectCheck,
  text: string | undefined,
): string | undefined {
  if (configuration === undefined) return undefined;
  if (text === undefined) return `the patch removes ${configuration}`;
  if (tool !== "tsc") return undefined;
  const bare = stripComments(text);
  const names = /"references"\s*:/.test(bare) && !/"include"\s*:|"files"\s*:\s*\[\s*"/.test(bare);
  return names ? `${configuration} names only other projects` : undefined;
}

/** Compares the runs of a check without and with the patch. Only errors that the patch surely causes count. */
export function compareRuns(check: ProjectCheck, base: CheckRun, patched: CheckRun): CheckResult {
  const [before, after] = [errorsOf(check.error, base.output), errorsOf(check.error, patched.output)];
  const unavailable = (reason: string): CheckResult => ({ unavailable: reason, errors: [] });
  if (!hasRun(base, before)) return unavailable(reasonOf(base));
  if (patched.end !== "exited") return unavailable(reasonOf(patched));
  if (isCutOutput(base.output) || isCutOutput(patched.output)) return unavailable("its output is too long");
  if (patched.exitCode === 0) return { errors: [] };
  if (before.some((each) => check.stopping.test(textOf(each))))
    return unavailable("an error without the patch may hide others");
  if (!hasRun(patched, after)) {
    return check.changesDependencies || check.lacking.test(patched.output) || isKilled(patched)
      ? unavailable(reasonOf(patched))
      : { errors: [lastLine(patched)] };
  }
  const fresh = takeKnown(after, before);
  const lacking = after.filter(({ message }) => check.lacking.test(message));
  // A missing dependency causes further errors in its file.
  const doubtful = new Set(lacking.map(({ file }) => file));
  const errors = fresh.filter(
    ({ file }) => !doubtful.has(file) && (before.length === 0 || check.changed.has(file)),
  );
  if (errors.length > 0) return { errors: errors.map(nameOf) };
  const [first] = fresh;
  if (first === undefined) return { errors: [] };
  return unavailable(`these errors may have a cause other than the patch: ${nameOf(first).slice(0, 200)}`);
}

/** Tells the results of the first checks. The others did not run. */
export function describeResults(
  checks: readonly Pick<ProjectCheck, "tool" | "directory">[],
  results: readonly CheckResult[],
): { readonly holds: boolean; readonly evidence: string } {
  const told = results.map(({ unavailable, errors }, at) => {
    const { tool = "", directory = "." } = checks[at] ?? {};
    const name = directory === "." ? tool : `${tool} in ${directory}`;
    if (unavailable !== undefined) return `${name} cannot judge the patch (${unavailable})`;
    if (errors.length === 0) return `${name} reports no new error`;
    return `${name} reports ${countOf(errors.length, "new error")}: ${nameFirst(errors, mostNamed)}`;
  });
  const left = checks.length - results.length;
  if (left > 0)
    told.push(`${countOf(left, "further check")} did not run, because the patch changes many projects`);
  return { holds: results.every(({ errors }) => errors.length === 0), evidence: told.join("; ") };
}

interface ToolError {
  /** Relative to the check's folder; "" if the tool names none. */
  readonly file: string;
  readonly message: string;
}

/** Removes the known errors, each once. A known error may stand in another file, because files and code move. */
function takeKnown(after: readonly ToolError[], before: readonly ToolError[]): ToolError[] {
  const known = [...before];
  const take = (isSame: (each: ToolError) => boolean): boolean => {
    const at = known.findIndex(isSame);
    if (at >= 0) known.splice(at, 1);
    return at >= 0;
  };
  return after
    .filter(({ file, message }) => !take((each) => each.file === file && each.message === message))
    .filter(({ message }) => !take((each) => each.message === message));
}

function hasRun({ end, exitCode }: CheckRun, errors: readonly ToolError[]): boolean {
  return end === "exited" && (exitCode === 0 || errors.length > 0);
}

/** True for a shell's exit codes of programs that a signal ended or that cannot run. */
function isKilled({ exitCode }: CheckRun): boolean {
  return exitCode === null || exitCode > 125;
}

function errorsOf(error: RegExp, output: string): ToolError[] {
  return output.split("\n").flatMap((line) => {
    const found = error.exec(line.trimEnd());
    if (found === null) return [];
    const [file = "", message = ""] = found.slice(1).filter((each) => each !== undefined);
    return [
      { file: file === "" ? "" : posix.normalize(file), message: message.replaceAll(/:\d+(?::\d+)?/g, "") },
    ];
  });
}

const textOf = ({ file, message }: ToolError): string => `${file}: ${message}`;

function nameOf({ file, message }: ToolError): string {
  return [file, message].filter((each) => each !== "").join(": ");
}

function reasonOf(run: CheckRun): string {
  return run.end === "exited" ? lastLine(run) : `its run ended early: ${run.end}`;
}

function lastLine({ output, exitCode }: CheckRun): string {
  const line = output.trim().split("\n").at(-1) ?? "";
  return line === "" ? `exit code ${exitCode}` : line.slice(0, 200);
}
