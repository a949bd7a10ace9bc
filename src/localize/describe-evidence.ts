/** The counts and scores that make a place suspicious. */
export interface Reasons {
  readonly failingCovering: number;
  readonly failing: number;
  readonly passingCovering: number;
  readonly passing: number;
  readonly stackScore: number;
  readonly textScore: number;
}

/** The text score, relative to the best one's 1, above which the words are worth a remark. */
const telling = 0.5;

export interface StatementReasons extends Reasons {
  readonly formulaScore: number;
  readonly branchScore: number;
  readonly functionTextScore: number;
}

/**
 * Describes the evidence against a statement as parts of sentences, the strongest first. Empty without evidence: no
 * failing test runs the statement, no stack frame is near it, and few words of the failing tests match.
 */
export function describeStatement(evidence: StatementReasons): string[] {
  const [run, ...others] = describeEvidence(evidence, evidence.functionTextScore);
  const decides =
    evidence.branchScore > evidence.formulaScore
      ? ["failing tests take a different branch here than passing tests"]
      : [];
  return [...(run === undefined ? [] : [run]), ...decides, ...others];
}

/** Describes the evidence against a function as parts of sentences. */
export function describeEvidence(evidence: Reasons, functionTextScore = 0): string[] {
  const { failingCovering, failing, passingCovering, passing, stackScore, textScore } = evidence;
  const reasons: string[] = [];
  if (failingCovering > 0) {
    reasons.push(
      `run by ${failingCovering} of ${failing} failing and ${passingCovering} of ${passing} passing tests`,
    );
  }
  if (stackScore >= 1) reasons.push("innermost in the stack traces");
  else if (stackScore >= leastFrame) reasons.push("in a stack trace");
  else if (stackScore > 0) reasons.push("near a stack frame");
  if (textScore >= telling) reasons.push("has words of the failing tests or the statement");
  else if (functionTextScore >= telling)
    reasons.push("its function has words of the failing tests or the statement");
  return reasons;
}

/** Minimum score of a frame itself. A neighbour of a frame has at most 0.4 of the frame's score. */
const leastFrame = 0.41;
