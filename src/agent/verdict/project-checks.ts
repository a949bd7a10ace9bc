/** The compilers and type checkers that judge a patch without tests: one record per toolchain. Pure. */
import { posix } from "node:path";

export interface ProjectCheck {
  readonly tool: string;
  /** The folder of the project's configuration, relative to the root; "." for the root. */
  readonly directory: string;
  /** The shell command, relative to `directory`. */
  readonly command: string;
  /** Extracts an error's text without its line: group 1 is the file, group 2 the message. */
  readonly error: RegExp;
  /** Errors of a dependency that is not installed. They do not count if the patch changes the dependencies. */
  readonly lacking: RegExp;
  /** True if the patch changes a file that declares dependencies. */
  readonly changesDependencies: boolean;
}

interface Toolchain extends Pick<ProjectCheck, "tool" | "error" | "lacking"> {
  /** The changed files that the tool judges. */
  readonly judges: RegExp;
  /** The project's configuration, next to a changed file or in a folder above it. Absent: the root. */
  readonly configuration?: string;
  /** Files that declare dependencies. */
  readonly dependencies: RegExp;
  /** `up`: the folders above the configuration's folder. `files`: the changed files, relative to this folder. */
  readonly command: (up: string, files: readonly string[]) => string;
}

const quote = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

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
    lacking: /TS(?:2307|7016|2688|2792)/,
  },
  {
    tool: "cargo check",
    judges: /\.rs$|(?:^|\/)Cargo\.toml$/,
    configuration: "Cargo.toml",
    dependencies: /(?:^|\/)Cargo\.(?:toml|lock)$/,
    command: () => "cargo check --offline --tests --message-format short",
    error: /^(.+?):\d+:\d+: (error.*)$/,
    lacking: /unresolved import|can't find crate|E0432|E0433|E0463/,
  },
  {
    tool: "go vet",
    judges: /\.go$|(?:^|\/)go\.mod$/,
    configuration: "go.mod",
    dependencies: /(?:^|\/)go\.(?:mod|sum)$/,
    command: () => "GOPROXY=off go vet ./...",
    error: /^(?:vet: )?(.+?\.go):\d+(?::\d+)?: (.*)$/,
    lacking: /no required module|cannot find module|missing go\.sum/,
  },
  {
    tool: "python compileall",
    judges: /\.py$/,
    dependencies: /(?!)/,
    command: (_, files) =>
      `python=$(command -v python3 || command -v python) || { echo "Python is not installed" >&2; exit 127; }; "$python" --version >/dev/null || exit 127; set --; for file in ${files.map(quote).join(" ")}; do [ -f "$file" ] && set -- "$@" "$file"; done; [ $# -eq 0 ] || "$python" -m compileall -q -f "$@"`,
    error: /^\*\*\* Error compiling '(.*?)'()\.\.\.$/,
    lacking: /(?!)/,
  },
];

/** Chooses the checks for a patch. `paths`: the base's files. */
export function listChecks(changed: readonly string[], paths: ReadonlySet<string>): ProjectCheck[] {
  return toolchains.flatMap((chain) => {
    const { tool, error, lacking, configuration } = chain;
    const judged = changed.filter((path) => chain.judges.test(path));
    const folders = judged.map((path) =>
      configuration === undefined ? "." : nearest(path, configuration, paths),
    );
    return [...new Set(folders)].flatMap((directory) => {
      if (directory === undefined) return [];
      const files = judged.map((path) => posix.relative(directory, path));
      const command = chain.command(foldersAbove(directory), files);
      const changesDependencies = changed.some((path) => chain.dependencies.test(path));
      return [{ tool, directory, command, error, lacking, changesDependencies }];
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

/** Compares the runs of a check without and with the patch. Only errors that the base lacks count. */
export function compareRuns(
  { error, lacking, changesDependencies }: ProjectCheck,
  base: CheckRun,
  patched: CheckRun,
): CheckResult {
  const [before, after] = [errorsOf(error, base.output), errorsOf(error, patched.output)];
  if (!hasRun(base, before)) return { unavailable: reasonOf(base), errors: [] };
  if (patched.end !== "exited") return { unavailable: reasonOf(patched), errors: [] };
  const known = [...before];
  const fresh = after.filter((each) => {
    const at = known.indexOf(each);
    if (at >= 0) known.splice(at, 1);
    return at < 0 && !(changesDependencies && lacking.test(each));
  });
  if (hasRun(patched, after)) return { errors: fresh };
  return changesDependencies
    ? { unavailable: reasonOf(patched), errors: [] }
    : { errors: [lastLine(patched)] };
}

function hasRun({ end, exitCode }: CheckRun, errors: readonly string[]): boolean {
  return end === "exited" && (exitCode === 0 || errors.length > 0);
}

function errorsOf(error: RegExp, output: string): string[] {
  return output.split("\n").flatMap((line) => {
    const found = error.exec(line.trimEnd());
    if (found === null) return [];
    const [file = "", message = ""] = found.slice(1).filter((each) => each !== undefined);
    const place = message.replaceAll(/:\d+(?::\d+)?/g, "");
    return [[file, place].filter((each) => each !== "").join(": ")];
  });
}

function reasonOf(run: CheckRun): string {
  return run.end === "exited" ? lastLine(run) : `it was ${run.end}`;
}

function lastLine({ output, exitCode }: CheckRun): string {
  const line = output.trim().split("\n").at(-1) ?? "";
  return line === "" ? `exit code ${exitCode}` : line.slice(0, 200);
}
