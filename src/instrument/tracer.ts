/** What a language brings to be traced: which functions there are, and how a run of them is recorded. */
import type { Language } from "../languages/contract.ts";

/** A file with the names that are asked for in it: `*`, `name`, `Type::name`, `Type.name`, `Type::*`. */
export interface TraceSpec {
  /** A path relative to the root, or a glob. */
  readonly path: string;
  readonly names: readonly string[];
}

export interface TracedFunction {
  /** From 1, unique in a plan. */
  readonly id: number;
  readonly path: string;
  /** Of the name and of the last line, from 1, in the user's own file. */
  readonly line: number;
  readonly endLine: number;
  /** As the language qualifies it inside of the file: `Parser::parse`, `<Circle as Shape>::area`, `Greeter.greet`, `inner::deep`. */
  readonly name: string;
  /** How much of a call is recorded. Weakened one step at a time where a function does not compile. */
  readonly level: "values" | "return" | "calls" | "none";
  /** Why it is less than "values": `const fn`, the compiler's words. */
  readonly reason?: string;
  /** Counted apart: what is a test, and what the language cannot record (macro-made, `const fn`, closures). */
  readonly group: "function" | "test" | "left-out";
}

/** What the spec's paths say of the repository's files. */
export interface TraceSources {
  /** All paths of the tree. */
  readonly files: readonly string[];
  read(path: string): Promise<string | undefined>;
}

export interface TracerRequest {
  readonly sources: TraceSources;
  /** Specs of this language's files, by path and no longer globs. */
  readonly specs: readonly TraceSpec[];
  /** Callees inside the repository, so many calls away, are traced too; 0: only what the specs name. */
  readonly depth: number;
  /** The repository's root, our runtime files (read-only) and a writable scratch folder, as commands see them. */
  readonly paths: { readonly root: string; readonly runtime: string; readonly scratch: string };
}

export interface TracePlan {
  /** Instrumented files, laid over the shadow's tree. Lines stay where they are. Empty where nothing has to be edited. */
  readonly changes: readonly { readonly path: string; readonly content: string }[];
  /** Files for the scratch folder, by name: what a runtime reads at its start. */
  readonly scratchFiles: ReadonlyMap<string, string | Uint8Array>;
  /** Variables that the command gets beside those of `trace-lines.ts`; of `NODE_OPTIONS` and the like the value to put before the project's own. */
  readonly env: Readonly<Record<string, string>>;
  /** Words before the command: a program of our runtime that prepares what variables cannot say, and becomes the command. */
  readonly starter?: readonly string[];
  readonly functions: readonly TracedFunction[];
  /** Names that no function has, each with the nearest ones, the best first, and how many functions the file has. */
  readonly unknown: readonly {
    readonly path: string;
    readonly name: string;
    readonly nearest: readonly string[];
    readonly functions: number;
  }[];
  /** The plan with less in it, where the command's output says that our own text does not compile; undefined: the fault is not ours. */
  heal?(output: { readonly stdout: string; readonly stderr: string }): Promise<TracePlan | undefined>;
  /** True where the output says that the program was not built: the compiler's first errors, for people. */
  buildErrors?(output: { readonly stdout: string; readonly stderr: string }): readonly string[];
}

export interface Tracer {
  /** The names of the languages whose files it reads. */
  readonly languages: readonly Language["name"][];
  plan(request: TracerRequest): Promise<TracePlan>;
}

/** Identity, for inference. */
export function defineTracer(tracer: Tracer): Tracer {
  return tracer;
}
