/** What a language and a test framework are: records of data and pure functions. Running things is `src/workspace/`. */
import type { CoveredLines, TestKey, TestOutcome } from "../domain/test-outcome.ts";
import type { ReceivedReport } from "./report-frames.ts";

/** A read-only look at a repository's files, as the agent may see them. Paths are relative, with `/`. */
export interface ProjectView {
  readonly files: readonly string[];
  /** The text of a file, or undefined where there is none. */
  read(path: string): string | undefined;
  /** True for a path that exists in the working copy though git ignores it, e.g. `.venv/bin/python`. */
  exists(path: string): boolean;
}

export interface Language {
  readonly name: string;
  /** With the dot: `.py`. */
  readonly extensions: readonly string[];
  /** The grammar's wasm file for an extension: package and file, e.g. `tree-sitter-python/tree-sitter-python.wasm`. */
  readonly grammar: (extension: string) => string;
  /** Names of files and folders that hold tests, as globs. */
  readonly testFiles: readonly string[];
  /** How it writes the values that JSON has as `null`, `true` and `false`, where it writes them in another way. */
  readonly constants?: Readonly<Partial<Record<"null" | "true" | "false", string>>>;
  /** Programs that its projects need: `doctor` says which are there. */
  readonly toolchain?: readonly ToolchainProgram[];
  /** What asks for programs in a repository, and how these say their version. */
  readonly probes?: readonly Probe[];
  /** Words by which commands and questions about its tests are known, beside `test` and `check`. */
  readonly runners?: readonly string[];
  /** What the output of its tests says where something is not installed. */
  readonly missing?: readonly MissingSign[];
  /** The paths without ending that a file of it may load; absent where files do not load each other by name. */
  readonly importedStems?: (path: string, text: string) => readonly string[];
  /** Files are loaded from folders that no file names: `a/b` may be `lib/a/b`. */
  readonly searchesFolders?: true;
  /** A definition is executed where it stands, which a tracer of lines reports. */
  readonly definesByRunning?: true;
}

export interface ToolchainProgram {
  readonly name: string;
  /** Says its version. */
  readonly argv: readonly string[];
  /** What to do without it, as a sentence. */
  readonly remedy: string;
}

export interface Probe {
  /** Names of files, or ends of names that begin with a dot: one of them asks for the programs. */
  readonly markers: readonly string[];
  /** Commands; each prints a version. */
  readonly programs: readonly string[];
}

