/** The Planner: decides whether to debug by running the code, or to repair by reading it. */
import { z } from "zod";
import { renderSpans } from "../../agent/code/place-text.ts";
import { performStage, type StagedRun } from "../../agent/control/stages.ts";
import { renderFailures } from "../../agent/state/render-state.ts";
import type { TaskState } from "../../agent/state/task-state.ts";
import { askModel } from "../../agent/think/sampling.ts";
import { plannerPrompt } from "./roles.prompt.ts";

export type Mode = "dynamic" | "static";

const mostLines = 800;
/** Lines before and after each place. */
const around = 10;

const planSchema = z.object({ mode: z.enum(["dynamic", "static"]), why: z.string() });

/** Asks the Planner for the mode of the repair. Without an answer, chooses static repair. */
export async function planRepair(run: StagedRun): Promise<Mode> {
  const { context } = run;
  const mode = await performStage(run, {
    name: "plan",
    intent: "choose dynamic debugging or static repair",
    run: async (state) => {
      const { answer, stopped } = await askModel(context, {
        role: "planning",
        system: plannerPrompt,
        messages: [{ role: "user", text: await describeTask(run, state) }],
        output: { name: "plan", schema: planSchema },
      });
      return { value: answer?.output?.mode, stopped };
    },
  });
  return mode ?? "static";
}

/** Describes the task to a model: the statement, the Searcher's snippets, and the failures on the base. */
export async function describeTask({ context }: StagedRun, state: TaskState): Promise<string> {
  const { view, workspace, task, suite } = context;
  await view.lay(workspace.base);
  const snippets = await renderSpans(view, state.codePlaces, { around, numbered: false, mostLines });
  const failures = renderFailures(state.fault?.baseRuns[0] ?? []);
  return [
    `# Statement\n\n${task.statement}`,
    ...(state.answers.code === undefined ? [] : [`# Results of the search\n\n${state.answers.code}`]),
    `# Snippets\n\n${snippets === "" ? "(none were found)" : snippets}`,
    ...(suite.lacks === undefined
      ? []
      : [`# The tests\n\nMillwright cannot run tests here: ${suite.lacks}.`]),
    ...(failures.length === 0 ? [] : [`# Tests that fail because of the fault\n\n${failures.join("\n\n")}`]),
  ].join("\n\n");
}
