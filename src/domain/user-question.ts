/** A question from the agent to a person. */
export interface UserQuestion {
  readonly question: string;
  /** Two or more. */
  readonly choices: readonly string[];
}