/** Something that is not installed. */
export interface MissingPart {
  /** `the Python module yaml is not installed`. */
  readonly what: string;
  /** What a person does about it: "run …". */
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

/** A command that runs a repository's tests, before it is known to work. */
export interface TestCommand {
  readonly framework: string;
  /** Folder that it runs in, relative to the root; "" is the root. */
  readonly directory: string;
  /** As a person would type it; what `--test-command` gives and the report shows. */
  readonly command: string;
  /** Why we think so: `package.json scripts.test`. */
  readonly foundBy: string;
  /** Larger is tried first; 0..1. */
  readonly likelihood: number;
}

export type Selection =
  | { readonly kind: "all" }
  | { readonly kind: "files"; readonly files: readonly string[] }
  | { readonly kind: "tests"; readonly tests: readonly TestKey[] };

export interface InvocationRequest {
  readonly command: TestCommand;
  readonly selection: Selection;
  /** Collect the executed lines of each test. */
  readonly coverage: boolean;
  /** Milliseconds for one test; a test that takes longer fails with a TimeoutError where the framework can be made to. */
  readonly testTimeoutMs: number;
  /** End the run at the first test that fails: all that a candidate's validation asks. */
  readonly stopAtFirstFailure: boolean;
  /** Run the selected tests as `TestFramework.varies` says, and not as in every other run. */
  readonly varied?: boolean;
  /** Paths inside the sandbox. */
  readonly paths: {
    /** The repository's root. */
    readonly root: string;
    /** Our reporters and plug-ins, read-only: a copy of `src/languages/runtime/`. */
    readonly runtime: string;
    /** A writable folder outside the repository for this run's report. */
    readonly report: string;
    /** The folder of this run's channel, which reporters write their lines to: see `report-frames.ts`. */
    readonly channel: string;
  };
  readonly project: ProjectView;
}

/** A folder of `runtime` whose `build.sh` compiles a program of ours with the project's toolchain. */
export type OwnProgram = "go" | "java" | "python" | "rust";

/** What is to be executed, and what has to be in place for it. */
export interface Invocation {
  readonly run: readonly string[] | string;
  readonly env: Readonly<Record<string, string>>;
  /** Looked for in the folder that a variable names (`MILLWRIGHT_BUILT_RUST` …); compiled in the checkout where there is none. */
  readonly programs?: readonly OwnProgram[];
}

export interface ReportRequest {
  /** What came through the run's channel. */
  readonly received: ReceivedReport;
  /**
   * Name and content of each file that the run left in the report folder. The code under test can write them too: they may
   * explain a failure and add coverage, and never make a test pass.
   */
  readonly files: ReadonlyMap<string, Buffer>;
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number | null;
  /** The repository's root inside the sandbox, to make paths relative. */
  readonly root: string;
}

export interface TestReport {
  readonly outcomes: readonly TestOutcome[];
  /** By formatTestKey; only where coverage was asked for. */
  readonly coverage: ReadonlyMap<string, CoveredLines>;
  /** Why the report cannot be trusted (exit code contradicts it, no test ran, it is cut off), or undefined. */
  readonly invalid: string | undefined;
  /** What the code of the run changed of the framework in memory, where the reporter looks: to compare with a run without a patch. */
  readonly frameworkChanges?: readonly string[];
}

/** Where a file of the configuration says which files tests are collected from. */
export interface CollectionRule {
  /** The file, as a glob. */
  readonly file: string;
  /** Its first group holds the patterns: quoted texts, or words. */
  readonly setting: RegExp;
  /** Globs of file names, globs from the file's folder, or expressions over whole paths. */
  readonly as: "names" | "paths" | "regexes";
}

export interface Collection {
  /** Globs that hold unless the configuration says others. */
  readonly usual: readonly string[];
  readonly configured: readonly CollectionRule[];
}

/**
 * A file that changes how tests are found, run or reported. It belongs to the tests: a candidate is judged with the base's version.
 * A new one is taken away, a changed one put back, a deleted one restored.
 */
export interface JudgingFile {
  /** Its paths, as a glob. */
  readonly files: string;
  /** The parts that belong to the tests, where the file holds other things too. */
  readonly parts?: JudgingParts;
  /** Only files with such a text. */
  readonly holding?: RegExp;
  /** Only files of a folder or module that the base does not have at all: the test library under its name. */
  readonly isShadow?: boolean;
  /** Its first group names files of the repository that are loaded with it, quoted or as words: they belong to the tests too. */
  readonly loads?: RegExp;
}

/** `kept`: entries that the base has there stay as they are, and others may be added. */
export type JudgingParts =
  | { readonly format: "ini"; readonly sections: RegExp }
  | { readonly format: "toml" | "json"; readonly keys: readonly string[]; readonly kept?: readonly string[] }
  /** Everything but these children of the root, and properties whose names do not match, is the base's. */
  | { readonly format: "maven"; readonly free: readonly string[]; readonly properties: RegExp }
  /** Everything but blocks with such a head, which hold plain entries alone, is the base's. */
  | { readonly format: "gradle"; readonly free: RegExp; readonly entry: RegExp }
  /** Lines that match: the base's file where these differ; `mayAdd`: where one of the base's is gone. */
  | { readonly format: "lines"; readonly lines: RegExp; readonly mayAdd?: boolean };

export interface TestFramework {
  readonly name: string;
  /** What our runs let through and a shell does not, in a sentence for who runs the command by hand. */
  readonly inShell?: string;
  readonly language: string;
  readonly description: string;
  /** Candidate commands of this repository, likeliest first; none when the framework is not used there. */
  detect(project: ProjectView): readonly TestCommand[];
  /** Recognises a command that a user gave (`--test-command`), or undefined. */
  recognise(command: string, project: ProjectView): TestCommand | undefined;
  invoke(request: InvocationRequest): Invocation;
  parse(request: ReportRequest): TestReport;
  /**
   * Coverage by counters: the framework's runtime cannot trace by itself, so the workspace's code has to be instrumented
   * (src/instrument/) before a run with `coverage`. "tracer": nothing to do. "none": it cannot be had.
   */
  readonly coverage: "tracer" | "counters" | "none";
  /** Which files are taken for tests by their names. */
  readonly collects?: Collection;
  /** What of a repository decides how its tests are found, run and reported. */
  readonly judging: readonly JudgingFile[];
  /** True where a run begins with a build, which may report nothing for minutes. */
  readonly builds?: boolean;
  /** What a run with `varied` does differently, for people: `reversed order`; absent where it is the same run. */
  readonly varies?: string;
  /** Two tests beside a given one, with which a run shows that it can tell failing from passing; absent where none can be added. */
  readonly canary?: PlaceCanary;
  /** Why there is no `canary`, for people, as it follows on "for". */
  readonly withoutCanary?: string;
  /** A test's result is the exit code of a process in which code under test runs: nothing tells who ended it. */
  readonly exitCodeDecides?: true;
  /** Many candidates in one start of the tests; absent where each needs a start of its own. */
  readonly batch?: Batch;
  /** What candidates do beyond the tests; absent where it cannot be had. */
  readonly comparison?: Batch<Comparison>;
  /** The same by inputs that stand in the texts of tests, for a reader of one patch: too few to choose among many by. */
  readonly behaviour?: Batch<Comparison>;
}

/** Undefined where the target's form is not known. */
export type PlaceCanary = (request: CanaryRequest) => Promise<Canary | undefined>;

export interface CanaryRequest {
  /** The test that the canary is to run beside: in its folder, and in its process where the framework allows it. */
  readonly beside: TestKey;
  /** The tree that the canary is added to. */
  readonly files: readonly string[];
  readonly read: (path: string) => Promise<string | undefined>;
  /** Lower-case letters, made at random for each run: nothing else tells the canary from other tests. */
  readonly words: { readonly file: string; readonly fails: string; readonly passes: string };
}

export interface Canary {
  /** A new file, or a file of the tree with its new text. */
  readonly file: { readonly path: string; readonly content: string };
  /** The test that must fail, and the one that must pass. */
  readonly fails: TestKey;
  readonly passes: TestKey;
}

/**
 * Validates many candidates in one start of a test program, for the start (and the build) is nearly all that a candidate costs.
 * "switch": the checkout holds a program with all of them (mutant schemata: Untch, Offutt, Harrold, ISSTA 1993, built by
 * `src/instrument/compose-schema.ts`); the run tests it once for each candidate, with its number in the variable `candidateVariable`.
 * "swap": the checkout holds the base, and the runtime puts the changed functions of each candidate's files in their place.
 */
export interface Batch<Report = BatchReport> {
  readonly kind: "switch" | "swap";
  /** How many candidates are worth one start: more where it (or the build) takes longer. */
  readonly size: number;
  invoke(request: BatchRequest): Invocation;
  parse(request: BatchReportRequest): Report;
}

/** The environment variable (in Java: the system property of the same name) that holds the chosen candidate's number. */
export const candidateVariable = "MILLWRIGHT_CANDIDATE";

export interface BatchCandidate {
  /** Positive; 0 is the program as it was. */
  readonly id: number;
  /** "swap": the folder inside the sandbox with the candidate's changed files, at their paths in the repository. */
  readonly folder?: string;
}

export interface BatchRequest
  extends Pick<InvocationRequest, "command" | "testTimeoutMs" | "paths" | "project"> {
  readonly tests: readonly TestKey[];
  /** Of them, those that are known to fail on the program as it was. */
  readonly failing?: readonly TestKey[];
  /** Of one candidate: its further tests are `not-run` after one that fails. */
  readonly stopAtFirstFailure: boolean;
  readonly candidates: readonly BatchCandidate[];
  /** How many candidates may run side by side. */
  readonly parallel: number;
}

export interface BatchReportRequest extends ReportRequest {
  readonly candidates: readonly BatchCandidate[];
  readonly tests: readonly TestKey[];
}

/** Where the build of a program with many candidates failed. */
export interface BuildComplaint {
  /** Relative to the repository. */
  readonly file: string;
  readonly line: number;
  readonly message: string;
}

export interface BatchReport {
  /** What the tests said, by candidate; one that is absent was not reached or cannot be judged so, and needs a start of its own. */
  readonly outcomes: ReadonlyMap<number, readonly TestOutcome[]>;
  /** Errors of the compiler; the caller takes out the candidates at these places and tries again. */
  readonly complaints: readonly BuildComplaint[];
  /** Why nothing of it can be used, for people. */
  readonly invalid: string | undefined;
}

/** The grammar of a language without a dialect, which nothing asks for. */
export function withoutGrammar(extension: string): never {
  throw new Error(`no dialect knows ${extension} files: there is no grammar for them`);
}

/** What the candidates do on the same inputs: arguments that tests give to the functions which they change, and others like them. */
export interface Comparison {
  /** Of each input: recorded in a test that passes on the base, or in one that fails there, or made from these; `near`: a passing test, changed. */
  readonly origins: readonly ("passing" | "failing" | "derived" | "near")[];
  /**
   * What each candidate did on each input, 0 is the base: equal texts mean equal behaviour. They begin with `v` for a value
   * and with `e` for an exception; `hang` and `crash` are the others. A candidate that cannot be compared is absent.
   */
  readonly behaviours: ReadonlyMap<number, readonly string[]>;
  /** Why there is nothing to compare, for people. */
  readonly invalid: string | undefined;
}

export function defineLanguage<const T extends Language>(language: T): T {
  return language;
}

export function defineTestFramework<const T extends TestFramework>(framework: T): T {
  return framework;
}
