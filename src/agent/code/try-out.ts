/** A small program, run on the code as it is in a project beside it: so who writes tests sees what happens today. */
import { z } from "zod";
import type { ForgedProject } from "../../forge/contract.ts";
import { knowsProject } from "../../forge/forge-project.ts";
import type { ActionContext } from "../action.ts";
import { shortenKept } from "../record/outputs.ts";
import type { ThinkTool, ToolReply } from "../think/think.ts";
import { layReproductionProject } from "./reproduction-project.ts";
import { openShellDesk, type ShellDesk } from "./shell-desk.ts";

/** The part of an action that `--without` turns off by this name. */
export const tryOutPart = "workspace";

export interface TryOut {
  /** None where it is turned off, or the repository is of no kind for which a project can be made. */
  readonly tools: readonly ThinkTool<never>[];
  close(): Promise<void>;
}

const input = z.object({
  program: z.string().min(1).describe("the whole text of its one file, in the repository's language"),
});

const longestOutput = 4_000;
/** … of what a program that ended well wrote to its errors, its build's warnings among it: their end. */
const longestErrors = 800;
/** Of one program, its build among it. */
const seconds = 300;

/** The project is made when it is first used, and again in a resumed run: every command is a recorded step. */
export async function openTryOut(
  context: Pick<ActionContext, "task" | "workspace" | "recorder" | "limits" | "switches" | "signal">,
): Promise<TryOut> {
  const { workspace, switches } = context;
  const files = await workspace.trees.list(workspace.base);
  const isOffered = !switches.without.includes(tryOutPart) && knowsProject(files.map(({ path }) => path));
  let made: Promise<Made> | undefined;
  const tool: ThinkTool<never> = {
    name: "try_out",
    description:
      "Runs a small program on the unchanged code, to see what the code does today. It imports this repository's code as users do, by its package's name and not by a path. The program is not kept.",
    input,
    async run(asked) {
      made ??= make(context);
      return run(context, await made, input.parse(asked).program);
    },
  };
  return {
    tools: isOffered ? [tool] : [],
    close: async () => (await made?.catch(() => undefined))?.desk.close(),
  };
}

interface Made {
  readonly desk: ShellDesk;
  readonly laid: { readonly forged: ForgedProject; readonly tree: string } | { readonly message: string };
  /** Whether the model was told of it, or of a program that builds. */
  told: boolean;
}

async function make(
  context: Pick<ActionContext, "task" | "workspace" | "recorder" | "limits" | "signal">,
): Promise<Made> {
  const desk = await openShellDesk(context);
  const ended = await layReproductionProject(context, desk);
  const laid = ended.ok ? { forged: ended.forged, tree: desk.tree() } : { message: ended.message };
  return { desk, laid, told: false };
}

async function run(
  { workspace, recorder }: Pick<ActionContext, "workspace" | "recorder">,
  made: Made,
  program: string,
): Promise<ToolReply<never>> {
  const { desk, laid } = made;
  if ("message" in laid) {
    const isFirst = !made.told;
    made.told = true;
    const why = isFirst ? `: ${laid.message}` : ", as reported before";
    return { text: `No program can be tried in this repository${why}. Continue without one.`, isError: true };
  }
  const { forged, tree } = laid;
  desk.change(await workspace.trees.write(tree, [{ path: forged.entry, content: program }]));
  const { end, exitCode, stdout, stderr } = await desk.execute(forged.run, seconds);
  const ended = end === "timed-out" ? `killed after ${seconds} s` : `exit code ${exitCode ?? "unknown"}`;
  const errors = exitCode === 0 ? endOf(stderr.trimEnd(), longestErrors) : stderr.trimEnd();
  const said = [stdout.trimEnd(), errors].filter((text) => text !== "").join("\n");
  const about = exitCode === 0 || made.told ? [] : [describe(forged)];
  made.told ||= exitCode !== 0;
  return { text: [ended, shortenKept(said, longestOutput, recorder.outputs), ...about].join("\n") };
}

/** From the beginning of a line. */
function endOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.slice(-most);
  return `…${end.slice(Math.max(0, end.indexOf("\n")))}`;
}

/** For whose program did not run: how one begins here. */
function describe({ entry, files, notes }: ForgedProject): string {
  const start = files.get(entry)?.trim() ?? "";
  return [`A program that builds and runs here, for comparison:\n${start}`, ...notes].join("\n");
}
