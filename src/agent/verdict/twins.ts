/**
 * Judges places whose code equals the replaced code. Each place is an objection until a review says why the place needs
 * no change. After that, the place limits the evidence for the patch.
 */
import type { Candidate } from "../../domain/candidate.ts";
import type { JudgeContext } from "../action.ts";
import type { ThreadContext } from "../review/judges/judge-threads.ts";
import { twinsOf } from "../review/twins/twins-of.ts";
import { placeOf, tellTwin } from "../review/twins/unchanged-twins.ts";
import type { Review } from "../state/task-state.ts";

export interface JudgedTwins {
  /** The objections, as sentences. */
  readonly open: readonly string[];
  /** The excused twins, as clauses with the review's reason. */
  readonly answered: readonly string[];
}

export async function judgeTwins(
  context: ThreadContext & Pick<JudgeContext, "task">,
  candidate: Candidate,
  review: Review | undefined,
): Promise<JudgedTwins> {
  const open: string[] = [];
  const answered: string[] = [];
  const twins = await twinsOf(context, candidate);
  if (!twins.ok) return { open: [twins.message], answered };
  for (const twin of twins.value) {
    const said = review?.twins?.find(({ place }) => place === placeOf(twin));
    if (said === undefined)
      open.push(`${tellTwin(twin)}: change it too, or have a review say why it needs no change.`);
    else if (said.needsChange)
      open.push(`${tellTwin(twin)}, and the review says that it needs the same change: ${said.because}`);
    else answered.push(`${tellTwin(twin)} (the review: ${said.because.replace(/\.$/, "")})`);
  }
  return { open, answered };
}

/**
 * Describes each place whose code equals the replaced code, as a clause. For strategies without an author or reviewer
 * who can explain such places.
 */
export async function tellTwins(
  context: ThreadContext & Pick<JudgeContext, "task">,
  candidate: Candidate,
): Promise<string[]> {
  const twins = await twinsOf(context, candidate);
  return twins.ok ? twins.value.map(tellTwin) : [twins.message];
}
