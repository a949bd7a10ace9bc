/** How a reviewer ends: a word on the patch, one on the tests, and tests that are wrong themselves. */
import { z } from "zod";
import type { Candidate } from "../../domain/candidate.ts";
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import type { ActionContext } from "../action.ts";
import type { TaskState } from "../task-state.ts";
import type { ThinkTool } from "../think.ts";
import { dropTest } from "./droppable.ts";

const side = z.object({
  approved: z.boolean(),
  analysis: z.string().min(1).describe("what decides, in two or three sentences with names and places"),
  advice: z.string().default("").describe("what to change; empty where nothing is"),
});
const verdict = z.object({
  patch: side,
  tests: side.describe("the tests that show the fault, or, for new tests, these"),
  drop: z
    .array(z.object({ test: z.string(), reason: z.string().min(20) }))
    .default([])
    .describe("of the tests that are offered for it alone: those whose expectation is against the statement"),
});
export type Verdict = z.infer<typeof verdict>;

/** What a review has done to the state so far. */
export interface ReviewWork {
  state: TaskState;
  readonly candidate: Candidate;
  /** What added tests found against the candidate. */
  readonly added: string[];
}

export function verdictTool(
  context: ActionContext,
  work: ReviewWork,
  droppable: readonly TestKey[],
): ThinkTool<Verdict> {
  const offered = new Set(droppable.map(formatTestKey));
  return {
    name: "verdict",
    description: "Ends the review.",
    input: verdict,
    async run(input) {
      const said = verdict.parse(input);
      const wrong = said.drop.filter(({ test }) => !offered.has(test));
      if (wrong.length > 0)
        return {
          text: `These tests cannot be dropped: ${wrong.map(({ test }) => test).join(", ")}. ${offered.size === 0 ? "None can." : `Only these can: ${[...offered].join(", ")}.`}`,
          isError: true,
        };
      const dropped = new Set(said.drop.map(({ test }) => test));
      if (dropped.size === work.state.fault?.targets.length)
        return { text: "One test at least has to show the fault.", isError: true };
      for (const { test, reason } of said.drop) drop(context, work, test, reason);
      return { text: "Kept.", end: said };
    },
  };
}

/** Never silently: the state, the record and the report say it. */
function drop({ recorder }: ActionContext, work: ReviewWork, test: string, reason: string): void {
  const { fault, assumptions } = work.state;
  if (fault === undefined) return;
  const text = `The written test ${test} was dropped: ${work.candidate.id} passes all others, no candidate passes it, and the review says: ${reason}`;
  work.state = { ...work.state, fault: dropTest(fault, test), assumptions: [...assumptions, text] };
  const isNoted = recorder.events.some((event) => event.event === "remark-made" && event.text === text);
  if (!isNoted) recorder.append({ event: "remark-made", level: "warning", text });
}
