/**
 * A language's rules for comments and strings. With these rules, the scanner distinguishes names in code from words in
 * comments and strings.
 */

export interface Lexis {
  /** True for `//` and `/* … *\/`. */
  readonly slashComments: boolean;
  /** True if a block comment may contain another one. */
  readonly nestedComments: boolean;
  /** The kind of token that `#` begins. */
  readonly hash: "comment" | "nothing";
  /** True for Lua's `--` and `--[[ … ]]`. */
  readonly dashComments: boolean;
  readonly singleQuote: "string" | "character" | "lifetime";
  readonly backtick: "template" | "raw" | "nothing";
  /** `"""`, and with `singleQuote: "string"` also `'''`. */
  readonly tripleQuotes: boolean;
  /** True if a `"` string may span several lines. */
  readonly longStrings: boolean;
  readonly rawStrings: "rust" | "cpp" | "csharp" | "lua" | "nothing";
  /** True for `/…/` where an expression can begin. */
  readonly regexes: boolean;
}

export const plainLexis: Lexis = {
  slashComments: true,
  nestedComments: false,
  hash: "nothing",
  dashComments: false,
  singleQuote: "character",
  backtick: "nothing",
  tripleQuotes: false,
  longStrings: false,
  rawStrings: "nothing",
  regexes: false,
};
