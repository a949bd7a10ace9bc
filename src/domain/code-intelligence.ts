/** Defines the answers of a language server, or of the code graph in its place: places, symbols, problems. */
import type { Place } from "./code-symbols.ts";

/** A range of code; `end` is exclusive. */
export interface CodeRange {
  readonly start: Place;
  readonly end: Place;
}

export interface CodeLocation {
  /**
   * A path with `/`, relative to the repository. Outside the repository: an absolute path in the sandbox, or a URI from
   * the server.
   */
  readonly path: string;
  /** True if the range is in the standard library or a dependency; false for the repository's own files. */
  readonly outside: boolean;
  readonly range: CodeRange;
  /** The first line of the text there, if readable. Outside the repository: the first few lines. */
  readonly text?: string;
}

export interface CodeSymbol {
  readonly name: string;
  /** The protocol's word in lower case: `class`, `function`, `enummember` … */
  readonly kind: string;
  /** The range of the whole definition. */
  readonly location: CodeLocation;
  /** The position of the symbol's name. */
  readonly at: Place;
  /** The enclosing symbol, or a signature, in the server's words. */
  readonly detail?: string;
  readonly children?: readonly CodeSymbol[];
}

/** A caller or callee, with the places of the calls, which are always in the caller's file. */
export interface CodeCall {
  readonly symbol: CodeSymbol;
  readonly places: readonly CodeRange[];
}

export interface CodeDiagnostic {
  /** Path relative to the repository. */
  readonly path: string;
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly message: string;
  /** The server's code for this kind of problem: `reportUndefinedVariable`, `2304`, `E0425`. */
  readonly code?: string;
  /** The tool that reports the problem: `Pyright`, `rustc`. */
  readonly source?: string;
  readonly range: CodeRange;
}

/** The edits of one file, in the order of the text. They do not overlap. */
export interface CodeFileEdit {
  readonly path: string;
  readonly edits: readonly { readonly range: CodeRange; readonly text: string }[];
}
