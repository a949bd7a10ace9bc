/** Parts that several prompts share. */

/** Asks for several calls in one answer, because two calls in one answer cost half as much as two answers. */
export const severalCalls =
  "You can make several calls in one answer if no call needs the result of another. The calls run in order.";

/** The instruction to a role that works alone until its task is done. */
export const stepByStep =
  "Nobody reads your messages or answers your questions. Use the tools step by step, and read each result before the next step.";

/** The end of an instruction to report places. */
export const reportRead = "Report only code that you have read.";

/** The rule for the original part of an edit. */
export const copyExactly =
  "Copy the original part exactly from the code, as whole lines with their indentation. It must occur exactly once in its file.";

/** A new file of tests in a text. */
const testFileForm = `path/of/the/new/file
<<<<<<< ORIGINAL
=======
the whole file
>>>>>>> UPDATED`;

/** The form of a standalone program in an answer. */
const programForm = `.millwright/programs/show.py
<<<<<<< ORIGINAL
=======
the whole program
>>>>>>> UPDATED
Command: env PYTHONPATH=. python3 .millwright/programs/show.py`;

/** The prompt for one standalone program, for a model without tools, if no test can run. */
export const oneProgramPrompt = `Read a task's statement. Write one small standalone program that calls the repository's code. It must end with an error now because of the reported problem, and with exit code 0 after a fix. Check only the behaviour in the statement. Write the program as one block with an empty original part. Add its command line for the repository's root, without shell operators:
${programForm}`;

/** The prompt for one test, for a model without tools. */
export const oneTestPrompt = `Read a task's statement, and some of the repository's tests as examples. Write one new test file with the same framework and style, in the same folder, with a similar name. Write one small test in this file. The test must fail now because of the reported problem, and pass after a fix. Check only the behaviour in the statement. Write the file as one block with an empty original part:
${testFileForm}

If no test of the framework can show the problem, write a standalone program instead, with its command line for the repository's root. It must end with an error now, and with exit code 0 after a fix:
${programForm}`;

/** Joins the sections, and omits those without a text. */
export function joinSections(sections: readonly (readonly [title: string, text: string])[]): string {
  return sections
    .filter(([, text]) => text !== "")
    .map(([title, text]) => `# ${title}\n\n${text}`)
    .join("\n\n");
}
