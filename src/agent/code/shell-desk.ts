/**
 * A shell in a checkout. Records the checkout's files as a tree after each command. A resumed run restores the tree of
 * the last recorded command and continues, so no command runs twice. A resumed run loses files outside the tree
 * (ignored files, the home folder).
 */
import { z } from "zod";
import { hashData, hashText } from "../../base/hash.ts";
import type { ProjectView } from "../../languages/contract.ts";
import { viewProject } from "../../workspace/project-view.ts";
import { runShell } from "../../workspace/run-shell.ts";
import { cutSchema, type LimitedResult, limitedStep, type Reached } from "../record/limited-step.ts";
import type { Outputs } from "../record/outputs.ts";
import type { StrategyContext } from "../strategy.ts";

export interface ShellDesk {
  /** The repository's root, as the model knows it. */
  readonly root: string;
  /** Stores texts that are too long to show. */
  readonly outputs: Outputs;
  /** Returns the tree with the current files. */
  tree(): string;
  /** A view of the folder's files, to inspect the project before the first command. `files`: the tree's paths. */
  project(files: readonly string[]): ProjectView;
  /** Replaces the files with those of another tree. */
  change(tree: string): void;
  execute(command: string, seconds: number): Promise<DeskResult>;
  close(): Promise<void>;
}

const resultSchema = z.object({
  end: z.string(),
  exitCode: z.int().nullable(),
  stdout: z.string(),
  stderr: z.string(),
  /** The working folder of the next command, relative to the root. */
  directory: z.string(),
  tree: z.string(),
  /** Files that the tree does not contain. */
  leftOut: z.array(z.string()),
  ...cutSchema,
});
export type DeskResult = z.infer<typeof resultSchema>;

/** Maximum bytes kept of each stream. Keeps both ends of a longer stream. */
const outputBytes = 1024 * 1024;

type DeskContext = Pick<StrategyContext, "workspace" | "recorder" | "limits" | "signal">;

export async function openShellDesk({
  workspace,
  recorder,
  limits,
  signal,
}: DeskContext): Promise<ShellDesk> {
  const checkout = await workspace.openCheckout();
  // Commands have effects outside the tree's files, so a desk must not reuse another desk's results.
  const desk = `${recorder.arm}.${recorder.number("shell")}`;
  let laid = workspace.base;
  let tree = workspace.base;
  let directory = "";
  let count = 0;

  async function run(text: string, timeoutMs: number): Promise<LimitedResult<DeskResult>> {
    if (laid !== tree) await checkout.lay(tree);
    const ended = await runShell(checkout, { text, directory, timeoutMs, outputBytes, signal });
    const taken = await checkout.take();
    laid = taken.tree;
    const result = { ...ended, tree: taken.tree, leftOut: [...taken.leftOut] };
    return { result, isCut: ended.end === "timed-out" };
  }

  return {
    root: checkout.names.root,
    outputs: recorder.outputs,
    tree: () => tree,
    project: (files) => viewProject(checkout, files),
    change(next) {
      tree = next;
    },
    async execute(command, seconds) {
      count += 1;
      const key = `shell:${desk}.${count}:${hashText(JSON.stringify([command, seconds, tree, directory]))}`;
      const title = `$ ${shortly(command)}`;
      const options = {
        key,
        title,
        schema: resultSchema,
        large: true,
        usualMs: seconds * 1000,
        decides,
        reached,
      };
      const done = await limitedStep<DeskResult>({ recorder, limits }, options, (timeMs) =>
        run(command, timeMs),
      );
      ({ tree, directory } = done);
      return done;
    },
    close: () => checkout.close(),
  };
}

/** Returns the effects of a command: its result without its texts. */
function decides({ end, exitCode, directory, tree }: DeskResult): unknown {
  return [end, exitCode, directory, tree];
}

/**
 * A replay reuses a command's recorded output if its effects are equal, because output contains times and random
 * values.
 */
const reached: Reached<DeskResult> = {
  of: (result) => result,
  only(result, recorded) {
    const known = resultSchema.safeParse(recorded).data;
    return known !== undefined && hashData(decides(known)) === hashData(decides(result)) ? known : result;
  },
};

const longestTitle = 60;

function shortly(command: string): string {
  const line = command.trim().split("\n")[0] ?? "";
  return line.length > longestTitle ? `${line.slice(0, longestTitle)}…` : line;
}
