/** The rules of `regression-test`: a test fails because of the reported fault, and passes once it is fixed. */

import { countOf, wordFor } from "../../base/count.ts";
import type { Candidate } from "../../domain/candidate.ts";
import type { Predicate } from "../../domain/gate.ts";
import { findStatus, formatTestKey, isFailing, type TestOutcome } from "../../domain/test-outcome.ts";
import type { ActionContext, JudgeContext, RunContext } from "../action.ts";
import { matchReason } from "../measure/stated-reason.ts";
import { testsOf } from "../measure/text-of-tests.ts";
import { shorten } from "../record/shorten.ts";
import type { SignatureMatch } from "../state/statement-signature.ts";
import type { MatrixRow, TaskState } from "../state/task-state.ts";
import { judgeAdded } from "./added-tests.ts";
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

export const regressionTest: KindRules = {
  kinds: ["regression-test"],
  delivers: "test",
  parts: [
    {
      name: "test",
      kind: "test",
      files: "tests",
      guidance:
        "Write tests that fail now because of the reported fault, and pass after a fix. Put them next to the repository's tests of the faulty code, and write them in the same style. Check the correct results, with the statement's inputs and with others that follow from the statement. You may add tests that pass today as guards. Change no source code.",
    },
    {
      name: "fix",
      kind: "code",
      files: "code",
      guidance:
        "Fix the fault in the source code with the smallest change that is correct in general. Millwright does not deliver the fix. It only shows whether the tests pass after a fix. Change no tests.",
    },
  ],
  isSpecified: false,
  goal: "A new test fails twice on the unchanged code, for the stated reason. All new tests pass with the run's best fix, if there is one. No previously passing test breaks, and only tests change.",
  way: [
    { action: "code-retrieval", text: "find the code" },
    { action: "test-retrieval", text: "find the code's tests" },
    { action: "edit-code", text: "write the tests with part `test`, then a fix with part `fix`" },
    { action: "execute-tests", text: "run the tests again, together with the fix" },
    { action: "review-patch", text: "have the tests reviewed" },
    { action: "finish", text: "propose the candidate with the tests" },
  ],
  verified: "A new test fails without a fix, for the stated reason, and no other test breaks.",
  measure: measureBy(judge),
  judge,
  async claim(context, state, candidate, row) {
    const fresh = row?.targets ?? [];
    if (fresh.length === 0) return undefined;
    const fix = await findFix(context, fixesOf(state), candidate, fresh);
    const claim = { tests: keysOf(fresh), without: candidate.tree, failing: "some" } as const;
    return fix === undefined ? claim : { ...claim, patched: fix.tree };
  },
};

async function judge(context: JudgeContext, state: TaskState, candidate: Candidate): Promise<JudgedTests> {
  const ran = await runNewTests(context, candidate);
  const failing = ran.fresh.filter(({ status }) => isFailing(status));
  const second = failing.length === 0 ? [] : await runAgain(context, candidate.tree, keysOf(failing), 2);
  const stable = failing.filter(({ key }) => isFailing(findStatus(second, key)));
  const fixed = await judgeFix(context, state, candidate, ran);
  const reason = await judgeReason(context, candidate, { stable, isFixed: fixed.isShown });
  const added = await judgeAdded(context, state, candidate);
  const isReady = ran.invalid === undefined && reason.predicate.holds;
  const judged = await judgeNewTests(context, candidate, ran, {
    gate: [
      onlyTestsChange(ran.changed),
      failsTwice(ran, failing, stable),
      reason.predicate,
      fixed.predicate,
      ...added,
    ],
    isReady,
    missing: [...reason.others, ...fixed.missing],
    progress: stable.length,
  });
  return { gate: judged.gate, row: tellFix(judged.row, fixed.predicate) };
}

/** Adds the results with a fix to the row. */
function tellFix(row: MatrixRow, { holds, evidence }: Predicate): MatrixRow {
  const { told = "" } = row;
  return !holds || told.includes(evidence) ? row : { ...row, told: `${told}; ${evidence}` };
}

