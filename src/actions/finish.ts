import { z } from "zod";
import { defineAction } from "../agent/action.ts";
import { spansAfter } from "../agent/code/diff-spans.ts";
import { gateHolds } from "../agent/kinds/repair-gate.ts";
import { rulesOf } from "../agent/kinds/rules-of.ts";
import { openRequirements } from "../agent/state/requirements.ts";
import { findCandidate, hasPatch } from "../agent/state/task-state.ts";
import { judgeFinally } from "../agent/verdict/judge-finally.ts";
import type { Predicate } from "../domain/gate.ts";
import { taskKindSchema } from "../domain/task.ts";

const mostMissing = 40;

export default defineAction({
  name: "finish",
  description:
    "Proposes a candidate as what is handed over. It runs all tests itself, and the gate answers: it is the end, or you hear what does not hold.",
  input: z.object({ candidate: z.string().min(1).describe("such as c1 or t1") }),
  kinds: taskKindSchema.options,
  effect: "runs",
  isUseful: hasPatch,
  reads: ["candidates", "fault", "requirements"],
  writes: ["rows"],
  async run(context, state, { candidate: id }) {
    const rules = rulesOf(context.task.kind);
    const candidate = findCandidate(state, id);
    if (candidate?.kind !== rules.delivers)
      return { state, text: `There is no candidate ${id} that can be handed over.`, isError: true };
    const { gate, row, open: beyond = [] } = await judgeFinally(context, state, candidate);
    const next = row === undefined ? state : { ...state, rows: [...state.rows, row] };
    const { trees, base } = context.workspace;
    const hunks = spansAfter(await trees.diff(base, candidate.tree));
    const open = openRequirements(next, row?.outcomes ?? [], hunks);
    if (gateHolds(gate))
      return { state: next, text: [`${id} is verified.`, ...open].join("\n"), isEnd: true };
    const unmet = gate.filter(({ holds }) => !holds);
    if (unmet.every(({ predicate }) => beyond.includes(predicate)))
      return {
        state: next,
        text: [`${id} is handed over unverified:`, ...listUnmet(unmet), ...open].join("\n"),
        isEnd: true,
      };
    return {
      state: next,
      text: [
        "Not yet. What does not hold:",
        ...listUnmet(unmet),
        ...(row?.missing ?? []).slice(0, mostMissing).map((item) => `- ${item}`),
        ...open,
      ].join("\n"),
      isError: true,
      // With the figures: the same predicate with other ones is a step on.
      unmet: unmet.map(({ predicate, evidence }) => `${predicate} (${evidence})`),
    };
  },
});

function listUnmet(unmet: readonly Predicate[]): string[] {
  return unmet.map(({ predicate, evidence }) => `- ${predicate}: ${evidence}`);
}
