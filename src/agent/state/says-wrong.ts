/**
 * Manages claims that tests of the repository assert results which the statement calls wrong. A claim alone has
 * no effect: the gate decides about it.
 */

import { z } from "zod";
import { type Notes, remarkOnce } from "../record/once.ts";
import type { SaidWrong, TaskState } from "./task-state.ts";

/** The schema of a model's claims that existing tests are wrong. */
export const saysWrongSchema = z
  .array(z.object({ test: z.string().min(1), because: z.string().min(20) }))
  .default([])
  .describe(
    "tests or examples of the repository that no correct patch can pass, because the statement calls their asserted result wrong. As the reason, quote the statement's sentence. Millwright excludes such a test only if two sources confirm the claim: a measurement, and the statement's values or a review",
  );
export type SaysWrong = z.infer<typeof saysWrongSchema>;

/** Adds new claims. Ignores a repeated claim, so that a review's agreement stays. */
export function withSaysWrong(state: TaskState, said: SaysWrong): TaskState {
  const known = state.saysWrong ?? [];
  const fresh = said.filter(({ test }) => !known.some((each) => each.test === test));
  return fresh.length === 0 ? state : { ...state, saysWrong: [...known, ...fresh] };
}

/** The schema of a reviewer's answers to the claims that existing tests are wrong. */
export const agreedSchema = z
  .array(z.object({ test: z.string(), agreed: z.boolean(), because: z.string().min(20) }))
  .default([])
  .describe(
    "one entry for each test that allegedly asserts the fault. Read the test first. Does the statement call its assertion wrong, for exactly its inputs? A test is not wrong merely because it blocks the patch",
  );

/** Adds the review's answers to the claims in the state. Mentions each answer in the record and the report. */
export function withAgreed(recorder: Notes, state: TaskState, said: z.infer<typeof agreedSchema>): TaskState {
  const { saysWrong = [] } = state;
  const next = saysWrong.map((claim): SaidWrong => {
    const found = said.find(({ test }) => test === claim.test);
    if (found === undefined) return claim;
    const text = `The review ${found.agreed ? "agrees" : "does not agree"} that ${claim.test} asserts a result that the statement calls wrong: ${found.because}`;
    remarkOnce(recorder, text);
    return { ...claim, isAgreed: found.agreed };
  });
  return saysWrong.length === 0 ? state : { ...state, saysWrong: next };
}

export function describeSaysWrong({ saysWrong = [] }: TaskState): string[] {
  if (saysWrong.length === 0) return [];
  const named = saysWrong.map(({ test, because }) => `- ${test}: ${because}`).join("\n");
  return [
    `# Tests that allegedly assert the fault\n\nThe author of the patch says that no correct patch passes these tests of the repository. Read each test, and say in \`saysWrong\` whether the statement calls its assertion wrong. If the statement does not, the test shows that the patch breaks something:\n${named}`,
  ];
}
