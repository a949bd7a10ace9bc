import { z } from "zod";
import { type ActionContext, type ActionEnd, defineAction } from "../agent/action.ts";
import { rulesOf } from "../agent/kinds/rules-of.ts";
import { renderFailures, renderRow } from "../agent/render-state.ts";
import { findCandidate, type MatrixRow, type TaskState, withoutHeldBack } from "../agent/task-state.ts";
import { taskKindSchema } from "../domain/task.ts";
import { formatTestKey, isFailing, type TestOutcome } from "../domain/test-outcome.ts";

const mostBroken = 10;
const mostMissing = 40;

export default defineAction({
  name: "execute-tests",
  description:
    "Runs tests on a candidate, and measures what the gate asks: those that tell most first, and all tests once they say yes. Reproductions are laid beside a patch. What is missing is listed.",
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
    return tell(context, state, all.value);
  },
});

function tell({ recorder }: ActionContext, state: TaskState, row: MatrixRow): ActionEnd {
  const { candidate, broken = [], missing = [] } = row;
  const more = missing.length > mostMissing ? [`… and ${missing.length - mostMissing} more`] : [];
  return {
    state: { ...state, rows: [...state.rows, row] },
    text: [
      `${candidate}: ${renderRow(row, state.fault)}.`,
      ...(broken.length === 0 ? [] : [`Broken: ${broken.slice(0, mostBroken).join(", ")}`]),
      ...(missing.length === 0 ? [] : [["Missing:", ...missing.slice(0, mostMissing), ...more].join("\n- ")]),
      ...renderFailures(failuresOf(state, row), recorder.outputs),
    ].join("\n\n"),
  };
}

/** Of the tests that the run is about, else of those that broke. */
function failuresOf({ fault }: TaskState, { targets, outcomes, broken = [] }: MatrixRow): TestOutcome[] {
  const shown = withoutHeldBack(fault, targets).filter(({ status }) => isFailing(status));
  if (shown.length > 0) return shown;
  const ids = new Set(broken);
  return outcomes.filter(({ key }) => ids.has(formatTestKey(key)));
}
