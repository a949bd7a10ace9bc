/**
 * How sure a resolved reference is, by what led to it. The numbers order the evidence; they are no measured probabilities.
 * Where several definitions fit equally, each gets the number divided by how many there are.
 */
export const confidences = {
  /** A name of an enclosing scope, or `self.x` where the class itself has x. */
  scope: 1,
  /** A top-level name of the same file. */
  file: 0.95,
  /** Imported by name from a file that defines it. */
  import: 0.95,
  /** Through a class that is inherited from. */
  inherited: 0.9,
  /** The same package, namespace or folder, where the language shares names there. */
  package: 0.9,
  /** A member of a type or module that the receiver names. */
  receiver: 0.9,
  /** A member of the class that the receiver was assigned from, or is annotated with. */
  typed: 0.8,
  /** Through `import *`, a header, or another file's own imports. */
  wide: 0.8,
  /** The only type or module of the code base with the receiver's name that has such a member. */
  named: 0.7,
  /** The only definition of that name in the code base. */
  unique: 0.5,
  /** One of a few of that name. */
  ambiguous: 0.4,
} as const;

/** More definitions than this that fit equally are none: the reference stays a name. */
export const mostCandidates = 6;
