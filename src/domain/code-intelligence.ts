/** What a language server, or the graph in its place, says of code: places, symbols, problems. */
import type { Place } from "./code-symbols.ts";

/** From `start` up to `end`, which is not part of it. */
export interface CodeRange {
  readonly start: Place;
  readonly end: Place;
}

export interface CodeLocation {
  /** Relative to the repository, `/`; absolute (as the sandbox has it), or a server's own uri, where it does not lie in it. */
  readonly path: string;
  /** It belongs to the standard library or a dependency, not to the repository's own files. */
  readonly outside: boolean;
  readonly range: CodeRange;
  /** The line where it begins (a few lines outside the repository), where it can be read. */
  readonly text?: string;
}

export interface CodeSymbol {
  readonly name: string;
  /** The protocol's word in lower case: `class`, `function`, `enummember` … */
  readonly kind: string;
  /** All of it. */
  readonly location: CodeLocation;
  /** Where its name stands. */
  readonly at: Place;
  /** The symbol that it stands in, or a signature: as the server says it. */
  readonly detail?: string;
  readonly children?: readonly CodeSymbol[];
}

/** A caller or callee, with the places of the calls; of a callee they are in the caller's file. */
export interface CodeCall {
  readonly symbol: CodeSymbol;
  readonly places: readonly CodeRange[];
}

export interface CodeDiagnostic {
  /** Relative to the repository. */
  readonly path: string;
  readonly severity: "error" | "warning" | "information" | "hint";
  readonly message: string;
  /** The server's own name for this kind of problem: `reportUndefinedVariable`, `2304`, `E0425`. */
  readonly code?: string;
  /** Who says so: `Pyright`, `rustc`. */
  readonly source?: string;
  readonly range: CodeRange;
}

/** What one file's text becomes; the edits do not overlap and are in the order of the text. */
export interface CodeFileEdit {
  readonly path: string;
  readonly edits: readonly { readonly range: CodeRange; readonly text: string }[];
}
