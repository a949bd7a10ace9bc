/**
 * The contract of languages and test frameworks. Their records contain data and pure functions; only `src/workspace/`
 * executes the commands that they return.
 */
import type { CoveredLines, TestKey, TestOutcome } from "../domain/test-outcome.ts";
import type { ReceivedReport } from "./report-frames.ts";

/** A read-only view of a repository's files that the agent may see. Paths are relative, with `/`. */
export interface ProjectView {
  readonly files: readonly string[];
  /** The text of a file, or undefined if it does not exist. */
  read(path: string): string | undefined;
  /** True for a path that exists in the working copy, even if git ignores it, such as `.venv/bin/python`. */
  exists(path: string): boolean;
}

export interface Language {
  readonly name: string;
  /** File extensions with the dot: `.py`. */
  readonly extensions: readonly string[];
  /**
   * The grammar's wasm file for an extension: package and file, such as `tree-sitter-python/tree-sitter-python.wasm`.
   */
  readonly grammar: (extension: string) => string;
  /** Globs for the names of test files and folders. */
  readonly testFiles: readonly string[];
  /** The mark that begins a comment up to the end of the line. */
  readonly lineComment: string;
  /** True if no step builds or type-checks the code before tests run, so that a mutant cannot fail to build. */
  readonly interpreted?: true;
  /** A statement without effect that still counts as code, such as `;`. */
  readonly idleStatement?: string;
  /** The language's spellings of JSON's `null`, `true` and `false`, if they differ. */
  readonly constants?: Readonly<Partial<Record<"null" | "true" | "false", string>>>;
  /** Programs that its projects need; `doctor` reports which are installed. */
  readonly toolchain?: readonly ToolchainProgram[];
  /**
   * Files that show that a repository needs certain programs, and the commands that print these programs' versions.
   */
  readonly probes?: readonly Probe[];
  /** Names of files that pin dependencies, with the program that writes each. */
  readonly lockFiles?: Readonly<Record<string, string>>;
  /** Patterns of programs that run a script named after them: `python[\d.]*`. */
  readonly interpreters?: readonly string[];
  /** Folders and files of the language's version managers and caches, below the home folder. */
  readonly homeFolders?: readonly string[];
  /** A cache to which the language's tools must be able to write. */
  readonly buildCache?: BuildCache;
  /** Environment variables that locate and configure the toolchain. List none that could hold a credential. */
  readonly variables?: readonly string[];
  /** Globs of scripts that a project's builds and tools run, and that its tests cannot load. */
  readonly buildScripts?: readonly string[];
  /** Words that show that a command or a question concerns tests, besides `test` and `check`. */
  readonly runners?: readonly string[];
  /** Patterns that recognise missing installations in the output of tests. */
  readonly missing?: readonly MissingSign[];
  /** The paths without extension that a file may load; absent if files do not load each other by name. */
  readonly importedStems?: (path: string, text: string) => readonly string[];
  /** True if the language searches folders that imports do not name: `a/b` may be `lib/a/b`. */
  readonly searchesFolders?: true;
  /** True if code in the file `path` can use definitions of the file `other` without an import, as in a Go package. */
  readonly sharesWithout?: (path: string, other: string) => boolean;
  /** True if definitions are executable statements, so that line tracers report them. */
  readonly definesByRunning?: true;
}

export interface BuildCache {
  /** The cache's folder, below the home folder; one of `homeFolders`. */
  readonly folder: string;
  /** The name of a file that shows that a project uses the cache. */
  readonly marker: string;
  /** Files, by path, that replace the user's files in a private copy of the cache. */
  readonly files: () => Readonly<Record<string, string>>;
}

export interface ToolchainProgram {
  readonly name: string;
  /** A command that prints its version. */
  readonly argv: readonly string[];
  /** The remedy if the program is missing, as one sentence. */
  readonly remedy: string;
}

export interface Probe {
  /** Names of files, or name endings that begin with a dot. A repository with any of them needs the programs. */
  readonly markers: readonly string[];
  /** Commands that each print a version. */
  readonly programs: readonly string[];
}

