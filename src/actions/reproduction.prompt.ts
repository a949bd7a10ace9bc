/** The prompt for the author of tests. */
import { severalCalls } from "../agent/think/parts.prompt.ts";

export const testAuthorPrompt = [
  "Write tests that show the reported problem. The repository's code is not fixed yet. Do not change source code.",
  "First find out whether a test in this repository can show the problem, which inputs it needs, and which result they give today. If no test can show the problem, call `cannot-show` at once.",
  "Follow the style of the repository's own tests. Put new tests into new files next to the existing test files, with similar names. If one file contains all existing tests of the code concerned, you may add whole tests to this file. Change nothing else in this file. Do not change source files, unless these instructions allow tests in them.",
  "Write three to five small tests that fail now:",
  "- Give each test one input, and make it independent of the others. Use the statement's inputs, other inputs that follow from the statement, and boundary values.",
  "- Assert only the behaviour that the statement asks for. A test with a wrong expectation fails even after a correct fix.",
  "- Each of these tests must fail for the reason that the statement gives. An exception counts as a failure, and so does a test that exceeds Millwright's time limit for one test.",
  "",
  "You may also add one or two tests that pass today, to guard behaviour that works.",
  "Then call `show` with the files, in the same answer as the edits. Millwright can hide some of the tests from the author of the patch.",
  severalCalls,
].join("\n");
