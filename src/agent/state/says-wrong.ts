/**
 * Manages claims that tests of the repository assert results which the statement calls wrong. A claim alone has
 * no effect: the gate decides about it.
 */

import { z } from "zod";
import type { TaskKind } from "../../domain/task.ts";
import { type Notes, remarkOnce } from "../record/once.ts";
import { findNamed } from "./named-test.ts";
import type { SaidWrong, TaskState } from "./task-state.ts";

/** The schema of a model's claims that existing tests are wrong. */
export const saysWrongSchema = z
  .array(z.object({ test: z.string().min(1), because: z.string().min(20) }))
  .default([])
  .describe(
    "tests or examples of the repository that no correct patch can pass, because the statement calls their asserted result wrong. As the reason, quote the statement's sentence. Millwright excludes such a test only if two sources confirm the claim: a measurement, and the statement's values or a review",
  );
export type SaysWrong = z.infer<typeof saysWrongSchema>;

/** Advice if a patch breaks tests of the repository. */
export const wrongTests =
  "A correct patch cannot pass a test of the repository that asserts a result which the statement calls wrong. Name such a test in `saysWrong` when you end the work, so that a review judges the claim.";

/** True if claims count for this kind of task. */
export function countsClaims(kind: TaskKind): boolean {
  return kind === "repair" || kind === "partial-fix";
}

/** Returns the advice if claims count, and a broken test has no claim. Otherwise returns nothing. */
export function adviseClaims(
  kind: TaskKind,
  { saysWrong = [] }: Pick<TaskState, "saysWrong">,
  broken: readonly string[],
): string[] {
  const isOpen = broken.some((id) => findClaim(saysWrong, broken, id) === undefined);
  return isOpen && countsClaims(kind) ? [wrongTests] : [];
}

/** Adds new claims. Ignores a repeated claim, so that a review's agreement stays. */
export function withSaysWrong(state: TaskState, said: SaysWrong): TaskState {
  const known = state.saysWrong ?? [];
  const fresh = said.filter(({ test }) => !known.some((each) => each.test === test));
  return fresh.length === 0 ? state : { ...state, saysWrong: [...known, ...fresh] };
}

/**
 * Finds the claim about a failing test. `failing`: the ids of all failing tests. If several claims name the test, takes
 * one that a review refused, else one to which it agreed, else the first. Undefined without a claim.
 */
export function findClaim(
  saysWrong: readonly SaidWrong[],
  failing: readonly string[],
  id: string,
): SaidWrong | undefined {
  const found = saysWrong.filter(({ test, ids = findNamed(failing, test) }) => ids.includes(id));
  return (
    found.find(({ isAgreed }) => isAgreed === false) ??
    found.find(({ isAgreed }) => isAgreed === true) ??
    found[0]
  );
}

/** The schema of a reviewer's answers to the claims that existing tests are wrong. */
export const agreedSchema = z
  .array(z.object({ test: z.string(), agreed: z.boolean(), because: z.string().min(20) }))
  .default([])
  .describe(
    "one entry for each test that allegedly asserts the fault. Read the test first. Does the statement call its assertion wrong, for exactly its inputs? A test is not wrong merely because it blocks the patch",
  );

type Answers = z.infer<typeof agreedSchema>;

/**
 * Adds the review's answers to the claims in the state. Mentions each answer in the record and the report. `broken`: the
 * broken tests that the review saw. An answer is about these tests, not about others with the same name.
 */
export function withAgreed(
  recorder: Notes,
  state: TaskState,
  said: Answers,
  broken: readonly string[],
): TaskState {
  const { saysWrong = [] } = state;
  const next = saysWrong.map((claim): SaidWrong => {
    const found = answerTo(claim, saysWrong, said);
    if (found === undefined) return claim;
    const text = `The review ${found.agreed ? "agrees" : "does not agree"} that ${claim.test} asserts a result that the statement calls wrong: ${found.because}`;
    remarkOnce(recorder, text);
    const ids = claim.ids ?? findNamed(broken, claim.test);
    return { ...claim, isAgreed: found.agreed, ...(ids.length > 0 && { ids }) };
  });
  return saysWrong.length === 0 ? state : { ...state, saysWrong: next };
}

/** Lists the claims that the review does not answer. */
export function listUnanswered({ saysWrong = [] }: TaskState, said: Answers): string[] {
  return saysWrong.filter((claim) => answerTo(claim, saysWrong, said) === undefined).map(({ test }) => test);
}

/** Finds the answer with the claim's name, or with a shorter name that only this claim has. */
function answerTo(
  { test: name }: SaidWrong,
  saysWrong: readonly SaidWrong[],
  said: Answers,
): Answers[number] | undefined {
  const names = saysWrong.map(({ test }) => test);
  return (
    said.find(({ test }) => test === name) ?? said.find(({ test }) => findNamed(names, test).includes(name))
  );
}

export function describeSaysWrong({ saysWrong = [] }: TaskState): string[] {
  if (saysWrong.length === 0) return [];
  const named = saysWrong.map(({ test, because }) => `- ${test}: ${because}`).join("\n");
  return [
    `# Tests that allegedly assert the fault\n\nThe author of the patch says that no correct patch passes these tests of the repository. Read each test, and say in \`saysWrong\` whether the statement calls its assertion wrong. If the statement does not, the test shows that the patch breaks something:\n${named}`,
  ];
}
