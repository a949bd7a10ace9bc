/** Runs a standalone program of the run on a tree, in a fresh checkout of the sandbox. */
import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { hashData, hashText } from "../../base/hash.ts";
import type { FileChange, TreeStore } from "../../workspace/contract.ts";
import { fileMode } from "../../workspace/file-mode.ts";
import { runShell } from "../../workspace/run-shell.ts";
import type { ActionContext } from "../action.ts";
import { cutSchema, limitedStep, type Reached } from "../record/limited-step.ts";
import { joinOutput, lastException } from "../state/program-output.ts";
import { isProgramFile, type StandaloneProgram } from "../state/standalone-program.ts";

export type ProgramContext = Pick<ActionContext, "workspace" | "recorder" | "limits" | "signal">;

const ranSchema = z.object({
  end: z.string(),
  exitCode: z.int().nullable(),
  output: z.string(),
  exception: z.string(),
  ...cutSchema,
});
type Ran = z.infer<typeof ranSchema>;

/** Millwright's limits for one program, and for a program that begins with a build from scratch. */
const patience = { usualMs: 300_000, buildMs: 20 * 60_000 };
const outputBytes = 64 * 1024;

/** Runs a standalone program. `run`: 2 runs an equal program again, for a second result. */
export async function runProgram(
  context: ProgramContext,
  {
    command,
    folder,
    tree,
    builds = false,
  }: Pick<StandaloneProgram, "command" | "folder" | "tree" | "builds">,
  on: string,
  run: 1 | 2 = 1,
): Promise<Ran> {
  const { workspace, signal } = context;
  const laid = await withProgram(workspace.trees, on, { folder, tree });
  const options = {
    key: `program:${run}:${hashText(JSON.stringify([command, laid]))}`,
    title: `$ ${command}`,
    schema: ranSchema,
    large: true,
    usualMs: builds ? patience.buildMs : patience.usualMs,
    decides,
    reached,
  };
  return limitedStep<Ran>(context, options, async (timeoutMs) => {
    const checkout = await workspace.openCheckout();
    try {
      await checkout.lay(laid);
      const ended = await runShell(checkout, {
        text: command,
        directory: "",
        timeoutMs,
        outputBytes,
        signal,
      });
      const { end, exitCode } = ended;
      const output = stripVTControlCharacters(joinOutput(ended.stdout, ended.stderr));
      const result = { end, exitCode, output, exception: lastException(output) };
      return { result, isCut: end === "timed-out" };
    } finally {
      await checkout.close();
    }
  });
}

/** The result without its texts, which contain times and addresses. */
function decides({ end, exitCode }: Ran): unknown {
  return [end, exitCode];
}

/** A replay takes the recorded output if the program ends in the same way. */
const reached: Reached<Ran> = {
  of: (result) => result,
  only(result, recorded) {
    const known = ranSchema.safeParse(recorded).data;
    return known !== undefined && hashData(decides(known)) === hashData(decides(result)) ? known : result;
  },
};

/** Replaces a tree's files in the program's folder with the program's own, which keep their modes. */
export async function withProgram(
  trees: Pick<TreeStore, "list" | "read" | "write">,
  on: string,
  { folder, tree }: Pick<StandaloneProgram, "folder" | "tree">,
): Promise<string> {
  const isOwn = (path: string): boolean => path.startsWith(`${folder}/`);
  const modes = new Map((await trees.list(tree)).map(({ path, mode }) => [path, mode]));
  const own = [...modes.keys()].filter(isOwn);
  const others = (await trees.list(on)).map(({ path }) => path).filter(isOwn);
  const changes: FileChange[] = others
    .filter((path) => !own.includes(path))
    .map((path) => ({ path, content: null }));
  for (const path of own) {
    const mode = fileMode(modes.get(path));
    const content = (await trees.read(tree, path)) ?? null;
    changes.push({ path, content, ...(mode === undefined ? {} : { mode }) });
  }
  return changes.length === 0 ? on : trees.write(on, changes);
}

/** Returns the tree with the programs' folder of the base. Normally, the base has no such folder. */
export async function withoutPrograms(
  { trees, base }: Pick<ActionContext["workspace"], "trees" | "base">,
  tree: string,
): Promise<string> {
  const changed = (await trees.stat(base, tree)).map(({ path }) => path).filter(isProgramFile);
  const changes: FileChange[] = [];
  for (const path of changed) changes.push({ path, content: (await trees.read(base, path)) ?? null });
  return changes.length === 0 ? tree : trees.write(tree, changes);
}
