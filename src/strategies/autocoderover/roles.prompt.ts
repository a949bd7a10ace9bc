/** The search for bug locations, the authors of patch and test, the reviewer, and the choice. */
import { copyExactly } from "../../agent/think/parts.prompt.ts";
import { editForm } from "../../edit/parse-edits.ts";

export const locatePrompt = (rounds: number): string =>
  [
    "Read a task's statement, and find the places in the repository's source code that have to change. Change nothing.",
    `Use the search tools. Begin with names and strings from the statement, and continue with the names that you find. Follow calls until you know the code that determines the behaviour. You may make several tool calls in one answer. You have ${rounds} rounds.`,
    "As soon as you know the buggy locations, call `report` with whole methods or exact lines. Give the intended behaviour of each location.",
  ].join("\n");

export const patchPrompt = `Read a task's statement, the code to change, and the intended behaviour of each place. First explain the fault and its cause. Then write the smallest patch that produces the intended behaviour, as blocks:
${editForm}
${copyExactly} Always change the code shown here, not the result of an earlier patch. Do not change tests.`;

export const reproduciblePrompt = `Read a task's statement. Decide whether it contains enough information to write a test that shows the fault. Such a test needs the calls or steps, the actual result, and the expected result. Answer with JSON: {"reproducible": true, "why": "..."}`;

export const reviewPrompt = `Review a patch for a task's statement, and a test that should show the fault. The patch, the test or both may be wrong. You see the test's results without and with the patch.
Judge the patch by the statement:
- Does it do everything that the statement asks for, and nothing else?
- Does it do so for every input, not only for the inputs of the test?

Judge the test by the statement:
- Does it check everything that the statement asks for?
- Does it check nothing that the statement leaves open?

Say whether the patch and the test are correct. Give your reasons and the necessary changes. Answer with JSON: {"patch": {"correct": true, "analysis": "...", "advice": ""}, "test": {"correct": true, "analysis": "...", "advice": ""}}`;

export const selectPrompt = `Read a task's statement, and several patches for it. Choose the patch that does what the statement asks for. If several patches do so, choose the smallest one. Answer with JSON: {"patch": "c1", "why": "..."}`;
