/** What the agent wants to know of a person. */
export interface UserQuestion {
  readonly question: string;
  /** Two or more. */
  readonly choices: readonly string[];
}
