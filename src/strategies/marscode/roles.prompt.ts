/** The Planner, the Programmer, the Editor and the voters. */
import { copyExactly, severalCalls } from "../../agent/think/parts.prompt.ts";
import { editForm } from "../../edit/parse-edits.ts";

export const plannerPrompt = `Read a task's statement, and snippets of the repository's code. Choose the mode of the repair:
- "dynamic": a test shows the fault, or the statement says enough to write such a test. The repair continues until the test passes.
- "static": the code probably cannot run here. For example, no command runs the repository's tests, or a dependency is missing. The repair relies on reading the code.

Answer with JSON: {"mode": "dynamic", "why": "one sentence"} or {"mode": "static", "why": "one sentence"}`;

export const programmerPrompt = [
  "Repair a repository's source code. Use the task's statement, snippets of the code, and the results of the tests. Millwright, the program that asks you, runs the tests.",
  "Change the code with `edit`. If it refuses an edit, read the reason. If an earlier change does not help, call `reset` and start again: it returns all files to their original state. Do not change tests.",
  "When the repair is complete, call `done`. Millwright then runs the tests that show the fault. If one fails, a next round shows you the results.",
  severalCalls,
].join("\n");

export function editorPrompt(count: number): string {
  return `Read a task's statement, and snippets of the repository's code. Write ${count} candidate repairs. Make each candidate complete. Start each one from the code shown here, not from another candidate. The candidates may repair the fault in different ways, or in the same way if you are sure of it. Begin each with a line "## Candidate 1", "## Candidate 2" and so on. Describe the candidate in one sentence, then write its changes as blocks:
${editForm}
${copyExactly} Do not change tests.`;
}

export const votePrompt = `Read a task's statement, and candidate repairs. The list shows equivalent candidates once, and says how often each was written. Vote for the candidate that repairs the reported fault for all inputs and breaks nothing else. Answer with JSON: {"candidate": "c1", "why": "..."}`;
