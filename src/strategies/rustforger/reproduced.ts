/**
 * Takes the reproduction project as a standalone program of the run: evidence for the work, but not for the verdict.
 */
import { z } from "zod";
import type { RunContext } from "../../agent/action.ts";
import { runPrograms } from "../../agent/candidates/run-programs.ts";
import { showOne } from "../../agent/candidates/shown-programs.ts";
import { runScript } from "../../agent/code/reproduction-project.ts";
import { remarkOnce } from "../../agent/record/once.ts";
import {
  type StandaloneProgram,
  showsFault,
  tellProgramOutput,
} from "../../agent/state/standalone-program.ts";
import type { ThinkTool } from "../../agent/think/think.ts";
import { type ForgedProject, forgeFolder } from "../../forge/contract.ts";

/**
 * Returns the project in `tree` as a program. Undefined if nobody wrote a project. Also undefined if the project does
 * not fail on the base; a remark then gives the reason.
 */
export async function takeReproduction(
  context: RunContext,
  { entry, files }: ForgedProject,
  tree: string,
): Promise<StandaloneProgram | undefined> {
  const { trees, base } = context.workspace;
  const text = (await trees.read(tree, entry))?.toString("utf8");
  if (text === undefined || text === files.get(entry)) return undefined;
  const command = `sh ${runScript}`;
  const program = { file: entry, command, folder: forgeFolder, tree, text, builds: true };
  const made = await showOne(context, program, base);
  if (typeof made !== "string") return made;
  remarkOnce(context.recorder, `The reproduction does not count: ${made}`);
  return undefined;
}

const longest = 4_000;
const wrong = z
  .string()
  .default("")
  .describe("the reason why the reproduction is wrong, if it still fails after a correct change");

/**
 * Makes `submit` report that the reproduction still fails, once for each state of the files. `take` returns the program
 * in the current tree. `onWrong` gets the model's reason why the program is wrong.
 */
export function withReproduction(
  submit: ThinkTool<true>,
  context: RunContext,
  {
    take,
    tree,
    onWrong,
  }: {
    readonly take: () => Promise<StandaloneProgram | undefined>;
    readonly tree: () => string;
    readonly onWrong: (reason: string) => void;
  },
): ThinkTool<true> {
  const input = submit.input.extend({ wrongReproduction: wrong });
  let told = "";
  return {
    ...submit,
    input,
    async run(asked) {
      const reason = z.object({ wrongReproduction: wrong }).parse(asked).wrongReproduction.trim();
      if (reason !== "") onWrong(reason);
      const isOver = reason !== "" || told === tree() || context.limits.exhausted() !== undefined;
      const program = isOver ? undefined : await take();
      const [ran] =
        program === undefined ? [] : await runPrograms(context, { programs: [program] }, { tree: tree() });
      if (ran === undefined || !showsFault(ran.run)) return submit.run(asked);
      told = tree();
      return {
        text: `Not submitted yet. The reproduction still fails with your change: it ${tellProgramOutput(ran.run, longest)}\nContinue. Or call \`submit\` again: unchanged, which leaves the patch unverified, or with \`wrongReproduction\`.`,
        isError: true,
      };
    },
  };
}
