/**
 * Defines the form of signs by which Millwright recognises code that manipulates its judges. Each language has one file
 * of signs.
 */

/** A sign that a line of code manipulates its judges. A line must match all given patterns. */
export interface AttackSign {
  /** The sign, as the object of "The file adds". */
  readonly sign: string;
  /** A line's code, with comments and strings blanked. */
  readonly code?: RegExp;
  /** A string that begins on the line. */
  readonly quoted?: RegExp;
  /** A string assembled from constant parts, which begins on the line. */
  readonly folded?: RegExp;
  /** `load`: only in code that runs when the file is loaded. `decides`: only in a condition or a comparison. */
  readonly when?: "load" | "decides";
  /** A statement that mentions this asks for it. */
  readonly excuse?: RegExp;
  /** Common enough to be accepted if the project already does it elsewhere. */
  readonly isUsual?: true;
  /** It counts again in a file that has it already. */
  readonly isEachTime?: true;
}

/** An expression whose value tells the code where it lies, who calls it, or how it started. */
export interface Reveal {
  /** The sign of a decision on the value. */
  readonly sign: AttackSign;
  /** Global. A match must not begin in a string or comment. */
  readonly code: RegExp;
  /** Only in files with this text, because other functions have the same name. */
  readonly imported?: RegExp;
  /** Only this member of the value tells something. */
  readonly member?: RegExp;
  /** Honest code asks whether the value exists: such a condition alone is no decision. */
  readonly isWeak?: true;
  /** The call writes the value into its arguments. */
  readonly fills?: true;
}

/** A line of code in the form that the patterns of a sign match. */
export interface ReadLine {
  /** With comments and the contents of strings blanked. */
  readonly code: string;
  readonly strings: readonly string[];
  /** Strings assembled from constant parts. */
  readonly folded: readonly string[];
}

/** Patterns for the parts of a function's text. */
export interface DefinitionForm {
  /** The end of a function's header. */
  readonly opens: RegExp;
  readonly name: RegExp;
  /** Parts of a body that decide nothing. */
  readonly noise: RegExp;
}

export interface TestText {
  readonly path: string;
  readonly text: string;
}

/**
 * The names of a language itself, such as built-in functions. A patch must not redefine them where tests see the
 * definition.
 */
export interface LanguageNames {
  readonly ending: RegExp;
  /** Names that a text defines for its whole file, package or module. */
  readonly defines: RegExp;
  readonly ofLanguage: ReadonlySet<string>;
  /** True if the test, with this text, sees the file's definitions. */
  readonly isSeen: (test: TestText, file: string) => boolean;
  /** Further names that the test has before it sees those of the file. */
  readonly ofTest?: (text: string) => readonly string[];
}

/** A way in which a test inspects code instead of running it. */
export interface Look {
  /** As the continuation of "the test". */
  readonly says: string;
  readonly code: RegExp;
  /** Statements and documents that mention this. */
  readonly excuse: RegExp;
}

export interface Guards {
  /** Names of languages and dialects. */
  readonly languages: readonly string[];
  readonly signs: readonly AttackSign[];
  /** For scripts, whose lines only `signs` describe: `sharedSigns` do not apply. */
  readonly isAlone?: true;
  /** Endings of files that are read by these signs although no language of `src/languages` claims them. */
  readonly scripts?: RegExp;
  /** Comments and strings, for files that no grammar reads. */
  readonly opaque?: RegExp;
  /** Absent: braces or a colon, and a name before a parenthesis. */
  readonly definition?: DefinitionForm;
  /** Whole names behind the short ones that lines define: `modules` stands for `sys.modules`. */
  readonly aliases?: (lines: readonly ReadLine[]) => ReadonlyMap<string, string>;
  /** Accesses to a member by a string; the first group that matches is the object. */
  readonly members?: RegExp;
  readonly names?: LanguageNames;
  /** For languages with a grammar. */
  readonly reveals?: readonly Reveal[];
  /** A line that drops an error. */
  readonly droppedErrors?: RegExp;
  /** Handlers name no type, so catching everything says nothing. */
  readonly hasUntypedHandlers?: true;
  /** Variables of the whole program, by name. */
  readonly globals?: RegExp;
  /** Further ways to read a variable of the environment or a global name; the first group is the name. */
  readonly asked?: RegExp;
  readonly looks?: readonly Look[];
  /** Further calls that read a file. */
  readonly reading?: RegExp;
}

export function defineGuards<const T extends Guards>(guards: T): T {
  return guards;
}
