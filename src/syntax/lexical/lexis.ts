/** How a language writes comments and strings, so that the scanner can separate their words from names in code. */

export interface Lexis {
  /** `//` and `/* … *\/`. */
  readonly slashComments: boolean;
  /** A block comment may contain another one. */
  readonly nestedComments: boolean;
  /** What `#` begins. */
  readonly hash: "comment" | "nothing";
  /** Lua's `--` and `--[[ … ]]`. */
  readonly dashComments: boolean;
  readonly singleQuote: "string" | "character" | "lifetime";
  readonly backtick: "template" | "raw" | "nothing";
  /** `"""`, and with `singleQuote: "string"` also `'''`. */
  readonly tripleQuotes: boolean;
  /** A `"` string may span several lines. */
  readonly longStrings: boolean;
  readonly rawStrings: "rust" | "cpp" | "csharp" | "lua" | "nothing";
  /** `/…/` where an expression can begin. */
  readonly regexes: boolean;
}

const plain: Lexis = {
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

const ecmascript: Lexis = { ...plain, singleQuote: "string", backtick: "template", regexes: true };
const python: Lexis = {
  ...plain,
  slashComments: false,
  hash: "comment",
  singleQuote: "string",
  tripleQuotes: true,
};

export const lexes: Readonly<Record<string, Lexis>> = {
  c: plain,
  cpp: { ...plain, rawStrings: "cpp" },
  csharp: { ...plain, rawStrings: "csharp", tripleQuotes: true },
  go: { ...plain, backtick: "raw" },
  java: { ...plain, tripleQuotes: true },
  javascript: ecmascript,
  typescript: ecmascript,
  kotlin: { ...plain, nestedComments: true, tripleQuotes: true },
  lua: { ...plain, slashComments: false, dashComments: true, singleQuote: "string", rawStrings: "lua" },
  python,
  rust: { ...plain, nestedComments: true, singleQuote: "lifetime", longStrings: true, rawStrings: "rust" },
};
