/**
 * The words and forms by which `read-words.ts` recognises a language's definitions. They are a part of the language's
 * outline.
 */
import type { Lexis } from "./lexis.ts";
import type { Shape } from "./shapes.ts";

export interface Lexicon {
  readonly lexis: Lexis;
  /** The language's own words. They occur in every file, so the reader drops them. */
  readonly keywords: string;
  /**
   * The form of definitions: with braces, in blocks that `end` closes, or by indentation. Ruby has indentation and
   * `end`.
   */
  readonly definitions: Shape | "ends" | "indents" | "indents-and-ends";
}
