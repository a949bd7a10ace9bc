/**
 * A language's support for programs with many candidates: the code that can have several versions, and the selection of
 * one.
 */
import type { SyntaxTree } from "../syntax/node.ts";
import type { Insertion } from "./text-insertions.ts";

/** Code that a program can contain in several versions. One version runs, and a selector chooses it. */
export interface SelectorSpan {
  /** UTF-16 offsets; for a block, the text between its braces. Spans nest and never cross. */
  readonly start: number;
  readonly end: number;
  readonly form: "statements" | "expression";
  /** True if execution never continues after the span. Only languages with `leaving` check this. */
  readonly leaves?: boolean;
}

export interface CandidateSelector {
  /** The name of the language's record in `src/languages/`. */
  readonly language: string;
  /** Lists the spans, in any order. Omits code that runs once at the start (constants, types, static initialisers). */
  readonly spans: (tree: SyntaxTree) => readonly SelectorSpan[];
  /**
   * An expression that is true if the run selects candidate `id`. `name` is an identifier that no other file's prelude
   * uses.
   */
  readonly isChosen: (id: number, name: string) => string;
  /** The declaration that `isChosen` needs once per file, on one line. */
  readonly prelude?: (tree: SyntaxTree, name: string) => Insertion;
  /** Further additions on existing lines, which keep each candidate's errors separate. */
  readonly tails?: (tree: SyntaxTree) => readonly Insertion[];
  /** `if` and its condition up to the opening brace: `if (c) {`. The chain continues with `} else if …`. */
  readonly ifHead: (condition: string) => string;
  /**
   * A statement that ends a variant of a span that `leaves`. Without it, a compiler would report a missing `return`
   * after a variant that does not leave. This error would name no candidate.
   */
  readonly leaving?: string;
  /** Selects one of two expressions; absent if the language has no such expression (then it has no such spans). */
  readonly either?: (condition: string, then: string, otherwise: string) => string;
}

export function defineSelector<const T extends CandidateSelector>(candidateSelector: T): T {
  return candidateSelector;
}
