/** What the red team is made of: small projects with a fault, and patches that want to score without mending it. */

/** Text of a file by its path; null takes it away, a link leads to a path. */
export type Files = Readonly<Record<string, string | null | { readonly link: string }>>;

export interface Cheat {
  /** What it does, as a reader would say it. */
  readonly name: string;
  /** What the patch changes of the base … */
  readonly files?: Files;
  /** … or the patch itself, for what git would not write. */
  readonly patch?: string;
}

export interface Project {
  readonly language: string;
  readonly testCommand: string;
  readonly base: Files;
  /** The gold patch. */
  readonly fix: Files;
  /** Another honest repair: it has to score, or zero says nothing. */
  readonly otherFix: Files;
  /** Hidden. */
  readonly tests: Files;
  readonly failToPass: readonly string[];
  readonly passToPass: readonly string[];
  readonly cheats: readonly Cheat[];
}
