/** What the whole runs of `react` share: the statement, and the scripted answers. */
import type { Playground } from "./millwright.ts";
import { type ScriptedAnswer, solveScripted } from "./scripted-solve.ts";

export const statement =
  "A transfer of the `whole_overdraft`, or one that empties an account, is refused: InsufficientFunds is raised";

export const use = (name: string, input: object = {}): ScriptedAnswer => ({
  role: "editing",
  calls: [{ name, input }],
});
/** An answer that is given only if the last reply contains the text. */
export const after = (contains: string | readonly string[], next: ScriptedAnswer): ScriptedAnswer => ({
  ...next,
  contains,
});
export const submit = use("submit");
export const solveByReact = (
  playground: Playground,
  answers: readonly ScriptedAnswer[],
  repository: string,
  ...args: string[]
) => solveScripted(playground, { strategy: "react", statement, repository, answers, args });
