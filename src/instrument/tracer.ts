/** A language's tracer: finds the requested functions, and makes a run of the command record their calls. */
import type { Language } from "../languages/contract.ts";

/** A file, and the requested names in it: `*`, `name`, `Type::name`, `Type.name`, `Type::*`. */
export interface TraceSpec {
  /** A path relative to the root, or a glob. */
  readonly path: string;
  readonly names: readonly string[];
}

export interface TracedFunction {
  /** The function's number, from 1. It is unique in a plan. */
  readonly id: number;
  readonly path: string;
  /** Lines of the name and of the end, from 1, in the user's own file. */
  readonly line: number;
  readonly endLine: number;
  /** Qualified within the file: `Parser::parse`, `<Circle as Shape>::area`, `Greeter.greet`, `inner::deep`. */
  readonly name: string;
  /** The recorded part of a call. Millwright reduces it step by step if a function does not compile. */
  readonly level: "values" | "return" | "calls" | "none";
  /** The reason for a level below "values": `const fn`, or the compiler's message. */
  readonly reason?: string;
  /**
   * True for functions that a report counts separately: tests, and functions that cannot be recorded (from macros,
   * `const fn`, closures).
   */
  readonly group: "function" | "test" | "left-out";
}

/** Access to the repository's files. Their paths are relative to the root, as in a spec. */
export interface TraceSources {
  /** All paths of the tree. */
  readonly files: readonly string[];
  read(path: string): Promise<string | undefined>;
}

export interface TracerRequest {
  readonly sources: TraceSources;
  /** Specs for this language's files, by path instead of globs. */
  readonly specs: readonly TraceSpec[];
  /** Depth to which the trace includes callees inside the repository; 0 for only the named functions. */
  readonly depth: number;
  /** The repository's root, our runtime files (read-only) and a writable scratch folder, as commands see them. */
  readonly paths: { readonly root: string; readonly runtime: string; readonly scratch: string };
}

export interface TracePlan {
  /**
   * Instrumented files, which replace those of the private copy. Lines keep their numbers. Empty if no file has to
   * change.
   */
  readonly changes: readonly { readonly path: string; readonly content: string }[];
  /** Files for the scratch folder, by name: a runtime reads them at its start. */
  readonly scratchFiles: ReadonlyMap<string, string | Uint8Array>;
  /**
   * Variables for the command besides those of `trace-lines.ts`; for `NODE_OPTIONS` and similar, the value to put
   * before the project's own.
   */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Words before the command: a program of our runtime that prepares what variables cannot express, and then becomes
   * the command.
   */
  readonly starter?: readonly string[];
  readonly functions: readonly TracedFunction[];
  /**
   * Requested names without a function. Each has the most similar names, best first, and the file's number of
   * functions.
   */
  readonly unknown: readonly {
    readonly path: string;
    readonly name: string;
    readonly nearest: readonly string[];
    readonly functions: number;
  }[];
  /**
   * Returns a reduced plan if the command's output shows that our inserted text does not compile. Undefined otherwise.
   */
  heal?(output: { readonly stdout: string; readonly stderr: string }): Promise<TracePlan | undefined>;
  /**
   * For a runtime that the command can keep from loading. Each process with the runtime creates the file
   * `RUNTIME.loaded`; `ifMissing` is the remark if no process did.
   */
  readonly confirms?: { readonly runtime: string; readonly ifMissing: string };
  /** Returns the compiler's first errors for people, if the output shows that the build failed. */
  buildErrors?(output: { readonly stdout: string; readonly stderr: string }): readonly string[];
}

export interface Tracer {
  /** The names of the languages whose files the tracer reads. */
  readonly languages: readonly Language["name"][];
  plan(request: TracerRequest): Promise<TracePlan>;
}

/** Returns the record unchanged. The compiler thus checks each tracer's record in the tracer's own file. */
export function defineTracer(tracer: Tracer): Tracer {
  return tracer;
}
