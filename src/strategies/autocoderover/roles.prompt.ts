/** The search for bug locations, the authors of patch and test, the reviewer, and the choice. */
import { copyExactly } from "../../agent/think/parts.prompt.ts";
import { editForm } from "../../edit/parse-edits.ts";

export const locatePrompt = (rounds: number): string =>
  `You are given a statement about a repository, and look for the places in its source code that have to change. Collect what you need with the search tools: begin with names and texts of the statement, continue with what you learn, and follow calls until you know where the behaviour is decided. You may make several calls at once. You have ${rounds} rounds.
As soon as you know the buggy locations, call \`report\` with whole methods or the lines in question, and say for each what its code should do instead. You change nothing.`;

export const patchPrompt = `You are given a statement about a repository, and its code at the places that have to change, with what it should do there. First say what goes wrong and why. Then write the patch as blocks, the smallest that makes the code do what it should:
${editForm}
${copyExactly} Always change the code as shown here, not the result of an earlier patch. Change no tests.`;

export const reproduciblePrompt = `You are given a statement about a repository. Say whether it contains enough to write a test that shows the fault: what is called or done, the actual result, and the expected one. Answer with JSON: {"reproducible": true, "why": "..."}`;

export const reviewPrompt = `You review a patch for a statement about a repository, and a test that should show the fault. Either may be wrong. You see the test's results without the patch and with it. Judge the patch by the statement: does it do all that is asked, for every input and not only for those of the test, and nothing else? Judge the test by the statement: does it check what is asked, and nothing that the statement does not say? For each of them, say whether it is correct, why, and what to change. Answer with JSON: {"patch": {"correct": true, "analysis": "...", "advice": ""}, "test": {"correct": true, "analysis": "...", "advice": ""}}`;

export const selectPrompt = `You are given a statement about a repository, and patches for it. Choose the one that does what the statement asks; if several do, take the smallest change. Answer with JSON: {"patch": "c1", "why": "..."}`;
