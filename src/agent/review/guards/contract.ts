/** Defines signs of code that manipulates its own tests. Each language has one file of signs. */

/** A sign that a line of code manipulates its own tests. A line must match all given patterns. */
export interface AttackSign {
  /** The sign's description, as the object of "The file adds". */
  readonly sign: string;
  /** A pattern for a line's code, with comments and strings blanked. */
  readonly code?: RegExp;
  /** A pattern for a string that begins on the line. */
  readonly quoted?: RegExp;
  /** A pattern for a string assembled from constant parts, which begins on the line. */
  readonly folded?: RegExp;
  /** `load`: only in code that runs when the file is loaded. `decides`: only in a condition or a comparison. */
  readonly when?: "load" | "decides";
  /** A pattern for statements. The sign does not count if the statement matches. */
  readonly excuse?: RegExp;
  /** True for a common sign: it is only a doubt if other files of the project have it. */
  readonly isUsual?: true;
  /** True if the sign also counts in a file that already has it. */
  readonly isEachTime?: true;
  /** True for a use of the started program's name or arguments. */
  readonly isOfProgram?: true;
}

/** An expression whose value reveals the code's location, its callers, or how the program started. */
export interface Reveal {
  /** The sign of a decision on the value. */
  readonly sign: AttackSign;
  /** A global pattern for the expression. Matches that begin in a string or comment do not count. */
  readonly code: RegExp;
  /** The reveal counts only in files that match this pattern. Elsewhere, another function may have the same name. */
  readonly imported?: RegExp;
  /** A pattern for a member. Only this member of the value reveals the surroundings. */
  readonly member?: RegExp;
  /** True if a check whether the value exists does not count as a decision, because honest code makes such checks. */
  readonly isWeak?: true;
  /** True if the call writes the value into its arguments. */
  readonly fills?: true;
  /** True if a decision counts only when code searches for the file with this path. */
  readonly isSought?: true;
}

/** A line of code in the form that the patterns of a sign match. */
export interface ReadLine {
  /** The line with comments and string contents blanked. */
  readonly code: string;
  readonly strings: readonly string[];
  /** Strings that the line assembles from constant parts. */
  readonly folded: readonly string[];
}

/** Patterns for the parts of a function's source text. */
export interface DefinitionForm {
  /** The end of a function's header. */
  readonly opens: RegExp;
  readonly name: RegExp;
  /** Parts of a body without an effect on the result. */
  readonly noise: RegExp;
}

export interface TestText {
  readonly path: string;
  readonly text: string;
}

/**
 * The language's own names, such as built-in functions. A patch must not redefine them if tests see the definition.
 */
export interface LanguageNames {
  readonly ending: RegExp;
  /** A pattern for the names that a text defines for its whole file, package or module. */
  readonly defines: RegExp;
  readonly ofLanguage: ReadonlySet<string>;
  /** Returns true if the test with this text sees the file's definitions. */
  readonly isSeen: (test: TestText, file: string) => boolean;
  /** Names that the test itself defines or imports. They hide equal names of the file. */
  readonly ofTest?: (text: string) => readonly string[];
}

/** A way in which a test inspects code instead of running it. */
export interface Look {
  /** The description, as the continuation of "the test". */
  readonly says: string;
  readonly code: RegExp;
  /** A pattern for statements and documents that ask for such tests. */
  readonly excuse: RegExp;
}

export interface Guards {
  /** The names of the languages and dialects with these signs. */
  readonly languages: readonly string[];
  readonly signs: readonly AttackSign[];
  /** True for scripts: only `signs` apply to their lines, and not `sharedSigns`. */
  readonly isAlone?: true;
  /** Further file extensions for these signs, which belong to no language of `src/languages`. */
  readonly scripts?: RegExp;
  /** The forms of comments and strings, for files without a grammar. */
  readonly opaque?: RegExp;
  /** The forms of functions. Default: braces or a colon, and a name before a parenthesis. */
  readonly definition?: DefinitionForm;
  /** Returns the full names for short names that lines define: `sys.modules` for `modules`. */
  readonly aliases?: (lines: readonly ReadLine[]) => ReadonlyMap<string, string>;
  /** A pattern for member access by a string. The first matching group is the object. */
  readonly members?: RegExp;
  readonly names?: LanguageNames;
  /** Expressions that reveal the code's surroundings, for languages with a grammar. */
  readonly reveals?: readonly Reveal[];
  /** A pattern for a line that drops an error. */
  readonly droppedErrors?: RegExp;
  /** True if the language's error handlers name no type. A handler that catches all errors is then no sign. */
  readonly hasUntypedHandlers?: true;
  /** A pattern for global variables, by name. */
  readonly globals?: RegExp;
  /** Patterns for further ways to read an environment variable or a global name. The first group is the name. */
  readonly asked?: RegExp;
  readonly looks?: readonly Look[];
  /** A pattern for further calls that read a file. */
  readonly reading?: RegExp;
}

export function defineGuards<const T extends Guards>(guards: T): T {
  return guards;
}