/** A missing program, package or file, such as a Python module. */
export interface MissingPart {
  /** `the Python module yaml is not installed`. */
  readonly what: string;
  /** The user's remedy: "run …". */
  readonly remedy: string;
}

export interface MissingSign {
  readonly pattern: RegExp;
  readonly explain: (
    found: readonly string[],
    project: ProjectView,
    command: TestCommand,
  ) => MissingPart | undefined;
}

/** A command that may run a repository's tests. Millwright has not tried it yet. */
export interface TestCommand {
  readonly framework: string;
  /** The folder to run it in, relative to the root; "" for the root. */
  readonly directory: string;
  /** The command as a person would type it, for `--test-command` and the report. */
  readonly command: string;
  /** The source of the command: `package.json scripts.test`. */
  readonly foundBy: string;
  /** Confidence from 0 to 1. Millwright tries higher values first. */
  readonly likelihood: number;
}

export type Selection =
  | { readonly kind: "all" }
  | { readonly kind: "files"; readonly files: readonly string[] }
  | { readonly kind: "tests"; readonly tests: readonly TestKey[] };

/**
 * One of several consecutive parts of the selected tests. Each process collects all of them, and computes the same
 * parts. A file's selected tests stay together.
 */
export interface Share {
  /** The part's number, from 0. */
  readonly index: number;
  readonly of: number;
  /** Known milliseconds of each file's tests, to make the parts equally long. */
  readonly times?: Readonly<Record<string, number>>;
}

export interface InvocationRequest {
  readonly command: TestCommand;
  readonly selection: Selection;
  /** True: collect the lines that each test executes. */
  readonly coverage: boolean;
  /** Milliseconds for one test. A longer test fails with a TimeoutError, if the framework supports it. */
  readonly testTimeoutMs: number;
  /** True: stop at the first failing test, which is enough to reject a candidate. */
  readonly stopAtFirstFailure: boolean;
  /** True: run the selected tests as `TestFramework.varies` describes, instead of as usual. */
  readonly varied?: boolean;
  /** The part of the selected tests that this process runs; absent for all of them. Only for frameworks with `divides`. */
  readonly share?: Share;
  /** Paths inside the sandbox. */
  readonly paths: {
    /** The repository's root. */
    readonly root: string;
    /** Our reporters and plug-ins, read-only: a copy of `src/languages/runtime/`. */
    readonly runtime: string;
    /** A writable folder outside the repository for this run's report. */
    readonly report: string;
    /** The folder of this run's channel, through which reporters send their lines; see `report-frames.ts`. */
    readonly channel: string;
  };
  readonly project: ProjectView;
}

/** A folder of `runtime` whose `build.sh` compiles one of our programs with the project's toolchain. */
export type OwnProgram = "go" | "java" | "python" | "rust";

/** The command to execute, with its variables and the programs to build first. */
export interface Invocation {
  readonly run: readonly string[] | string;
  readonly env: Readonly<Record<string, string>>;
  /**
   * Our programs that the command needs. A variable (`MILLWRIGHT_BUILT_RUST` …) names the folder with the compiled
   * program. Without this variable, the checkout compiles the program.
   */
  readonly programs?: readonly OwnProgram[];
}

export interface ReportRequest {
  /** The data received through the run's channel. */
  readonly received: ReceivedReport;
  /**
   * Name and content of each file in the report folder after the run. The code under test can write them too. So they
   * may explain a failure and add coverage, but never make a test pass.
   */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  /** The repository's root inside the sandbox, for making paths relative. */
  readonly root: string;
}

export interface TestReport {
  readonly outcomes: readonly TestOutcome[];
  /** By formatTestKey; only if coverage was requested. */
  readonly coverage: ReadonlyMap<string, CoveredLines>;
  /**
   * The reason why the report cannot be trusted, such as a contradicting exit code, no tests, or truncation; otherwise
   * undefined.
   */
  readonly invalid: string | undefined;
  /** True if `invalid` has only one reason: a process ended before its last test. */
  readonly isCutOff?: true;
  /**
   * The changes to the framework that the run's code made in memory, as far as the reporter checks. Millwright compares
   * them with those of a run without a patch.
   */
  readonly frameworkChanges?: readonly string[];
  /** The number of tests in this process's share, and of all selected tests that it collected. Absent without a share. */
  readonly share?: { readonly found: number; readonly of: number };
}

