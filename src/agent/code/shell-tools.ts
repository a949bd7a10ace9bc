/** The shell as a tool of a thinking loop. */
import { z } from "zod";
import { type Outputs, shortenKept } from "../record/outputs.ts";
import type { ThinkTool } from "../think/think.ts";
import type { DeskResult, ShellDesk } from "./shell-desk.ts";

/** Characters of each stream that are shown: the whole can be looked at by its handle. */
const longestOutput = 10_000;
const seconds = { usual: 300, most: 900 };

export function shellTool(desk: ShellDesk): ThinkTool<never> {
  const input = z.object({
    command: z.string().min(1).describe("text for bash, or for sh where there is none"),
    seconds: z
      .int()
      .min(1)
      .max(seconds.most)
      .default(seconds.usual)
      .describe(`it is killed then, with all that it started; ${seconds.most} are the most`),
  });
  return {
    name: "bash",
    description: `Runs a command in the repository, in a shell of its own: the working folder is kept for the next command, variables and background processes are not. Of a stream with more than ${longestOutput} characters the middle is left out, under a name to view it by. Nobody can answer a question of the command. There is no network, unless the user has allowed it.`,
    input,
    async run(asked) {
      const { command, seconds: limit } = input.parse(asked);
      return { text: describe(await desk.execute(command, limit), limit, desk.outputs) };
    },
  };
}

function describe(
  { end, exitCode, stdout, stderr, directory, leftOut }: DeskResult,
  limit: number,
  outputs: Outputs,
): string {
  const ended =
    end === "timed-out" ? `killed after ${limit} s` : end === "out-of-memory" ? "killed for its memory" : "";
  return [
    ended === "" ? `exit code ${exitCode ?? "unknown"}` : ended,
    ...section("stdout", stdout, outputs),
    ...section("stderr", stderr, outputs),
    ...(directory === "" ? [] : [`(the next command starts in ${directory})`]),
    ...(leftOut.length === 0 ? [] : [`(no part of a patch: ${leftOut.join("; ")})`]),
  ].join("\n");
}

function section(name: string, text: string, outputs: Outputs): string[] {
  return text.trim() === "" ? [] : [`${name}:`, shortenKept(text.trimEnd(), longestOutput, outputs)];
}
