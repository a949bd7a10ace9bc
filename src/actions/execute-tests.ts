import { z } from "zod";
import { defineAction } from "../agent/action.ts";
import { rulesOf } from "../agent/kinds/rules-of.ts";
import { renderFailures, renderRow } from "../agent/render-state.ts";
import { findCandidate, withoutHeldBack } from "../agent/task-state.ts";
import { formatTestKey } from "../domain/test-outcome.ts";

export default defineAction({
  name: "execute-tests",
  description:
    "Runs tests on a candidate, with every reproduction beside it: those that show the fault first, and all tests once they pass.",
  input: z.object({ candidate: z.string().min(1).describe("such as c1") }),
  kinds: ["repair", "partial-fix"],
  reads: ["candidates", "fault"],
  writes: ["rows"],
  async run(context, state, { candidate: id }) {
    const { delivers, measure } = rulesOf(context.task.kind);
    const candidate = findCandidate(state, id);
    if (candidate?.kind !== delivers) return { state, text: `There is no patch ${id}.`, isError: true };
    const hasTargets = (state.fault?.targets ?? []).length > 0;
    const first = hasTargets ? await measure(context, state, candidate, "targets") : undefined;
    if (first?.ok === false) return { state, text: first.message, isError: true };
    const passes = first?.value.targets.every(({ status }) => status === "passed") ?? true;
    const all = first !== undefined && !passes ? first : await measure(context, state, candidate, "all");
    if (!all.ok) return { state, text: all.message, isError: true };
    const row = all.value;
    const broken = row.broken ?? [];
    const failures = passes
      ? row.outcomes.filter(({ key }) => broken.includes(formatTestKey(key)))
      : withoutHeldBack(state.fault, row.targets);
    return {
      state: { ...state, rows: [...state.rows, row] },
      text: [
        `${id}: ${renderRow(row, state.fault)}.`,
        ...(broken.length === 0 ? [] : [`Broken: ${broken.slice(0, 10).join(", ")}`]),
        ...renderFailures(failures),
      ].join("\n\n"),
    };
  },
});
