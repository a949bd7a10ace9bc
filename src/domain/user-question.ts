/** A question from the agent to a person. */
export interface UserQuestion {
  readonly question: string;
  /** The choices, at least two. */
  readonly choices: readonly string[];
}
