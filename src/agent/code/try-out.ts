/**
 * Runs a small program on the unchanged code, in a separate project, so that authors of tests see current behaviour.
 */
import { z } from "zod";
import type { ForgedProject } from "../../forge/contract.ts";
import { knowsProject } from "../../forge/forge-project.ts";
import type { ActionContext } from "../action.ts";
import { shortenKept } from "../record/outputs.ts";
import type { ThinkTool, ToolReply } from "../think/think.ts";
import { withoutBuildWarnings } from "./build-output.ts";
import { layReproductionProject } from "./reproduction-project.ts";
import { openShellDesk, type ShellDesk } from "./shell-desk.ts";
import { wasKilled } from "./shell-tools.ts";

/** The name that disables this tool in a run's switches. The tool is a part of an action. */
export const tryOutPart = "workspace";

export interface TryOut {
  /** The tool, as a list. Empty if the tool is disabled, or if Millwright cannot create a project for this repository. */
  readonly tools: readonly ThinkTool<never>[];
  close(): Promise<void>;
}

const input = z.object({
  program: z.string().min(1).describe("the whole program, as one file in the repository's language"),
});

const longestOutput = 4_000;
/** Characters from the end of a successful program's standard error, without warnings of its build. */
const longestErrors = 800;
/** Time limit of one program in seconds, including its build. */
const seconds = 300;

/**
 * Opens the tool for small programs. Creates the project at the first use. A resumed run creates it again, because
 * every command is a recorded step.
 */
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
      "Runs a small program on the unchanged code, to observe today's behaviour. The program imports this repository's code as users do, by its package's name and not by a path. Millwright does not keep the program.",
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
  /** True once the model has seen the message, or an example program. */
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
    return {
      text: `Programs cannot run on this repository's code${why}. Continue without \`try_out\`.`,
      isError: true,
    };
  }
  const { forged, tree } = laid;
  desk.change(await workspace.trees.write(tree, [{ path: forged.entry, content: program }]));
  const done = await desk.execute(forged.run, seconds);
  const { end, exitCode, stdout, stderr } = done;
  const ended = end === "timed-out" ? `killed after ${seconds} s` : `exit code ${exitCode ?? "unknown"}`;
  const files = async (): Promise<ReadonlySet<string>> =>
    new Set((await workspace.trees.list(tree)).map(({ path }) => path));
  const errors =
    exitCode === 0 && stderr.trim() !== ""
      ? endOf(withoutBuildWarnings(stderr, { own: forged.entry, files: await files() }), longestErrors)
      : stderr.trimEnd();
  const said = [stdout.trimEnd(), errors].filter((text) => text !== "").join("\n");
  const about = exitCode === 0 || made.told ? [] : [describe(forged)];
  made.told ||= exitCode !== 0;
  const text = [ended, shortenKept(said, longestOutput, recorder.outputs), ...about].join("\n");
  return wasKilled(done) ? { text, isError: true } : { text };
}

/** Returns the end of a text, from the beginning of a line. */
function endOf(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = text.slice(-most);
  return `…${end.slice(Math.max(0, end.indexOf("\n")))}`;
}

/** An example that works here, for authors whose program did not run. */
function describe({ entry, files, notes }: ForgedProject): string {
  const start = files.get(entry)?.trim() ?? "";
  return [`A program that builds and runs here, for comparison:\n${start}`, ...notes].join("\n");
}
