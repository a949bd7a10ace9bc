/** What is said of tests of the repository: that they assert what the statement calls wrong. Nothing of it counts before it was measured. */

import { z } from "zod";
import { type Notes, remarkOnce } from "../record/once.ts";
import type { SaidWrong, TaskState } from "./task-state.ts";

/** Of who writes or proposes a patch. */
export const saysWrongSchema = z
  .array(z.object({ test: z.string().min(1), because: z.string().min(20) }))
  .default([])
  .describe(
    "only tests or examples of the repository that assert what the statement calls wrong, so that no right patch passes them: which sentence says so. They count unless it is measured, and the statement's own values or a review say so too",
  );
export type SaysWrong = z.infer<typeof saysWrongSchema>;

/** The same said again changes nothing of what a review agreed to. */
export function withSaysWrong(state: TaskState, said: SaysWrong): TaskState {
  const known = state.saysWrong ?? [];
  const fresh = said.filter(({ test }) => !known.some((each) => each.test === test));
  return fresh.length === 0 ? state : { ...state, saysWrong: [...known, ...fresh] };
}

/** Of who reviews it. */
export const agreedSchema = z
  .array(z.object({ test: z.string(), agreed: z.boolean(), because: z.string().min(20) }))
  .default([])
  .describe(
    "of each test that is said to assert the fault, after you have read it: does the statement call wrong what it asserts, for its very inputs? Not where it is only in the patch's way",
  );

/** Never silently: the record and the report say it. */
export function withAgreed(recorder: Notes, state: TaskState, said: z.infer<typeof agreedSchema>): TaskState {
  const { saysWrong = [] } = state;
  const next = saysWrong.map((claim): SaidWrong => {
    const found = said.find(({ test }) => test === claim.test);
    if (found === undefined) return claim;
    const text = `The review ${found.agreed ? "agrees" : "does not agree"} that ${claim.test} asserts what the statement calls wrong: ${found.because}`;
    remarkOnce(recorder, text);
    return { ...claim, isAgreed: found.agreed };
  });
  return saysWrong.length === 0 ? state : { ...state, saysWrong: next };
}

export function describeSaysWrong({ saysWrong = [] }: TaskState): string[] {
  if (saysWrong.length === 0) return [];
  const named = saysWrong.map(({ test, because }) => `- ${test}: ${because}`).join("\n");
  return [
    `# Tests that are said to assert the fault\n\nWho wrote the patch says that no right patch passes these tests of the repository. Read each, and say in \`saysWrong\` whether the statement calls wrong what it asserts. A test that only is in the patch's way shows that the patch breaks something:\n${named}`,
  ];
}
