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
    "Goes back when the work is stuck. `fork`: continue from an earlier candidate. `elsewhere`: look in another place; edits may no longer begin in lines where earlier changes did not help. `hypothesis`: try another idea of the cause.",
  input: z.object({
    way: z.enum(["fork", "elsewhere", "hypothesis"]),
    from: z.string().default("base").describe("a candidate, for `fork`"),
    note: z.string().min(1).describe("two or three sentences: the refuted idea, and your new assumption"),
  }),
  example: {
    way: "fork",
    from: "c1",
    note: "c2 sorts the entries before the comparison, and the same tests fail. The order is correct; the comparison may use the wrong key.",
  },
  kinds: taskKindSchema.options,
  effect: "decides",
  isUseful: hasPatch,
  reads: ["candidates", "rows", "fault", "refuted"],
  writes: ["refuted"],
  async run(context, state, { way, from, note }) {
    const vain = findVainEdits(state, await spansIn(context, state));
    const problem = problemOf(state, vain, way, from);
    if (problem !== undefined) return { state, text: problem, isError: true };
    const places = vain.places.map((span) => ({ ...span, why: "changed without success" }));
    const { candidates } = vain;
    const refutation: Refutation = { way, from, candidates, places, note: noteOf(state, vain, way, note) };
    return {
      state: { ...state, refuted: [...state.refuted, refutation] },
      text: [`Went back (${way}). The state now says: ${refutation.note}`, nextAfter(refutation)].join(
        "\n\n",
      ),
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
  const others =
    offers.length === 0 ? "No other way is available either." : `Available: ${offers.join(", ")}.`;
  if (!offers.includes(way)) return `${way} is not available here: ${reasons[way]} ${others}`;
  const known = forks(state, vain);
  if (way === "fork" && !known.includes(from))
    return `You cannot continue from ${from}. Available: ${known.join(", ")}.`;
  if (way !== "fork" && from !== "base" && !known.includes(from))
    return `You cannot continue from ${from}. Leave out \`from\` to begin from the base.`;
  return undefined;
}

const reasons: Readonly<Record<Way, string>> = {
  fork: "there is no earlier candidate, or all of them have failed.",
  elsewhere: "no tested patch failed, so there is no place to avoid.",
  hypothesis: "another idea was already tried at these lines.",
};

function nextAfter({ way, from, places }: Refutation): string {
  if (way === "fork")
    return `Continue with \`edit-code\` and \`from: ${from}\`, or run the tests of ${from} again.`;
  if (way === "hypothesis") return "Find evidence for the new idea, then edit.";
  return `No edit may begin in ${places.map(formatSpan).join(", ")}. Find another place with \`code-retrieval\`.`;
}
