/** What a language needs to hold many candidates in one program: where code can stand twice, and how one of it is chosen. */
import type { SyntaxTree } from "../syntax/node.ts";
import type { Insertion } from "./text-insertions.ts";

/** Code that can stand in several versions, of which one is executed. */
export interface SwitchSpan {
  /** UTF-16 offsets; of a block, what is between its braces. Spans nest, they never cross. */
  readonly start: number;
  readonly end: number;
  readonly form: "statements" | "expression";
  /** Nothing behind it is ever reached from it; only asked by a language with `leaving`. */
  readonly leaves?: boolean;
}

export interface CandidateSwitch {
  /** The name of the language's record in `src/languages/`. */
  readonly language: string;
  /** In any order; what runs once at the start (constants, types, static initialisers) is in none. */
  readonly spans: (tree: SyntaxTree) => readonly SwitchSpan[];
  /** An expression that is true when candidate `id` runs. `name` is an identifier that no other file's prelude uses. */
  readonly isChosen: (id: number, name: string) => string;
  /** What `isChosen` needs once in the file, on one line. */
  readonly prelude?: (tree: SyntaxTree, name: string) => Insertion;
  /** What else the program needs so that each candidate's errors are its own; on lines that are there. */
  readonly tails?: (tree: SyntaxTree) => readonly Insertion[];
  /** `if` and its condition up to the opening brace: `if (c) {`. The chain goes on with `} else if …`. */
  readonly ifHead: (condition: string) => string;
  /**
   * A statement that ends a variant of a span that `leaves`, for compilers that would miss a `return` behind a variant that does
   * not leave, where nobody can be blamed for it.
   */
  readonly leaving?: string;
  /** One of two expressions; absent where the language has no expression for it (then it has no such spans). */
  readonly either?: (condition: string, then: string, otherwise: string) => string;
}

export function defineSwitch<const T extends CandidateSwitch>(candidateSwitch: T): T {
  return candidateSwitch;
}
