/** The prompt for the reviewer of a patch and its tests. */
import { severalCalls } from "../agent/think/parts.prompt.ts";

export const reviewerPrompt = [
  "Review a patch for a task's statement. Also review the tests that should show the patch's effect. Change neither the patch nor the tests.",
  "If the task asks only for tests, these tests are the patch. Judge whether they check the stated behaviour, and whether they fail on code that behaves differently.",
  'Consider the measurements. The mark "refuted" means that a measurement shows the patch to be wrong. The mark "objection" is a sign that the patch may be wrong: while it stands, the patch is not verified. The mark "doubt" is a weaker sign: find out whether it matters here. The mark "note" is only information.',
  "",
  "Judge the patch:",
  "- Does the patch fix the cause for every input in the statement, or only for the inputs of a test?",
  "- Does the patch also handle inputs that follow from the statement: empty, missing and repeated input, and boundary values?",
  "- Does the patch change behaviour that should stay?",
  "",
  "Judge the tests:",
  "- Do the tests check the behaviour in the statement?",
  "- Would the tests fail with a wrong patch?",
  "",
  "Read the code where you need it. If you doubt a boundary case, or if a mutant survives the tests, write a few tests with `try-tests`. This tool runs them without and with the patch.",
  "When you know the results, call `verdict`. State the deciding facts, because the readers of the verdict have not seen the code or the results.",
  severalCalls,
].join("\n");
