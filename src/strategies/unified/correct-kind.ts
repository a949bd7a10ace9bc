/** Lets the planner correct a wrong kind of the task: once, and before it has written a patch. */

import { z } from "zod";
import type { ActionContext } from "../../agent/action.ts";
import { hasOwnPatch } from "../../agent/candidates/given-attempt.ts";
import type { Work } from "../../agent/control/perform-action.ts";
import { attemptIn } from "../../agent/kinds/attempt-in-statement.ts";
import { checkTarget } from "../../agent/kinds/target.ts";
import { tellChoice } from "../../agent/kinds/tell-choice.ts";
import { appendOnce } from "../../agent/record/once.ts";
import type { StrategyContext } from "../../agent/strategy.ts";
import type { ThinkTool } from "../../agent/think/think.ts";
import { MillwrightError } from "../../base/errors.ts";
import { type KindChoice, type TaskKind, taskKindSchema } from "../../domain/task.ts";

/**
 * Returns the tool that corrects the task's kind. Returns no tool if the user chose the kind, if another arm works on
 * the task, or after a correction.
 */
export function kindTool(
  { task, ...context }: StrategyContext,
  work: Work,
  correct: (choice: KindChoice) => void,
): ThinkTool<true>[] {
  const { kindChoice: found, confirms, recorder } = context;
  if (found === undefined || confirms === false || (found.by !== "rule" && found.by !== "model")) return [];
  const others = taskKindSchema.exclude([task.kind]);
  const input = z.object({
    kind: others,
    reason: z
      .string()
      .min(10)
      .describe("the reason for this kind: the deliverables that the statement asks for"),
    target: z.string().optional().describe("FILE:SYMBOL, for code-generation and test-generation"),
  });
  return [
    {
      name: "correct-kind",
      description: `Corrects the task's kind, once. Millwright classified the task as ${task.kind} (${tellChoice(found)}). If the statement asks for other deliverables, name the right kind, before you write a patch. The new kind determines the tools, the gate, and the files that may change.`,
      input,
      isOffered: () => !hasOwnPatch(work.state),
      async run(asked) {
        const { kind, reason, target } = input.parse(asked);
        if (hasOwnPatch(work.state))
          return refused("The kind cannot change any more, because the run already wrote a patch.");
        const choice: KindChoice = {
          kind,
          by: "planner",
          reason,
          ...(target === undefined ? {} : { target }),
        };
        const lacks = await whatLacks(context, { ...task, kind, target: target ?? task.target });
        if (lacks !== undefined) return refused(lacks);
        appendOnce(recorder, { event: "kind-chosen", ...choice }, ({ by }) => by === "planner");
        correct(choice);
        return { text: `The task is now of the kind ${kind}.`, end: true };
      },
    },
  ];
}

function refused(text: string) {
  return { text, isError: true };
}

interface Wanted {
  readonly kind: TaskKind;
  readonly statement: string;
  readonly target?: string | undefined;
  readonly partialPatch?: string | undefined;
}

/** Returns a sentence about data that the kind needs and the task lacks. */
async function whatLacks(
  { workspace: { trees, base } }: Pick<ActionContext, "workspace">,
  { kind, statement, target, partialPatch }: Wanted,
): Promise<string | undefined> {
  if (kind === "partial-fix" && partialPatch === undefined && attemptIn(statement, true) === undefined)
    return "The task contains no earlier attempt.";
  try {
    const placed = target === undefined ? {} : { target };
    await checkTarget({ kind, statement, ...placed }, async (path) =>
      (await trees.read(base, path))?.toString("utf8"),
    );
    return undefined;
  } catch (error) {
    if (error instanceof MillwrightError) return [error.message, error.hint].filter(Boolean).join(". ");
    throw error;
  }
}
