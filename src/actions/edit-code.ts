import { z } from "zod";
import { type ActionContext, type ActionEnd, defineAction } from "../agent/action.ts";
import { toolsOver } from "../agent/code-tools.ts";
import { keepCandidate } from "../agent/keep-candidate.ts";
import { renderFailures, renderState } from "../agent/render-state.ts";
import { findCandidate, rowOf, type TaskState, withoutHeldBack } from "../agent/task-state.ts";
import { guardTabu } from "../agent/tabu.ts";
import { type ThinkTool, think } from "../agent/think.ts";
import type { Candidate } from "../domain/candidate.ts";

const done = z.object({
  summary: z.string().min(1).describe("what was changed and why it mends the fault, in one or two sentences"),
});

const system = `You change a repository's source code so that a task is done. Tests are not yours to change, and nothing but the task is to be changed.
Read the places that you are given before you edit them; look for other places that need the same change. Make the smallest change that mends the cause in general, not only for the inputs that a test shows. Keep the code's own style, and handle the cases that the statement implies: empty, missing, repeated, the boundaries.
Edits are made with \`edit\`, and refused where they do not fit: read why, view the lines again, and write the edit anew. When the change is complete, call \`done\`.`;

export default defineAction({
  name: "edit-code",
  description:
    "Writes a patch: a new candidate, made from the base or from an earlier candidate. Say what has to change and where. It runs no tests: `execute-tests` does.",
  input: z.object({
    intent: z.string().min(1).describe("what has to change, where, and why"),
    from: z.string().default("base").describe("a candidate to go on from, such as c1; base starts anew"),
  }),
  kinds: ["repair", "partial-fix"],
  reads: ["codePlaces", "candidates", "fault", "rows", "refuted"],
  writes: ["candidates"],
  async run(context, state, { intent, from }) {
    const parent = findCandidate(state, from);
    if (parent === undefined && from !== "base")
      return { state, text: `There is no candidate ${from}.`, isError: true };
    const start = parent?.tree ?? context.workspace.base;
    await context.view.lay(start);
    const ended = await think(context, {
      role: "editing",
      system,
      opening: openingOf(context, state, parent, intent),
      tools: [
        ...(await guardTabu(context, state, start, toolsOver(context.view, "edit"))),
        doneTool(context, start),
      ],
      maxSteps: 25,
    });
    if (ended.kind === "ended") return keep(context, state, parent, ended.value.summary);
    if (context.view.tree() === start)
      return { state, text: `No edit was made: ${ended.message}.`, isError: true };
    return keep(context, state, parent, `(not finished: ${ended.message}) ${intent}`);
  },
});

function doneTool({ view }: ActionContext, start: string): ThinkTool<z.infer<typeof done>> {
  return {
    name: "done",
    description: "Ends the work on the patch, once it is complete.",
    input: done,
    run: async (input) =>
      view.tree() === start
        ? { text: "Nothing is changed yet: make the change with `edit`.", isError: true }
        : { text: "Kept.", end: done.parse(input) },
  };
}

function openingOf(
  { task }: ActionContext,
  state: TaskState,
  parent: Candidate | undefined,
  intent: string,
): string {
  const row = parent === undefined ? undefined : rowOf(state, parent.id);
  const failures = renderFailures(
    withoutHeldBack(state.fault, row?.outcomes ?? state.fault?.baseRuns[0] ?? []),
  );
  const begin =
    parent === undefined
      ? "the code as it is"
      : `candidate ${parent.id}, whose change is in place: ${parent.origin}`;
  return [
    `# The statement\n\n${task.statement}`,
    `# What is known\n\n${renderState(state)}`,
    ...(failures.length === 0 ? [] : [`# What fails now\n\n${failures.join("\n\n")}`]),
    `# Change\n\nYou begin with ${begin}.\n\n${intent}`,
  ].join("\n\n");
}

async function keep(
  context: ActionContext,
  state: TaskState,
  parent: Candidate | undefined,
  origin: string,
): Promise<ActionEnd> {
  const { view, workspace } = context;
  const tree = view.tree();
  const from = parent === undefined ? {} : { parent: parent.id };
  const kept = keepCandidate(context, state, { tree, kind: "code", origin, ...from });
  const diff = await workspace.trees.diff(workspace.base, tree);
  return { state: kept.state, text: `Candidate ${kept.candidate.id}: ${origin}\n\n${diff}` };
}
