/** The final choice at the limit of rounds: a model sees every candidate with its test results, and names one. */
import { z } from "zod";
import type { ActionContext } from "../../agent/action.ts";
import { shorten } from "../../agent/record/shorten.ts";
import { renderState } from "../../agent/state/render-state.ts";
import type { TaskState } from "../../agent/state/task-state.ts";
import { askModel } from "../../agent/think/sampling.ts";
import type { Candidate } from "../../domain/candidate.ts";
import { choosePrompt } from "./as-published.prompt.ts";

const choiceSchema = z.object({ candidate: z.string(), reason: z.string().default("") });

/** Maximum characters of a candidate's diff. */
const longestDiff = 12_000;

/**
 * Asks the model to choose the solution. Returns the newest candidate if the model names none. Does not ask if there is
 * only one candidate. Returns undefined without candidates.
 */
export async function chooseSolution(
  context: Pick<ActionContext, "models" | "task" | "workspace" | "limits" | "decoding" | "signal">,
  state: TaskState,
  candidates: readonly Candidate[],
): Promise<Candidate | undefined> {
  const newest = candidates.at(-1);
  if (candidates.length < 2) return newest;
  const { trees, base } = context.workspace;
  const shown = await Promise.all(
    candidates.map(
      async ({ id, tree }) => `## ${id}\n\n${shorten(await trees.diff(base, tree), longestDiff)}`,
    ),
  );
  const { answer } = await askModel(context, {
    role: "planning",
    system: choosePrompt,
    messages: [
      {
        role: "user",
        text: `# The description\n\n${context.task.statement}\n\n# The task state\n\n${renderState(state)}\n\n# The candidates\n\n${shown.join("\n\n")}`,
      },
    ],
    output: { name: "solution", schema: choiceSchema },
  });
  const named = answer?.output?.candidate;
  return candidates.find(({ id }) => id === named) ?? newest;
}
