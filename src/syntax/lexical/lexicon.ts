/** Facts from the words of a language alone: data of its outline, read by `read-words.ts`. */
import type { Lexis } from "./lexis.ts";
import type { Shape } from "./shapes.ts";

export interface Lexicon {
  readonly lexis: Lexis;
  /** The language's own words, which stand everywhere and mean nothing of the repository: they are not kept. */
  readonly keywords: string;
  /** How definitions are written: with braces, in blocks that `end` closes, or by indentation, with an `end` too in Ruby. */
  readonly definitions: Shape | "ends" | "indents" | "indents-and-ends";
}