/**
 * Requires at least one new test to fail, and each failing test to fail in both runs. Millwright delivers no flaky
 * test.
 */
export function failsTwice(
  { fresh, invalid }: Pick<NewTests, "fresh" | "invalid">,
  failing: readonly TestOutcome[],
  stable: readonly TestOutcome[],
): Predicate {
  const flaky = failing.filter((outcome) => !stable.includes(outcome)).map(({ key }) => formatTestKey(key));
  const passed =
    flaky.length === 0
      ? ""
      : `; remove the flaky tests, which did not fail the second time: ${flaky.join(", ")}`;
  return {
    predicate: "new-test-fails-on-base",
    holds: invalid === undefined && stable.length > 0 && flaky.length === 0,
    evidence:
      invalid ??
      `${stable.length} of ${countOf(fresh.length, "new test")} ${wordFor(stable.length, "fails", "fail")} without a fix, in each of two runs${passed}`,
  };
}

interface Reason {
  readonly predicate: Predicate;
  /** Reasons why other new tests do not count, if the author must mend these tests. */
  readonly others: readonly string[];
}

async function judgeReason(
  context: Pick<ActionContext, "regions" | "signature" | "view" | "workspace">,
  { tree }: Candidate,
  { stable, isFixed }: { readonly stable: readonly TestOutcome[]; readonly isFixed: boolean },
): Promise<Reason> {
  const read = testsOf(context, tree);
  const matches = await Promise.all(
    stable.map(async (outcome) => ({ outcome, match: await matchReason(context.signature, outcome, read) })),
  );
  const files = new Set((await context.workspace.trees.list(tree)).map(({ path }) => path));
  const isCode = (file: string): boolean => files.has(file) && !context.regions.isWhole(file);
  return weighReasons(matches, { isFixed, isCode });
}

interface Matched {
  readonly outcome: Pick<TestOutcome, "key" | "failure">;
  readonly match: SignatureMatch;
}

interface Weighing {
  /** True if all new tests pass with a fix. */
  readonly isFixed: boolean;
  /** True for a file of the repository's code. Tests and libraries of assertions raise other errors at one place, too. */
  readonly isCode: (file: string) => boolean;
}

/** Gives equal failures the same reason. They have the same error at the same place of the code; names do not count. */
function shareReasons(matches: readonly Matched[], isCode: Weighing["isCode"]): Matched[] {
  const known = matches.filter(({ match }) => match.matches);
  return matches.map((each) => {
    if (each.match.matches) return each;
    const like = known.find(({ outcome }) => failsAlike(outcome, each.outcome, isCode));
    if (like === undefined) return each;
    const evidence = `it fails like ${formatTestKey(like.outcome.key)}`;
    return { ...each, match: { ...each.match, matches: true, evidence } };
  });
}

function failsAlike(
  { failure }: Matched["outcome"],
  { failure: other }: Matched["outcome"],
  isCode: Weighing["isCode"],
): boolean {
  const place = failure?.frames.at(-1);
  const otherPlace = other?.frames.at(-1);
  if (failure === undefined || other === undefined || place === undefined) return false;
  return (
    isCode(place.file) &&
    failure.type === other.type &&
    failure.message === other.message &&
    place.file === otherPlace?.file &&
    place.line === otherPlace.line
  );
}

/**
 * Requires a test that fails as the statement says. Other new tests may fail for another reason if all of them pass
 * with a fix. Without a fix, the author must remove these tests, because nothing shows that they can pass.
 */
