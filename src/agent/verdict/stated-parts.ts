/**
 * Judges cases that the statement counts, lists or demands, and that no test shows. Each case is an objection until a
 * review names the test that shows it, or says that the task does not ask for it. It then only limits the evidence.
 * The items of a list may be something other than cases, so without a review they only limit the evidence.
 */
import { formatTestKey, type TestKey } from "../../domain/test-outcome.ts";
import type { StatedPart } from "../review/statement/stated-parts.ts";
import type { Review } from "../state/task-state.ts";

export interface JudgedParts {
  /** The objections, as sentences. */
  readonly open: readonly string[];
  /** The answered cases, as clauses with the review's answer. */
  readonly answered: readonly string[];
}

export function judgeParts(
  parts: readonly StatedPart[],
  tests: readonly TestKey[],
  review: Pick<Review, "parts"> | undefined,
): JudgedParts {
  const ids = new Set(tests.map(formatTestKey));
  const open: string[] = [];
  const answered: string[] = [];
  for (const { text, isCertain } of parts) {
    const said = review?.parts?.find((each) => each.part === text);
    const tells = `statement names a case that no test visibly checks: "${text}"`;
    if (said?.isCase === false)
      answered.push(`only the review says that "${text}" is no case of the task: ${said.because}`);
    else if (said !== undefined && ids.has(said.test))
      answered.push(`only the review says that ${said.test} shows "${text}"`);
    else if (said !== undefined) open.push(`The ${tells}, and the review agrees: ${said.because}`);
    else if (!isCertain) answered.push(`the ${tells}`);
    else open.push(`The ${tells}: add a test of it, or have a review name the test that shows it.`);
  }
  return { open, answered };
}
