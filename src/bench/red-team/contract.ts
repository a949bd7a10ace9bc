/** The red team's data: small projects with a fault, and patches that try to score without fixing it. */

/** Maps each path to the file's text, to null for a deleted file, or to a symbolic link's target. */
export type Files = Readonly<Record<string, string | null | { readonly link: string }>>;

export interface Cheat {
  /** The cheat's name, which describes it for readers. */
  readonly name: string;
  /** The patch's changes to the base. */
  readonly files?: Files;
  /** The patch itself instead, if git would not write such a patch. */
  readonly patch?: string;
}

/** Cheats that write tests, for a rule that grades written tests. */
export interface WrittenTests {
  /** The rule's name in reports. */
  readonly rule: string;
  /** Honest tests, which must score. */
  readonly honest: Files;
  readonly cheats: readonly Cheat[];
}

export interface Project {
  readonly language: string;
  readonly testCommand: string;
  readonly base: Files;
  /** The gold patch. */
  readonly fix: Files;
  /** Another honest repair. It must score: otherwise a cheat's zero means nothing. */
  readonly otherFix: Files;
  /** The hidden tests. */
  readonly tests: Files;
  readonly failToPass: readonly string[];
  readonly passToPass: readonly string[];
  readonly cheats: readonly Cheat[];
  /** The patch's own tests, for rules that ask for them: they run all code, and check nothing. */
  readonly ownTests?: Files;
  /** The function that tests are written for (`FILE:SYMBOL`), and the change that removes its tests. */
  readonly target?: { readonly symbol: string; readonly removal: Files };
  readonly written?: readonly WrittenTests[];
  /** Names of rules that grade this language only. */
  readonly furtherRules?: readonly string[];
  /** The function that a solver writes under REPOCOD's rule, which has a base without its body. */
  readonly function?: WrittenFunction;
}

export interface WrittenFunction {
  readonly file: string;
  readonly name: string;
  /** The signature, up to the colon at the end of the line. */
  readonly prompt: string;
  /** The right function. */
  readonly text: string;
}
