import { runScript } from "../../agent/code/reproduction-project.ts";
import { stepByStep } from "../../agent/think/parts.prompt.ts";
import type { ForgeEnd } from "../../forge/forge-project.ts";

/** The stages that are offered: a project for the reproduction, and a tracer. */
interface Offered {
  readonly workspace: boolean;
  readonly trace: boolean;
}

const traceStage =
  "Trace the fault, unless its cause is already clear. Call `trace` with the reproduction as the command. Choose the few functions between the reproduction's call and the failing place. `trace` changes no files. The recorded values and the order of calls show where the wrong value comes from.";

/** Returns the whole prompt, without the disabled stages. */
export function stagesPrompt({ workspace, trace }: Offered): string {
  const tools = trace ? "a shell, an editor and a tracer" : "a shell and an editor";
  const place = workspace
    ? "in the reproduction project, which already exists"
    : "in any folder where it can run";
  const remove = workspace ? "" : " Remove the program at the end.";
  return `Complete a task in a repository, with ${tools}. ${stepByStep} Several calls in one answer run in order.
Work in these stages:
1. Read the manifests and the code that the statement names. Take only a few steps for this.
2. Reproduce the problem. Write the smallest program that shows it, ${place}. Improve and run the program until its output shows the reported problem.${remove} A program proves nothing if it does not build, or if it shows another problem.
3. ${trace ? traceStage : "Find the cause."} Then change the code at the cause, as little as possible. Run the reproduction and the related tests again. Undo a wrong change before you try the next idea.
4. Add a new test of the problem, in its own function, next to the repository's own tests. Use the statement's own values in one of its cases. The gate judges your patch by this test, and Millwright delivers the test with the patch. Do not change existing tests; you may change imports at the top of their file.
5. Submit.

If you cannot reproduce the problem with reasonable effort, find the cause by reading the code. Then change the code and run the tests.
Millwright shortens old results to their first and last lines, so write down the facts that you need.`;
}

/** Describes the reproduction project, or says why there is none. */
export function describeForge(forged: ForgeEnd): string {
  if (!forged.ok)
    return `Millwright could not create a reproduction project: ${forged.message}\nCreate one yourself outside the sources, or write a test.`;
  const { entry, notes, imports } = forged.forged;
  const about = imports.filter((name) => name !== "");
  const depends = about.length === 0 ? "" : ` It depends on ${about.join(", ")}.`;
  const run = `sh ${runScript}`;
  return [
    `The project builds. It is not part of the patch.${depends}`,
    `Write the program into the existing file ${entry}: overwrite it, for example with a here-document in the shell.`,
    `In the repository's root, the command "${run}" builds and runs the program. Give the same command to the tool "trace", if you have this tool.`,
    "The program must exit with an error when it sees the reported problem.",
    ...notes,
  ].join("\n");
}
