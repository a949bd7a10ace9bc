import { runScript } from "../../agent/code/reproduction-project.ts";
import type { ForgeEnd } from "../../forge/forge-project.ts";

export const system = `You work on a task in a repository, with a shell, an editor and a tracer. Nobody reads along and nobody answers: do what is needed with the tools, and look at what they say before what depends on it; several calls in one answer are done in their order.
It goes well in these stages.
1. Explore briefly: the manifests, the code that the statement names. A few steps, no more.
2. Reproduce. Write the smallest program that shows the problem into the reproduction project that stands ready, and run it, until its output is what the statement complains of. A reproduction that does not build, or shows something else, shows nothing.
3. Trace, where it is not clear already. Name the few functions between what the reproduction calls and where it goes wrong to \`trace\`, with the reproduction as its command; nothing is added to the files. Values and the order of calls say where the wrong one comes from. Then change the code, in its cause and as little as needed, and run the reproduction and the near tests again. An idea that was wrong is taken back before the next.
4. Leave a new test of the problem, in a function of its own, where the repository has its tests: it is what your work is judged by, and stands beside the patch. Of its cases one takes the statement's own values. Tests that are there are not changed; imports at the top of their file may be. Submit.
Where nothing can be reproduced with reasonable effort, read instead: follow the code by hand, change it, and run the tests.
Of answers that are long ago you see only their first and last lines: note what you need of them.`;

/** What the stages lose where one is turned off. */
export function systemWithout({
  workspace,
  trace,
}: {
  readonly workspace: boolean;
  readonly trace: boolean;
}): string {
  const text = workspace
    ? system
    : system.replace(
        "into the reproduction project that stands ready",
        "wherever it can stand, and take it away at the end",
      );
  return trace
    ? text
    : text
        .replace("a shell, an editor and a tracer", "a shell and an editor")
        .replace(/3\. Trace, .*? Then change/s, "3. Find the cause. Then change");
}

/** What stands ready, or why nothing does. */
export function describeForge(forged: ForgeEnd): string {
  if (!forged.ok)
    return `None could be made: ${forged.message} Make one yourself outside of the sources, or a test.`;
  const { entry, notes, imports } = forged.forged;
  const about = imports.filter((name) => name !== "");
  return [
    `It builds, and is no part of the patch. ${about.length === 0 ? "" : `It depends on ${about.join(", ")}. `}Write the program into \`${entry}\`, best by a here-document of \`bash\`, for a file of that name is there. From the repository's root \`sh ${runScript}\` builds and runs it, and is what \`trace\` takes as its command too. Let it end with an error where it sees what the statement complains of.`,
    ...notes,
  ].join("\n");
}
