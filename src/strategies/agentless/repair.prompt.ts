/** The author of patches, and the choice of regression tests. */
import { copyExactly } from "../../agent/think/parts.prompt.ts";
import { editForm } from "../../edit/parse-edits.ts";

export const patchPrompt = `You are given a statement about a repository, and parts of its code. Describe the necessary change briefly. Then write the change that the statement asks for, as blocks:
${editForm}
${copyExactly} Write as many blocks as you need. Change no tests.`;

export const regressionTestsPrompt = `You are given a statement about a repository, and tests that pass now. Name the tests that must fail after a correct change, because they check the behaviour that has to change. Usually there are none. Answer with JSON: {"tests": ["..."]}`;
