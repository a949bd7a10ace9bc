/** Defines the tool that ends a review. Its input judges the patch and the tests, and lists wrong tests. */

import { z } from "zod";
import type { Candidate } from "../../../domain/candidate.ts";
import { formatTestKey, type TestKey, type TestOutcome } from "../../../domain/test-outcome.ts";
import type { ActionContext } from "../../action.ts";
import { dropTest } from "../../candidates/droppable.ts";
import { remarkOnce } from "../../record/once.ts";
import { agreedSchema, listUnanswered, withAgreed } from "../../state/says-wrong.ts";
import { rowOf, type TaskState } from "../../state/task-state.ts";
import type { ThinkTool } from "../../think/think.ts";
import type { TriedMutants } from "../measured/tried-mutants.ts";
import { placeOf, type Twin } from "../twins/unchanged-twins.ts";

const side = z.object({
  approved: z.boolean(),
  headline: z
    .string()
    .default("")
    .describe("the main reason, in at most ten words. Example: changes the wrong place"),
  analysis: z.string().min(1).describe("the reason, in one or two sentences with names and places"),
  advice: z.string().default("").describe("the necessary change; empty if no change is necessary"),
});
const patch = side.extend({
  beginAnew: z
    .boolean()
    .default(false)
    .describe("true if no part of the patch is worth keeping, for example if it changes the wrong place"),
});
const verdict = z.object({
  patch,
  // The fields have the same meanings.
  tests: z
    .object({
      approved: z.boolean(),
      headline: z.string().default(""),
      analysis: z.string().min(1),
      advice: z.string().default(""),
    })
    .describe(
      "your verdict on the tests that show the fault, including tests that you added. If the task asks for tests, judge the candidate's tests. In `analysis`, say what these tests check",
    ),
});
const withDrop = verdict.extend({
  drop: z
    .array(z.object({ test: z.string(), reason: z.string().min(20) }))
    .default([])
    .describe(
      "wrong tests to drop, from the offered ones: they contradict the statement, or no code can pass them (a broken setup)",
    ),
});
const saysWrong = agreedSchema;
const twins = z
  .array(z.object({ place: z.string(), needsChange: z.boolean(), because: z.string().min(20) }))
  .default([])
  .describe(
    "one entry for each place that equals the replaced code, by its name as shown: does this place have the fault too? Derive the reason from the surrounding code",
  );
const parts = z
  .array(
    z.object({
      part: z.string(),
      test: z.string(),
      isCase: z.boolean().default(true),
      because: z.string().min(20),
    }),
  )
  .default([])
  .describe(
    "an entry for each stated case that no test visibly checks, by its number. `test` is the id of the test that fails without the patch because of this case; empty if there is none. `isCase` is false if the task does not ask for this case, for example if the words mean something else",
  );
const whole = withDrop.extend({ saysWrong, twins, parts });
export type Verdict = z.infer<typeof whole>;

/** The progress of a review: its changes to the state, its tests and its open questions. */
export interface ReviewWork {
  state: TaskState;
  readonly candidate: Candidate;
  /** Added tests that pass without the patch and fail with it, with their outcomes with the patch. */
  broken: readonly TestOutcome[];
  /** Added tests that show the fault, but fail with the patch. They may ask for more than the statement does. */
  unmet: readonly TestKey[];
  /** The patch's mutants. The review also runs them against added tests. */
  mutants: TriedMutants | undefined;
  /** Places with the same code as the replaced code. The reviewer must answer for each. */
  readonly twins: readonly Twin[];
  /** Stated cases that no test visibly checks. The reviewer must answer for each. */
  readonly parts: readonly string[];
}

