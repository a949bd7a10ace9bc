/**
 * The confidence of a resolved reference, by its evidence. The numbers only rank kinds of evidence; they are not
 * measured probabilities. If several definitions fit equally, each gets the number divided by their count.
 */
export const confidences = {
  /** A name of an enclosing scope, or `self.x` if the class itself has x. */
  scope: 1,
  /** A top-level name of the same file. */
  file: 0.95,
  /** A name that the file imports from the file that defines it. */
  import: 0.95,
  /** A member of an inherited class. */
  inherited: 0.9,
  /** A name of the same package, namespace or folder, in languages that share names there. */
  package: 0.9,
  /** A member of a type or module that the receiver names. */
  receiver: 0.9,
  /** A member of the class that the receiver was assigned from or annotated with. */
  typed: 0.8,
  /** A name from `import *`, from a header, or from another file's own imports. */
  wide: 0.8,
  /** A member of a type or module that is the only one in the code base with the receiver's name. */
  named: 0.7,
  /** The only definition of that name in the code base. */
  unique: 0.5,
  /** One of a few definitions with that name. */
  ambiguous: 0.4,
} as const;

/**
 * Maximum number of definitions that fit a reference equally. A reference with more fitting definitions stays
 * unresolved.
 */
export const mostCandidates = 6;