/** A configuration setting that lists the files from which the framework collects tests. */
export interface CollectionRule {
  /** The configuration file, as a glob. */
  readonly file: string;
  /** A regular expression whose first group holds the listed patterns, as quoted strings or words. */
  readonly setting: RegExp;
  /**
   * The form of the patterns: globs of file names, globs from the file's folder, or regular expressions over whole
   * paths.
   */
  readonly as: "names" | "paths" | "regexes";
}

export interface Collection {
  /** The default globs, which the configuration may override. */
  readonly usual: readonly string[];
  readonly configured: readonly CollectionRule[];
}

/**
 * A file that affects how a framework finds, runs or reports tests. Millwright judges candidates with the base's
 * version of this file: it removes an added file, reverts a changed file, and restores a deleted file.
 */
export interface JudgingFile {
  /** The paths of the files, as a glob. */
  readonly files: string;
  /** The parts that belong to the tests, if the file also has other parts. */
  readonly parts?: JudgingParts;
  /** Restricts the rule to files with a text that matches this pattern. */
  readonly holding?: RegExp;
  /**
   * Restricts the rule to files of a folder or module that the base lacks. Such files may replace a test library of
   * this name.
   */
  readonly isShadow?: boolean;
  /**
   * A regular expression whose first group names repository files that this file loads, quoted or as words. They belong
   * to the tests too.
   */
  readonly loads?: RegExp;
  /** True if modules that only these files import belong to the tests too. */
  readonly followsImports?: true;
  /**
   * A pattern of test code. Modules that only these files and loaded files (`loads`) import belong to the tests too, if
   * their text matches, or if they import such modules.
   */
  readonly followsTestCode?: RegExp;
  /**
   * A global regular expression whose first group names files that this file includes, as Make does: names, and
   * `$(wildcard conf/*.inc)`. They belong to the tests too, even if the base lacks them. If the group is called `folder`,
   * it names a folder, and all of the folder's files belong to the tests.
   */
  readonly includes?: RegExp;
}

/**
 * The judged parts of a file. `kept`: keys of the base's entries, at the last `*`. Millwright restores an entry that
 * differs there, and keeps new entries.
 */
export type JudgingParts =
  | { readonly format: "ini"; readonly sections: RegExp }
  | { readonly format: "toml" | "json"; readonly keys: readonly string[]; readonly kept?: readonly string[] }
  /** Restores everything except these children of the root, and properties whose names do not match. */
  | { readonly format: "maven"; readonly free: readonly string[]; readonly properties: RegExp }
  /**
   * Restores everything except blocks whose head matches `free`. These blocks may hold only the base's lines and entries
   * that match `entry`.
   */
  | { readonly format: "gradle"; readonly free: RegExp; readonly entry: RegExp }
  /** Restores the file if it differs outside `free` elements, or lacks one of the base's. */
  | { readonly format: "msbuild"; readonly free: RegExp }
  /** Restores the file if it treats the base's tests differently. A candidate may add tests. */
  | { readonly format: "cmake" }
  /**
   * Compares the lines that match `lines`. Restores the file if they differ from the base's.
   */
  | { readonly format: "lines"; readonly lines: RegExp };

