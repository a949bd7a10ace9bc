import { z } from "zod";
import { type ActionContext, defineAction } from "../agent/action.ts";
import { formatSpan, type Span, spansOfDiff } from "../agent/code/diff-spans.ts";
import { forks, offersOf } from "../agent/control/controller.ts";
import { noteOf } from "../agent/control/refutation-note.ts";
import { findVainEdits, type VainEdits } from "../agent/control/stuck-work.ts";
import { hasPatch, type Refutation, type TaskState, type Way } from "../agent/state/task-state.ts";
import { taskKindSchema } from "../domain/task.ts";

export default defineAction({
  name: "backtrack",
  description:
    "Goes back after what did not lead on. `fork`: from an earlier candidate. `elsewhere`: to another place; no edit begins any more in the lines that were changed in vain. `hypothesis`: another idea of what is wrong.",
  input: z.object({
    way: z.enum(["fork", "elsewhere", "hypothesis"]),
    from: z.string().default("base").describe("a candidate, for `fork`"),
    note: z.string().min(1).describe("what is refuted, and what is supposed now, in two or three sentences"),
  }),
  kinds: taskKindSchema.options,
  effect: "decides",
  isUseful: hasPatch,
  reads: ["candidates", "rows", "fault", "refuted"],
  writes: ["refuted"],
  async run(context, state, { way, from, note }) {
    const vain = findVainEdits(state, await spansIn(context, state));
    const problem = problemOf(state, vain, way, from);
    if (problem !== undefined) return { state, text: problem, isError: true };
    const places = vain.places.map((span) => ({ ...span, why: "changed in vain" }));
    const { candidates } = vain;
    const refutation: Refutation = { way, from, candidates, places, note: noteOf(state, vain, way, note) };
    return {
      state: { ...state, refuted: [...state.refuted, refutation] },
      text: [`Gone back (${way}). Kept: ${refutation.note}`, nextAfter(refutation)].join("\n\n"),
    };
  },
});

async function spansIn(
  { workspace }: Pick<ActionContext, "workspace">,
  state: TaskState,
): Promise<Map<string, Span[]>> {
  const spans = new Map<string, Span[]>();
  for (const { id, tree } of state.candidates)
    spans.set(id, spansOfDiff(await workspace.trees.diff(workspace.base, tree)));
  return spans;
}

function problemOf(state: TaskState, vain: VainEdits, way: Way, from: string): string | undefined {
  const offers = offersOf(state, vain);
  if (!offers.includes(way))
    return `${way} is not offered here: ${reasons[way]} Offered: ${offers.join(", ")}.`;
  const known = forks(state, vain);
  if (way === "fork" && !known.includes(from))
    return `There is nothing to go on from called ${from}: there is ${known.join(", ")}.`;
  if (way !== "fork" && from !== "base" && !known.includes(from))
    return `${from} is no candidate to go on from; leave it out to begin with the base.`;
  return undefined;
}

const reasons: Readonly<Record<Way, string>> = {
  fork: "there is no candidate but those that were in vain.",
  elsewhere: "no measured patch was in vain, so there is no place to leave.",
  hypothesis: "another idea was tried at these lines already.",
};

function nextAfter({ way, from, places }: Refutation): string {
  if (way === "fork")
    return `Go on with \`edit-code\` and \`from: ${from}\`, or look again at what it lacks.`;
  if (way === "hypothesis") return "Find what speaks for the new idea, then edit.";
  return `No edit may begin in ${places.map(formatSpan).join(", ")}. Find the other place with \`code-retrieval\`.`;
}
