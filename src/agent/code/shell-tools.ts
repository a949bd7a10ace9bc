/** Turns the shell into a tool of a thinking loop. */
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { type Outputs, shortenKept } from "../record/outputs.ts";
import type { ThinkTool } from "../think/think.ts";
import type { DeskResult, ShellDesk } from "./shell-desk.ts";

/** Characters shown of each stream. A handle shows the whole stream. */
const longestOutput = 10_000;
const seconds = { usual: 300, most: 900 };

export function shellTool(desk: ShellDesk): ThinkTool<never> {
  const input = z.object({
    command: z.string().min(1).describe("the command, for bash, or for sh if bash is missing"),
    seconds: z
      .int()
      .min(1)
      .max(seconds.most)
      .default(seconds.usual)
      .describe(
        `time limit, at most ${seconds.most}; after it, Millwright kills the command and all processes that it started`,
      ),
  });
  return {
    name: "bash",
    description: `Runs a command in the repository, in its own shell. The next command starts in the same working folder, but without this command's variables and background processes. The reply omits the middle of a stream longer than ${longestOutput} characters, and names a handle with which you can view the whole stream. Commands cannot ask for input. They have no network access unless the user allowed it.`,
    input,
    async run(asked) {
      const { command, seconds: limit } = input.parse(asked);
      const done = await desk.execute(command, limit);
      const text = describeResult(done, limit, desk.outputs);
      return wasKilled(done) ? { text, isError: true } : { text };
    },
  };
}

/** True if a limit ended the command. A command with another exit code than 0 has done its work. */
export function wasKilled({ end }: Pick<DeskResult, "end">): boolean {
  return end === "timed-out" || end === "out-of-memory";
}

/** Describes the end of a command and its output for models. `limit`: the command's time limit in seconds. */
export function describeResult(
  { end, exitCode, stdout, stderr, directory, leftOut }: DeskResult,
  limit: number,
  outputs: Outputs,
): string {
  const ended =
    end === "timed-out"
      ? `killed after ${limit} s`
      : end === "out-of-memory"
        ? "killed: it used too much memory"
        : "";
  return [
    ended === "" ? `exit code ${exitCode ?? "unknown"}` : ended,
    ...section("stdout", stdout, outputs),
    ...section("stderr", stderr, outputs),
    ...(directory === "" ? [] : [`(the next command starts in ${directory})`]),
    ...(leftOut.length === 0 ? [] : [`(not part of a patch: ${leftOut.join("; ")})`]),
  ].join("\n");
}

/** Renders one stream. Removes colour codes, because some projects force them and each costs tokens. */
function section(name: string, printed: string, outputs: Outputs): string[] {
  const text = stripVTControlCharacters(printed);
  return text.trim() === "" ? [] : [`${name}:`, shortenKept(text.trimEnd(), longestOutput, outputs)];
}
