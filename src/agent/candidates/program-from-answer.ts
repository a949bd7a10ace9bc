/** Turns a model's answer into a standalone program, and runs it on the base. For strategies without tools. */
import { fail, type Result, succeed } from "../../base/result.ts";
import type { ActionContext } from "../action.ts";
import { applyWrittenEdits } from "../code/written-edits.ts";
import type { ProgramContext } from "../measure/run-program.ts";
import { isProgramFile, programFolder, type StandaloneProgram } from "../state/standalone-program.ts";
import { showPrograms } from "./shown-programs.ts";

const commandLine = /^Command: (.*)$/m;

/**
 * Returns the program, or a message to the model. Undefined for an answer without the line `Command: …`, or without a
 * file of a program: the line may belong to a test's own text.
 */
export async function programFromAnswer(
  context: ProgramContext & Pick<ActionContext, "view" | "regions">,
  answer: string,
): Promise<Result<StandaloneProgram, "not-shown"> | undefined> {
  const [line, given = ""] = commandLine.exec(answer) ?? [];
  if (line === undefined || !answer.includes(`${programFolder}/`)) return undefined;
  const command = given.trim().replace(/^`(.*)`$/, "$1");
  const { trees, base } = context.workspace;
  const refuse = (path: string): string | undefined =>
    isProgramFile(path) ? undefined : `Write the program below ${programFolder}/, and not into ${path}.`;
  const made = await applyWrittenEdits(context, base, answer.replace(line, ""), { refuse });
  if (!made.ok) return fail("not-shown", made.message);
  const files = (await trees.stat(base, made.value)).map(({ path }) => path);
  const file = files.find((path) => command.includes(path)) ?? files[0] ?? "";
  const { programs, text } = await showPrograms(context, made.value, [{ file, command }]);
  const [program] = programs;
  return program === undefined ? fail("not-shown", text) : succeed(program);
}