export interface TestFramework {
  readonly name: string;
  /** One sentence for users who run the command by hand: problems that our runs tolerate but a shell does not. */
  readonly inShell?: string;
  readonly language: string;
  readonly description: string;
  /** Candidate commands for this repository, most likely first; empty if the framework is not used. */
  detect(project: ProjectView): readonly TestCommand[];
  /** Parses a user's command (`--test-command`); undefined if the command is for another framework. */
  recognise(command: string, project: ProjectView): TestCommand | undefined;
  invoke(request: InvocationRequest): Invocation;
  parse(request: ReportRequest): TestReport;
  /**
   * The way to collect coverage. "counters": the runtime cannot trace, so Millwright must instrument the workspace's
   * code (src/instrument/) before a run with `coverage`. "tracer": needs no preparation. "none": not supported.
   */
  readonly coverage: "tracer" | "counters" | "none";
  /** The patterns by which the framework finds test files. */
  readonly collects?: Collection;
  /** Finds the test files that a program runs. Absent if every collected file runs on its own. */
  readonly testFiles?: (request: TestFilesRequest) => Promise<TestFiles>;
  /** The repository's files that affect how the framework finds, runs and reports tests. */
  readonly judging: readonly JudgingFile[];
  /** True if a run begins with a build, which may report nothing for minutes. */
  readonly builds?: boolean;
  /** True if one test command may start the runner several times. */
  readonly joins?: true;
  /** True if tests of different files never share a process, and so no global state. */
  readonly isolates?: true;
  /** True if `share` is supported. Absent also for frameworks that use several cores themselves. */
  readonly divides?: true;
  /** The difference of a run with `varied`, for people (`in reversed order`); absent if there is no difference. */
  readonly varies?: string;
  /**
   * Adds two tests next to a given one, to check a run's reports of a failing and a passing test. Absent if not
   * supported.
   */
  readonly canary?: PlaceCanary;
  /** Adds tests that report the values of calls; absent if not supported. */
  readonly examples?: PlaceExamples;
  /** The reason why there is no `canary`, for people, in words that follow "for". */
  readonly withoutCanary?: string;
  /**
   * True if a test's result is the exit code of a process that runs the code under test. This code may end the process
   * itself.
   */
  readonly exitCodeDecides?: true;
  /** Tests many candidates in one start; absent if each needs its own start. */
  readonly batch?: Batch;
  /** Compares candidates' behaviour beyond the tests; absent if not supported. */
  readonly comparison?: Batch<Comparison>;
  /**
   * Compares one patch with the base on inputs written in the tests, for a reader. These inputs are too few to choose
   * among many patches.
   */
  readonly behaviour?: Batch<Comparison>;
}

export interface TestFilesRequest {
  readonly files: readonly string[];
  readonly read: (path: string) => Promise<string | undefined>;
}

export interface TestFiles {
  /** Files that look like tests, but that no test program contains. */
  readonly left: ReadonlySet<string>;
  /** Tells an author how to make such a file's tests run. Undefined if they already run, or if the way is unknown. */
  readonly place: (path: string, taken?: ReadonlySet<string>) => string | undefined;
}

/** Places a canary: a test that must fail, and a test that must pass. Undefined if the target's form is unknown. */
export type PlaceCanary = (request: CanaryRequest) => Promise<Canary | undefined>;

export interface CanaryRequest {
  /** The test next to which the canaries run: in its folder and, if the framework allows, in its process. */
  readonly beside: TestKey;
  /** The tree to which the canaries are added. */
  readonly files: readonly string[];
  readonly read: (path: string) => Promise<string | undefined>;
  /** Random lower-case letters, different in each run. Only they distinguish the canaries from other tests. */
  readonly words: { readonly file: string; readonly fails: string; readonly passes: string };
}

/** Places tests that report the values of calls; undefined if the target's form is unknown. */
export type PlaceExamples = (request: ExamplesRequest) => Promise<PlacedExamples | undefined>;

export interface ExamplesRequest extends Pick<CanaryRequest, "beside" | "files" | "read"> {
  /** Calls in the language's own syntax; `file` defines the function, `name` is the function's own name. */
  readonly calls: readonly { readonly file: string; readonly name: string; readonly text: string }[];
  /**
   * Random lower-case letters. `file`: for the names of the file and the tests; `mark`: for the mark before a value.
   */
  readonly words: { readonly file: string; readonly mark: string };
}

/**
 * Files with one test for each call. Each test always fails; its message holds the call's value between `MARK:` and
 * `:`, as a literal in UTF-8 and hexadecimal digits. If a call raises an error, or its value is not plain data, the
 * test fails with another message.
 */
export interface PlacedExamples {
  readonly files: readonly { readonly path: string; readonly content: string }[];
  readonly tests: readonly TestKey[];
}

