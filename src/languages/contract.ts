/** What a language and a test framework are: records of data and pure functions. Running things is `src/workspace/`. */
import type { CoveredLines, TestKey, TestOutcome } from "../domain/test-outcome.ts";

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
  /** Paths inside the sandbox. */
  readonly paths: {
    /** The repository's root. */
    readonly root: string;
    /** Our reporters and plug-ins, read-only: a copy of `src/languages/runtime/`. */
    readonly runtime: string;
    /** A writable folder outside the repository for this run's report. */
    readonly report: string;
  };
  readonly project: ProjectView;
}

/** What is to be executed, and what has to be in place for it. */
export interface Invocation {
  readonly run: readonly string[] | string;
  readonly env: Readonly<Record<string, string>>;
}

export interface ReportRequest {
  /** Name and content of each file that the run left in the report folder. */
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
}

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
  /** True where a run begins with a build, which may report nothing for minutes. */
  readonly builds?: boolean;
  /** Many candidates in one start of the tests; absent where each needs a start of its own. */
  readonly batch?: Batch;
  /** What candidates do beyond the tests; absent where it cannot be had. */
  readonly comparison?: Batch<Comparison>;
  /** The same by inputs that stand in the texts of tests, for a reader of one patch: too few to choose among many by. */
  readonly behaviour?: Batch<Comparison>;
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
  /** Of each input: recorded in a test that passes on the base, or in one that fails there, or made from these. */
  readonly origins: readonly ("passing" | "failing" | "derived")[];
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
