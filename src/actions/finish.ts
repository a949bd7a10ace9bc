import { z } from "zod";
import { defineAction } from "../agent/action.ts";
import { gateHolds } from "../agent/kinds/repair-gate.ts";
import { rulesOf } from "../agent/kinds/rules-of.ts";
import { openRequirements } from "../agent/state/requirements.ts";
import { findCandidate } from "../agent/state/task-state.ts";
import { taskKindSchema } from "../domain/task.ts";

const mostMissing = 40;

export default defineAction({
  name: "finish",
  description:
    "Proposes a candidate as what is handed over. It runs all tests itself, and the gate answers: it is the end, or you hear what does not hold.",
  input: z.object({ candidate: z.string().min(1).describe("such as c1 or t1") }),
  kinds: taskKindSchema.options,
  reads: ["candidates", "fault", "requirements"],
  writes: ["rows"],
  async run(context, state, { candidate: id }) {
    const rules = rulesOf(context.task.kind);
    const candidate = findCandidate(state, id);
    if (candidate?.kind !== rules.delivers)
      return { state, text: `There is no candidate ${id} that can be handed over.`, isError: true };
    const { gate, row } = await rules.judge(context, state, candidate);
    const next = row === undefined ? state : { ...state, rows: [...state.rows, row] };
    const open = openRequirements(next, row?.outcomes ?? []);
    if (gateHolds(gate))
      return { state: next, text: [`${id} is verified.`, ...open].join("\n"), isEnd: true };
    const unmet = gate.filter(({ holds }) => !holds);
    return {
      state: next,
      text: [
        "Not yet. What does not hold:",
        ...unmet.map(({ predicate, evidence }) => `- ${predicate}: ${evidence}`),
        ...(row?.missing ?? []).slice(0, mostMissing).map((item) => `- ${item}`),
        ...open,
      ].join("\n"),
      isError: true,
      // With the figures: the same predicate with other ones is a step on.
      unmet: unmet.map(({ predicate, evidence }) => `${predicate} (${evidence})`),
    };
  },
});
