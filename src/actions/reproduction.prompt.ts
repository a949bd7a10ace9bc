/** The prompt for the author of tests. */
import { programFolder } from "../agent/state/standalone-program.ts";
import { severalCalls } from "../agent/think/parts.prompt.ts";

const command = `Give \`show\` the program's plain command line, without shell operators. For several steps, write a shell script and run it with sh.`;

const forTests = (task: string, subject: string, programs: readonly string[]): string =>
  [
    `${task} Do not change source code.`,
    `First find out whether a test in this repository can show ${subject}, which inputs the test needs, and which result these inputs give today. If nothing can show ${subject}, call \`cannot-show\` at once.`,
    "Follow the style of the repository's own tests. Put new tests into new files next to the existing test files, with similar names. If one file contains all existing tests of the code concerned, you may add whole tests to this file. Change nothing else in this file. Do not change source files, unless the notes on the repository's tests in the first message tell you to write tests in a source file.",
    "Write three to five small tests that fail now:",
    "- Give each test one input, and make it independent of the others. Use the statement's inputs, other inputs that follow from the statement, and boundary values.",
    "- Assert only the behaviour that the statement asks for. A test with a wrong expectation fails even after a correct fix.",
    "- Each of these tests must fail for the reason that the statement gives. An exception counts as a failure, and so does a test that exceeds Millwright's time limit for one test.",
    "",
    ...programs,
    "You may also add one or two tests that pass today, to guard behaviour that works.",
    "Then call `show` with the files, in the same answer as the edits. Millwright can hide some of the tests from the author of the patch.",
    severalCalls,
  ].join("\n");

const aboutPrograms = `If the framework's tests cannot show the problem with reasonable effort, write a standalone program below ${programFolder}/. It must end with an error now, and with exit code 0 after a correct fix. ${command} A program shows the author of the patch the problem, but only a test can verify the patch.`;

/** The prompt for tests of a reported fault, which may also write a standalone program. */
const testAuthorPrompt = forTests(
  "Write tests that show the reported problem. The repository's code is not fixed yet.",
  "the problem",
  [aboutPrograms],
);

/** The prompt for tests of code that does not exist yet. */
const specificationPrompt = forTests(
  "Write tests of the behaviour that the statement asks for. The repository does not have this behaviour yet.",
  "this behaviour",
  [],
);

/** The prompt if the repository has no tests that Millwright can run. */
const programAuthorPrompt = [
  "Write a standalone program that shows the reported problem. The repository's code is not fixed yet. Do not change source code. Millwright cannot run tests of this repository.",
  "First find out whether a program can show the problem, which inputs the program needs, and which result these inputs give today. If no program can show the problem, call `cannot-show` at once.",
  `Write the program into a new file below ${programFolder}/, in a language that the repository's tools can run. It must call the repository's own code, end with an error now because of the reported problem, and end with exit code 0 after a correct fix. Assert only the behaviour that the statement asks for.`,
  `Then call \`show\` with the program, in the same answer as the edit. ${command} Millwright runs the program with each candidate.`,
  severalCalls,
].join("\n");

/**
 * Makes the prompt for the author. `hasTests`: false if no test of the repository can run. `takesPrograms`: true for
 * kinds with a reported fault.
 */
export function authorPrompt(asked: { readonly hasTests: boolean; readonly takesPrograms: boolean }): string {
  if (!asked.hasTests) return programAuthorPrompt;
  return asked.takesPrograms ? testAuthorPrompt : specificationPrompt;
}
