import { z } from "zod";
import { defineAction } from "../agent/action.ts";
import { rulesOf } from "../agent/kinds/rules-of.ts";
import { findCandidate } from "../agent/state/task-state.ts";
import { tellRow } from "../agent/state/tell-row.ts";
import { taskKindSchema } from "../domain/task.ts";

export default defineAction({
  name: "execute-tests",
  description:
    "Runs tests on a candidate: those that tell most, and all tests once they say yes. Reproductions are laid beside a patch. What is missing is listed.",
  input: z.object({ candidate: z.string().min(1).describe("such as c1 or t1") }),
  kinds: taskKindSchema.options,
  reads: ["candidates", "fault"],
  writes: ["rows"],
  async run(context, state, { candidate: id }) {
    const { delivers, measure } = rulesOf(context.task.kind);
    const candidate = findCandidate(state, id);
    if (candidate?.kind !== delivers)
      return { state, text: `There is no candidate ${id} that can be handed over.`, isError: true };
    const hasTargets = delivers === "code" && (state.fault?.targets ?? []).length > 0;
    const first = hasTargets ? await measure(context, state, candidate, "targets") : undefined;
    if (first?.ok === false) return { state, text: first.message, isError: true };
    const passes = first?.value.targets.every(({ status }) => status === "passed") ?? true;
    const all = first !== undefined && !passes ? first : await measure(context, state, candidate, "all");
    if (!all.ok) return { state, text: all.message, isError: true };
    const row = all.value;
    return { state: { ...state, rows: [...state.rows, row] }, text: tellRow(context, state, row) };
  },
});
