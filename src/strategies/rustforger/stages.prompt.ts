import { runScript } from "../../agent/code/reproduction-project.ts";
import { stepByStep } from "../../agent/think/parts.prompt.ts";
import type { ForgeEnd } from "../../forge/forge-project.ts";

/** The stages that are offered: a project for the reproduction, and a tracer. */
interface Offered {
  readonly workspace: boolean;
  readonly trace: boolean;
}

const traceStage =
  "Trace, unless the cause is already clear. Call `trace` for the few functions between the reproduction's call and the failing place, with the reproduction as the command; it changes no files. Values and the order of calls show where the wrong value comes from.";

/** The whole prompt, without the stages that are turned off. */
export function stagesPrompt({ workspace, trace }: Offered): string {
  const tools = trace ? "a shell, an editor and a tracer" : "a shell and an editor";
  const place = workspace ? "in the reproduction project, which is ready" : "anywhere that works";
  const remove = workspace ? "" : " Remove it at the end.";
  return `You work on a task in a repository, with ${tools}. ${stepByStep} Several calls in one answer run in order.
Work in these stages.
1. Explore briefly: the manifests, the code that the statement names. A few steps, no more.
2. Reproduce. Write the smallest program that shows the problem. Put it ${place}. Run it until its output shows the reported problem.${remove} A reproduction that does not build, or shows something else, proves nothing.
3. ${trace ? traceStage : "Find the cause."} Then change the code at the cause, as little as needed. Run the reproduction and the related tests again. Undo a wrong change before you try the next idea.
4. Add a new test of the problem, in its own function, where the repository has its tests. The gate judges your patch by this test, which is delivered with the patch. One of its cases uses the statement's own values. Do not change existing tests; you may change imports at the top of their file. Submit.
If you cannot reproduce the problem with reasonable effort, read instead: follow the code by hand, change it, and run the tests.
You see only the first and last lines of old results, so write down what you need.`;
}

/** Describes the reproduction project, or says why there is none. */
export function describeForge(forged: ForgeEnd): string {
  if (!forged.ok)
    return `No project could be created: ${forged.message} Create one yourself outside the sources, or write a test.`;
  const { entry, notes, imports } = forged.forged;
  const about = imports.filter((name) => name !== "");
  return [
    `The project builds, and is not part of the patch. ${about.length === 0 ? "" : `It depends on ${about.join(", ")}. `}Write the program into \`${entry}\`. This file already exists: overwrite it, for example with a here-document in \`bash\`. In the repository's root, \`sh ${runScript}\` builds and runs it; give \`trace\` the same command. The program must exit with an error when it sees the reported problem.`,
    ...notes,
  ].join("\n");
}
