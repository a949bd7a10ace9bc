/** `regression-test`: a test that fails because of the fault that a statement reports, and passes once it is mended. */
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import { findStatus, formatTestKey, isFailing, type TestOutcome } from "../../domain/test-outcome.ts";
import type { ActionContext } from "../action.ts";
import type { TaskState } from "../state/task-state.ts";
import type { KindRules } from "./contract.ts";
import {
  type JudgedTests,
  judgeNewTests,
  keysOf,
  measureBy,
  type NewTests,
  onlyTestsChange,
  runAgain,
  runNewTests,
} from "./new-tests.ts";
import { matchReason } from "./stated-reason.ts";

export const regressionTest: KindRules = {
  kinds: ["regression-test"],
  delivers: "test",
  parts: [
    {
      name: "test",
      kind: "test",
      files: "tests",
      guidance:
        "Write tests that fail now because of what the statement reports, and would pass once it is mended: where the repository's own tests of that code stand, written as they are. Check what should happen, with the statement's inputs and others that follow from it; one that passes today may stand beside them as a guard. Change no source code.",
    },
    {
      name: "fix",
      kind: "code",
      files: "code",
      guidance:
        "Mend the fault in the source code, in the smallest way that is right in general. The fix is not handed over: it only serves to see whether the tests pass once the fault is mended. Change no tests.",
    },
  ],
  isSpecified: false,
  goal: "A new test fails on the code as it is, twice, for the reason that the statement gives; it passes with the best fix that was written, where one was; no test that passed breaks, and only tests change. It goes well in this order: find the code (code-retrieval) and its tests (test-retrieval); write the tests (edit-code, part test), which runs them; write a fix (edit-code, part fix) and run the tests again (execute-tests), which lays it beside them; have the tests looked at (review-patch); then finish with the candidate of tests.",
  verified: "The new tests fail without a fix, for the stated reason, and no other test breaks.",
  measure: measureBy(judge),
  judge,
};

async function judge(context: ActionContext, state: TaskState, candidate: Candidate): Promise<JudgedTests> {
  const ran = await runNewTests(context, candidate);
  const failing = ran.fresh.filter(({ status }) => isFailing(status));
  const second = failing.length === 0 ? [] : await runAgain(context, candidate.tree, keysOf(failing), 2);
  const stable = failing.filter(({ key }) => isFailing(findStatus(second, key)));
  const reason = await judgeReason(context, candidate, stable);
  const fixed = await judgeFix(context, state, candidate, ran);
  const isReady = ran.invalid === undefined && reason.predicate.holds;
  return judgeNewTests(context, candidate, ran, {
    gate: [onlyTestsChange(ran.changed), failsTwice(ran, failing, stable), reason.predicate, fixed],
    isReady,
    missing: reason.others,
    progress: stable.length,
  });
}

function failsTwice(
  { fresh, invalid }: NewTests,
  failing: readonly TestOutcome[],
  stable: readonly TestOutcome[],
): Predicate {
  const flaky = failing.length - stable.length;
  return {
    predicate: "new-test-fails-on-base",
    holds: invalid === undefined && stable.length > 0,
    evidence:
      invalid ??
      `${stable.length} of ${fresh.length} new tests fail without a fix, in each of two runs${flaky === 0 ? "" : `; ${flaky} passed the second time`}`,
  };
}

interface Reason {
  readonly predicate: Predicate;
  /** Of the others: why they do not count. */
  readonly others: readonly string[];
}

async function judgeReason(
  { signature, workspace: { trees } }: ActionContext,
  { tree }: Candidate,
  stable: readonly TestOutcome[],
): Promise<Reason> {
  const read = async (file: string, line: number): Promise<string> => {
    const text = (await trees.read(tree, file))?.toString("utf8") ?? "";
    return text
      .split("\n")
      .slice(line - 1, line + 2)
      .join("\n");
  };
  const matches = await Promise.all(
    stable.map(async (outcome) => ({ outcome, match: await matchReason(signature, outcome, read) })),
  );
  const fitting = matches.filter(({ match }) => match.matches);
  const say = (each: (typeof matches)[number]): string =>
    `${formatTestKey(each.outcome.key)}: ${each.match.evidence}`;
  const first = fitting[0] ?? matches[0];
  return {
    predicate: {
      predicate: "failure-is-the-stated-one",
      holds: fitting.length > 0,
      evidence:
        first === undefined
          ? "no new test fails"
          : `${fitting.length} of ${stable.length} fail as the statement says; ${say(first)}`,
    },
    others: matches.filter(({ match }) => !match.matches).map(say),
  };
}

/** Each fix that is tried costs a run. */
const mostFixes = 4;

/** With the best fix that the run wrote: the one with which most of the new tests pass. */
async function judgeFix(
  context: ActionContext,
  { candidates }: TaskState,
  candidate: Candidate,
  { fresh }: NewTests,
): Promise<Predicate> {
  const predicate = "passes-with-a-fix";
  const fixes = candidates.filter(({ kind }) => kind === "code").slice(-mostFixes);
  if (fixes.length === 0)
    return {
      predicate,
      holds: true,
      evidence: "no fix was written, so it is not known whether they pass with one",
    };
  const { trees, base } = context.workspace;
  let best: { readonly id: string; readonly passing: number } | undefined;
  for (const fix of fixes) {
    const whole = [fix, candidate].map(({ parent: _, ...each }) => each);
    const composed = await trees.compose(base, whole, () => base);
    if (!composed.ok || fresh.length === 0) continue;
    const outcomes = await runAgain(context, composed.value, keysOf(fresh));
    const passing = outcomes.filter(({ status }) => status === "passed").length;
    if (best === undefined || passing >= best.passing) best = { id: fix.id, passing };
  }
  if (best === undefined)
    return { predicate, holds: false, evidence: "there is no new test that could be laid beside a fix" };
  return {
    predicate,
    holds: best.passing === fresh.length,
    evidence: `${best.passing} of ${fresh.length} new tests pass with the fix ${best.id}`,
  };
}
