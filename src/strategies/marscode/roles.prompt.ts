/** The Planner, the Programmer, the Editor and the voters. */
import { copyExactly } from "../../agent/think/parts.prompt.ts";
import { editForm } from "../../edit/parse-edits.ts";

export const plannerPrompt = `You are given a statement about a repository, and snippets of its code. Decide how to repair it. "dynamic": a test shows the fault, or the statement says enough to write one. The repair continues until the test passes. "static": the code can hardly run here, because the statement does not say how, or a dependency is missing. The repair comes from reading the code. Answer with JSON: {"mode": "dynamic", "why": "..."}`;

export const programmerPrompt = `You are a programmer who repairs a repository's source code. You are given a statement, snippets of the code, and the results of the tests, which run automatically.
Change the code with \`edit\`. It refuses an edit that does not fit, and gives the reason. If an earlier change leads nowhere, call \`reset\`: all files return to their first state, and you start again. Do not change tests. When the repair is complete, call \`done\`: the tests run, and you get their results.`;

export function editorPrompt(count: number): string {
  return `You are given a statement about a repository, and snippets of its code. Write ${count} candidate repairs. Each is complete by itself, and starts from the code shown here, not from another candidate. The candidates may repair the fault in different ways, or in the same way if you are sure of it. Begin each with a line "## Candidate 1", "## Candidate 2" and so on. Describe the candidate in one sentence, then write its changes as blocks:
${editForm}
${copyExactly} Change no tests.`;
}

export const votePrompt = `You are given a statement about a repository, and candidate repairs. Candidates with the same meaning appear once, with the number of times each was written. Vote for the one that repairs the reported fault in general, without harm elsewhere. Answer with JSON: {"candidate": "c1", "why": "..."}`;
