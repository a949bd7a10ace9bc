/**
 * Compares the author's claims about wrong tests (`saysWrong`) with a judgement: claims that only lack a review, and
 * claims that name no broken test. Pure.
 */
import { formatTestKey } from "../../domain/test-outcome.ts";
import { findNamed } from "../state/named-test.ts";
import { findClaim, withSaysWrong } from "../state/says-wrong.ts";
import type { SaidWrong, TaskState } from "../state/task-state.ts";
import type { Judgement } from "./contract.ts";

type Judged = Pick<Judgement, "gate" | "row" | "broken" | "wrong" | "awaiting" | "isIntactIfAgreed">;

const breaks = "no-test-breaks";
const intact = "tests-intact";
/** Maximum number of listed tests. */
const mostListed = 12;

/** True if the gate lacks only a review that agrees with the claims about all broken tests. */
export function awaitsReview({
  gate,
  broken = [],
  awaiting = [],
  isIntactIfAgreed = false,
}: Judged): boolean {
  const unmet = gate.filter(({ holds }) => !holds);
  const isOnly = unmet.every(
    ({ predicate, isCut }) =>
      (predicate === breaks && isCut !== true) || (predicate === intact && isIntactIfAgreed),
  );
  const ids = awaiting.map(({ key }) => formatTestKey(key));
  return isOnly && broken.length > 0 && broken.every((id) => ids.includes(id));
}

/** Lists the broken tests that count, also those that the patch rewrote. Empty if the results are not reliable. */
export function listBroken({ broken, row }: Judged): readonly string[] {
  return row?.invalid === undefined ? (broken ?? row?.broken ?? []) : [];
}

/** True if a claim names a broken test. */
export function isClaimed(judged: Judged, saysWrong: readonly SaidWrong[]): boolean {
  const failing = listFailing(judged);
  return saysWrong.some(({ test }) => findNamed(failing, test).length > 0);
}

/** Lists the broken tests that no claim names. */
export function listUnclaimed(judged: Judged, saysWrong: readonly SaidWrong[]): string[] {
  const failing = listFailing(judged);
  return listBroken(judged).filter((id) => findClaim(saysWrong, failing, id) === undefined);
}

/**
 * Adds a claim for each broken test that the patch rewrote without a claim, so that a review sees the old and the new
 * text. Only the review's agreement can then exclude the test.
 */
export function withRewordings(state: TaskState, { awaiting = [] }: Judged): TaskState {
  const claims = awaiting.flatMap(({ key, rewording }) =>
    rewording === undefined ? [] : [{ test: formatTestKey(key), because: rewording }],
  );
  return withSaysWrong(state, claims);
}

/** Reports claims that name no broken test, with the ids of the broken tests that no claim names. */
export function tellUnnamed(judged: Judged, saysWrong: readonly SaidWrong[]): string[] {
  const failing = listFailing(judged);
  const strange = saysWrong.filter(({ test }) => findNamed(failing, test).length === 0);
  const open = listUnclaimed(judged, saysWrong);
  if (strange.length === 0 || open.length === 0) return [];
  const names = strange.map(({ test }) => `"${test}"`).join(", ");
  const more = open.length > mostListed ? [`- … (${open.length - mostListed} more)`] : [];
  return [
    `Entries of \`saysWrong\` that do not each name exactly one broken test: ${names}. Write the id of a broken test:`,
    ...open.slice(0, mostListed).map((id) => `- ${id}`),
    ...more,
  ];
}

/** Lists the broken tests, with those that do not count. */
function listFailing(judged: Judged): string[] {
  return [...listBroken(judged), ...(judged.wrong ?? []).map(({ key }) => formatTestKey(key))];
}
