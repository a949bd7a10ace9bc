/** The author of patches, and the choice of regression tests. */
import { copyExactly } from "../../agent/think/parts.prompt.ts";
import { editForm } from "../../edit/parse-edits.ts";

export const patchPrompt = `Read a task's statement, and parts of the repository's code. First describe the necessary change briefly. Then write this change as blocks:
${editForm}
${copyExactly} Write as many blocks as you need. Do not change tests.`;

export const regressionTestsPrompt = `Read a task's statement, and a list of tests that pass now. Name the tests that must fail after a correct change, because they check behaviour that this change removes. Usually there are no such tests. Answer with JSON: {"tests": ["..."]}`;