export function verdictTool(
  context: Pick<ActionContext, "recorder">,
  work: ReviewWork,
  droppable: readonly TestKey[],
): ThinkTool<Verdict> {
  const offered = (): readonly string[] => [
    ...new Set([...droppable, ...work.unmet, ...work.broken.map(({ key }) => key)].map(formatTestKey)),
  ];
  return {
    name: "verdict",
    description: "Ends the review.",
    // Omits fields that have no use now.
    get input() {
      const form = offered().length === 0 ? verdict : withDrop;
      const withTwins = work.twins.length === 0 ? form : form.extend({ twins });
      const asked = work.parts.length === 0 ? withTwins : withTwins.extend({ parts });
      return (work.state.saysWrong ?? []).length === 0 ? asked : asked.extend({ saysWrong });
    },
    async run(input) {
      const said = whole.parse(input);
      const can = offered();
      const wrong = said.drop.filter(({ test }) => !can.includes(test));
      if (wrong.length > 0)
        return {
          text: `You cannot drop these tests: ${wrong.map(({ test }) => test).join(", ")}. ${can.length === 0 ? "You cannot drop any test." : `You can only drop these tests: ${can.join(", ")}.`}`,
          isError: true,
        };
      const open = work.twins.map(placeOf).filter((name) => !said.twins.some(({ place }) => place === name));
      if (said.patch.approved && open.length > 0)
        return {
          text: `In \`twins\`, say for each place that equals the replaced code whether it needs the same change, and why. Missing: ${open.join(", ")}.`,
          isError: true,
        };
      const silent = listUnanswered(work.state, said.saysWrong);
      if (said.patch.approved && silent.length > 0)
        return {
          text: `In \`saysWrong\`, answer for each test that allegedly asserts the fault, by its name as shown. Missing: ${silent.join(", ")}.`,
          isError: true,
        };
      const answers = answersOf(said.parts, work);
      if (said.patch.approved && typeof answers === "string") return { text: answers, isError: true };
      const dropped = new Set(said.drop.map(({ test }) => test));
      const targets = work.state.fault?.targets ?? [];
      if (targets.length > 0 && targets.every((key) => dropped.has(formatTestKey(key))))
        return { text: "At least one test must show the fault.", isError: true };
      for (const { test, reason } of said.drop) drop(context, work, test, reason);
      const { broken = [] } = rowOf(work.state, work.candidate.id) ?? {};
      work.state = withAgreed(context.recorder, work.state, said.saysWrong, broken);
      return { text: "Kept.", end: typeof answers === "string" ? said : { ...said, parts: answers } };
    },
  };
}

/** Returns the answers, with the cases' words instead of their numbers. If answers are missing, returns a message. */
function answersOf(
  said: Verdict["parts"],
  { parts, state: { fault } }: ReviewWork,
): Verdict["parts"] | string {
  const ids = (fault?.targets ?? []).map(formatTestKey);
  const answers = parts.flatMap((part, at) => {
    const own = said.find((each) => Number.parseInt(each.part, 10) === at + 1);
    const isKnown = own?.isCase === false || own?.test === "" || ids.includes(own?.test ?? "");
    return own !== undefined && isKnown ? [{ ...own, part }] : [];
  });
  return answers.length === parts.length
    ? answers
    : `Add ${parts.length === 1 ? "the stated case" : `each of the ${parts.length} stated cases`} to \`parts\`, by its number. Set \`isCase\` to false, or leave \`test\` empty, or set \`test\` to one of these tests: ${ids.join(", ")}.`;
}

/** Drops a test. The state, the record and the report mention it. */
function drop(
  { recorder }: Pick<ActionContext, "recorder">,
  work: ReviewWork,
  test: string,
  reason: string,
): void {
  const { fault, assumptions } = work.state;
  const { id } = work.candidate;
  const isGuard = fault?.guards?.some(({ key }) => formatTestKey(key) === test) === true;
  const isOther = (key: TestKey): boolean => formatTestKey(key) !== test;
  const isAdded = !work.unmet.every(isOther);
  work.broken = work.broken.filter(({ key }) => isOther(key));
  work.unmet = work.unmet.filter(isOther);
  const because = isGuard
    ? `it passes without a patch and fails with ${id}`
    : isAdded
      ? `the review added it, and ${id} does not pass it`
      : `no candidate passes it, although ${id} passes other tests`;
  const text = `The review dropped the written test ${test}, because ${because}. The review's reason: ${reason}`;
  work.state = {
    ...work.state,
    fault: fault === undefined ? undefined : dropTest(fault, test),
    assumptions: [...assumptions, text],
  };
  remarkOnce(recorder, text);
}
