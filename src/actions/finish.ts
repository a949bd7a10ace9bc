import { z } from "zod";
import { defineAction } from "../agent/action.ts";
import { rulesOf } from "../agent/kinds/rules-of.ts";
import { gateHolds } from "../agent/repair-gate.ts";
import { findCandidate } from "../agent/task-state.ts";

export default defineAction({
  name: "finish",
  description:
    "Proposes a candidate as the patch. All tests are run, and the gate answers: it is the end, or you hear what does not hold.",
  input: z.object({ candidate: z.string().min(1).describe("such as c1") }),
  kinds: ["repair", "partial-fix"],
  reads: ["candidates", "fault"],
  writes: ["rows"],
  async run(context, state, { candidate: id }) {
    const rules = rulesOf(context.task.kind);
    const candidate = findCandidate(state, id);
    if (candidate?.kind !== rules.delivers) return { state, text: `There is no patch ${id}.`, isError: true };
    const { gate, row } = await rules.judge(context, state, candidate);
    const next = row === undefined ? state : { ...state, rows: [...state.rows, row] };
    if (gateHolds(gate)) return { state: next, text: `${id} is verified.`, isEnd: true };
    const unmet = gate.filter(({ holds }) => !holds);
    return {
      state: next,
      text: [
        "Not yet. What does not hold:",
        ...unmet.map(({ predicate, evidence }) => `- ${predicate}: ${evidence}`),
      ].join("\n"),
      isError: true,
      unmet: unmet.map(({ predicate }) => predicate),
    };
  },
});
