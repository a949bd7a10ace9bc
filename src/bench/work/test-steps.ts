/**
 * Lists the outputs of tests and commands during a run, in order. Metrics on reproductions and compile errors use them.
 */
import { z } from "zod";
import { runScript } from "../../agent/code/reproduction-project.ts";
import { type TestOutcome, testOutcomeSchema } from "../../domain/test-outcome.ts";
import { reproducing } from "./reproducing.ts";
import { runsOneOf, writtenFiles } from "./reproduction-command.ts";
import type { RunRecord } from "./run-record.ts";

/** Tools that run commands. All others show texts, which may quote messages. */
const running: ReadonlySet<string> = new Set(["bash", "trace", "try_out", "execute_bash", "terminal", "run"]);
/** The folder of the commands that Millwright adds for reproductions. */
const reproductionFolder = runScript.slice(0, runScript.lastIndexOf("/") + 1);

export interface Said {
  /** `tests`: Millwright ran tests. `command`: the model ran a command. */
  readonly by: "tests" | "command";
  /** True if the step writes a reproduction or runs its program. */
  readonly isReproduction: boolean;
  /**
   * True for a command that runs a file that the agent wrote itself: the reproduction of an agent that only has a
   * shell.
   */
  readonly runsOwnFile: boolean;
  readonly outcomes: readonly TestOutcome[];
  /**
   * For tests, each distinct text of a failure, and the reason why the report is unreliable, if any. For a command, its
   * whole output.
   */
  readonly texts: readonly string[];
}

const ranSchema = z.object({ outcomes: z.array(testOutcomeSchema), invalid: z.string().optional() });

export async function listSaid(record: RunRecord): Promise<Said[]> {
  const open = new Set<string>();
  const said: Said[] = [];
  const written = new Map<string | undefined, string[]>();
  for (const event of record.events) {
    if (event.event === "action-started" && reproducing.has(event.action)) open.add(actionId(event));
    if (event.event === "action-ended") open.delete(actionId(event));
    if (event.event === "step-finished" && event.step.startsWith("tests:")) {
      const ran = ranSchema.safeParse(await record.result(event.result));
      if (!ran.success) continue;
      const { outcomes, invalid = "" } = ran.data;
      const failures = outcomes.flatMap(({ failure }) => (failure === undefined ? [] : failure.text));
      const texts = [...new Set([...failures, invalid])].filter((text) => text !== "");
      said.push({ by: "tests", isReproduction: open.size > 0, runsOwnFile: false, outcomes, texts });
    }
    if (event.event !== "tool-ended") continue;
    const own = written.get(event.arm) ?? [];
    const act = record.act(event);
    const command = act?.kind === "command" ? act.command : "";
    written.set(event.arm, [...own, ...writtenFiles(command), ...(act?.kind === "create" ? [act.path] : [])]);
    if (!running.has(event.tool)) continue;
    const isProgram = event.tool === "try_out" || event.about.includes(reproductionFolder);
    const isReproduction = isProgram || reproducing.has(event.action ?? "");
    const runsOwnFile = runsOneOf(command, written.get(event.arm) ?? []);
    const texts = [record.output(event.output)];
    said.push({ by: "command", isReproduction, runsOwnFile, outcomes: [], texts });
  }
  return said;
}

function actionId({ arm = "", round, action }: { arm?: string | undefined; round: number; action: string }) {
  return JSON.stringify([arm, round, action]);
}