export interface Canary {
  /** The added tests' file: new, or a file of the tree with new text. */
  readonly file: { readonly path: string; readonly content: string };
  /** The test that must fail and the one that must pass. */
  readonly fails: TestKey;
  readonly passes: TestKey;
}

/**
 * Validates many candidates in one start of a test program. The start (and the build) takes nearly all of a candidate's
 * time. "schema": the checkout holds a program with all candidates, built by `src/instrument/compose-schema.ts` (mutant
 * schemata: Untch, Offutt, Harrold, ISSTA 1993). The run tests the program once per candidate, whose number is in the
 * variable `candidateVariable`. "swap": the checkout holds the base. The runtime replaces the functions that each
 * candidate changes.
 */
export interface Batch<Report = BatchReport> {
  readonly kind: "schema" | "swap";
  /** The number of candidates per start; larger if the start or the build takes longer. */
  readonly size: number;
  /**
   * True if a checkout keeps its build, and compiles only changed parts. Another checkout would need a full build. So
   * one checkout tests several candidates at a time.
   */
  readonly keepsBuild?: boolean;
  invoke(request: BatchRequest): Invocation;
  parse(request: BatchReportRequest): Report;
}

/** The environment variable (in Java, the system property) with the number of the selected candidate. */
export const candidateVariable = "MILLWRIGHT_CANDIDATE";

export interface BatchCandidate {
  /** Positive; 0 stands for the unchanged program. */
  readonly id: number;
  /** "swap": the folder inside the sandbox with the candidate's changed files, at their repository paths. */
  readonly folder?: string;
}

export interface BatchRequest
  extends Pick<InvocationRequest, "command" | "testTimeoutMs" | "paths" | "project"> {
  readonly tests: readonly TestKey[];
  /** The tests among `tests` that are known to fail on the unchanged program. */
  readonly failing?: readonly TestKey[];
  /** True: the tests of a candidate after its first failure are `not-run`. */
  readonly stopAtFirstFailure: boolean;
  readonly candidates: readonly BatchCandidate[];
  /** The maximum number of candidates that run concurrently. */
  readonly parallel: number;
}

export interface BatchReportRequest extends ReportRequest, Pick<BatchRequest, "tests" | "failing"> {
  readonly candidates: readonly BatchCandidate[];
}

/** A place at which the build of a program with many candidates failed. */
export interface BuildComplaint {
  /** The file with the error, relative to the repository. */
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export interface BatchReport {
  /**
   * Results by candidate. A missing candidate was not reached or cannot be judged this way, and needs its own start.
   */
  readonly outcomes: ReadonlyMap<number, readonly TestOutcome[]>;
  /** Compiler errors. The caller removes the candidates at these places and tries again. */
  readonly complaints: readonly BuildComplaint[];
  /** The reason why no result can be used, for people. */
  readonly invalid: string | undefined;
}

/**
 * Serves as the grammar of a language without a dialect. Always throws Error, because Millwright parses no files of
 * such languages.
 */
export function withoutGrammar(extension: string): never {
  throw new Error(`${extension} files have no dialect: there is no grammar for them`);
}

/**
 * The behaviour of several candidates on the same inputs. The inputs are the arguments that tests pass to the changed
 * functions, and variations of these arguments.
 */
export interface Comparison {
  /**
   * Origin of each input: a test that passes on the base, one that fails there, or a variation of these; `near`: a
   * changed passing test.
   */
  readonly origins: readonly ("passing" | "failing" | "derived" | "near")[];
  /**
   * The result of each candidate (0 is the base) on each input; equal texts mean equal behaviour. A text begins with
   * `v` for a value or `e` for an exception, or is `hang` or `crash`. A candidate that cannot be compared is absent.
   */
  readonly behaviours: ReadonlyMap<number, readonly string[]>;
  /**
   * True for each input without new information: its test gave every candidate the same result as for an earlier input.
   * Absent if there are no such inputs.
   */
  readonly isRepeat?: readonly boolean[];
  /** The reason why there is nothing to compare, for people. */
  readonly invalid: string | undefined;
}

export function defineLanguage<const T extends Language>(language: T): T {
  return language;
}

export function defineTestFramework<const T extends TestFramework>(framework: T): T {
  return framework;
}