export function weighReasons(given: readonly Matched[], { isFixed, isCode }: Weighing): Reason {
  const matches = shareReasons(given, isCode);
  const fitting = matches.filter(({ match }) => match.matches);
  const others = matches.filter(({ match }) => !match.matches);
  const say = ({ outcome, match }: Matched): string => `${formatTestKey(outcome.key)}: ${match.evidence}`;
  const first = fitting[0] ?? matches[0];
  const left =
    others.length === 0 || fitting.length === 0
      ? ""
      : isFixed
        ? `; ${countOf(others.length, "other fails", "others fail")} for another reason, and ${others.length === 1 ? "passes" : "pass"} with the fix`
        : `; ${countOf(others.length, "other fails", "others fail")} for another reason, and no fix shows that ${others.length === 1 ? "it" : "they"} would pass: write a fix, or remove ${others.length === 1 ? "the test" : "these tests"}`;
  return {
    predicate: {
      predicate: "failure-is-the-stated-one",
      holds: fitting.length > 0 && (others.length === 0 || isFixed),
      evidence:
        first === undefined
          ? "no new test fails"
          : `${fitting.length} of ${matches.length} failing new tests ${wordFor(fitting.length, "fails", "fail")} as the statement says; ${say(first)}${left}`,
    },
    others: isFixed && fitting.length > 0 ? [] : others.map(say),
  };
}

/** Maximum number of fixes to try, because each costs a run. */
const mostFixes = 4;

interface Fixed {
  readonly predicate: Predicate;
  /** True if the run wrote a fix, and all new tests pass with the fix. */
  readonly isShown: boolean;
  /** The new tests that do not pass with the fix, with the reasons. */
  readonly missing: readonly string[];
}

interface Fix {
  readonly id: string;
  /** The tree with both the fix and the new tests. */
  readonly tree: string;
  /** New tests that do not pass with the fix. */
  readonly failing: readonly TestOutcome[];
}

/** Finds the best fix of the run: the one with which most new tests pass. */
async function findFix(
  context: RunContext,
  fixes: readonly Candidate[],
  candidate: Candidate,
  fresh: readonly TestOutcome[],
): Promise<Fix | undefined> {
  const { trees, base } = context.workspace;
  let best: Fix | undefined;
  for (const fix of fixes) {
    const whole = [fix, candidate].map(({ parent: _, ...each }) => each);
    const composed = await trees.compose(base, whole, () => base);
    if (!composed.ok || fresh.length === 0) continue;
    const outcomes = await runAgain(context, composed.value, keysOf(fresh));
    const failing = outcomes.filter(({ status }) => status !== "passed");
    if (best === undefined || failing.length <= best.failing.length)
      best = { id: fix.id, tree: composed.value, failing };
  }
  return best;
}

function fixesOf({ candidates }: TaskState): Candidate[] {
  return candidates.filter(({ kind }) => kind === "code").slice(-mostFixes);
}

async function judgeFix(
  context: RunContext,
  state: TaskState,
  candidate: Candidate,
  { fresh }: NewTests,
): Promise<Fixed> {
  const predicate = "passes-with-a-fix";
  const say = (holds: boolean, evidence: string, rest: Partial<Fixed> = {}): Fixed => ({
    predicate: { predicate, holds, evidence },
    isShown: false,
    missing: [],
    ...rest,
  });
  const fixes = fixesOf(state);
  if (fixes.length === 0)
    return say(true, "the run wrote no fix, so it is unknown whether the new tests pass with a fix");
  const best = await findFix(context, fixes, candidate, fresh);
  if (best === undefined) return say(false, "there is no new test to run with a fix");
  const { id, failing } = best;
  const passed = fresh.length - failing.length;
  const passing = `${passed} of ${countOf(fresh.length, "new test")} ${wordFor(passed, "passes", "pass")} with the fix ${id}`;
  return say(failing.length === 0, passing, {
    isShown: failing.length === 0,
    missing: failing.map(({ key, status, failure }) => {
      const why = failure === undefined ? status : `${failure.type}: ${shorten(failure.message, longest)}`;
      return `${formatTestKey(key)} does not pass with the fix ${id}: ${why}`;
    }),
  });
}

/** Maximum length of a failure's text. */
const longest = 200;
