/**
 * Compares the code of the base's failing tests with the statement. Few frameworks print the call whose result is
 * wrong, and test names seldom contain it.
 */

import { z } from "zod";
import { abortAfter } from "../../base/abort-after.ts";
import type { TestOutcome } from "../../domain/test-outcome.ts";
import { openTreeView } from "../code/tree-view.ts";
import type { Signature, SignatureMatch } from "../state/statement-signature.ts";
import type { StrategyContext } from "../strategy.ts";
import type { Suite } from "../suite.ts";
import { regionsOf } from "./regions-of.ts";
import { matchReason, type TestText } from "./stated-reason.ts";
import { testsOf } from "./text-of-tests.ts";

/**
 * Compares the texts of failing tests with the statement. Returns one match for each test; undefined if it cannot
 * compare the tests.
 */
export type MatchTexts = (
  suite: Suite,
  failing: readonly TestOutcome[],
  signature: Signature,
) => Promise<readonly SignatureMatch[] | undefined>;

/** Maximum number of tests to read. More simultaneous failures usually have one cause. */
const mostRead = 100;
const unread: SignatureMatch = { matches: false, isStrong: false, evidence: "the test's text was not read" };

/**
 * Compares tests of the repository by the rule for written tests (`matchReason`). Undefined if the product's names are
 * unknown. Reads at most `mostRead` tests; the others do not match.
 */
export async function matchTextsOf(
  read: TestText,
  failing: readonly TestOutcome[],
  signature: Signature,
): Promise<readonly SignatureMatch[] | undefined> {
  if ((await read.product()).size === 0) return undefined;
  // Tests of the repository may fail inside any class for an unrelated reason.
  const { within: _, ...rest } = read;
  const matches = await Promise.all(
    failing.slice(0, mostRead).map((outcome) => matchReason(signature, outcome, { ...rest, isOfBase: true })),
  );
  return failing.map((_, at) => matches[at] ?? unread);
}

const matchesSchema = z.object({
  matches: z.array(z.object({ matches: z.boolean(), isStrong: z.boolean(), evidence: z.string() })),
});

/**
 * The maximum share of the remaining time for this step. Without it, indexing a large repository could use up the run's
 * time.
 */
const shareOfTime = 0.1;

/** Like `matchTextsOf`, for a strategy without a view of the code: opens one for the comparison. */
export function matchTextsIn(context: StrategyContext): MatchTexts {
  return async (suite, failing, signature) => {
    const { recorder, workspace, limits } = context;
    const options = {
      key: "texts-of-failing",
      title: "compare the calls of the failing tests with the statement",
      schema: matchesSchema,
    };
    const { matches } = await recorder.step(options, async () => {
      const late = abortAfter(shareOfTime * limits.remainingMs());
      const signal = AbortSignal.any([context.signal, ...(late === undefined ? [] : [late])]);
      const view = await openTreeView({ ...context, signal });
      try {
        const regions = await regionsOf(context, suite);
        const read = testsOf({ regions, view, workspace }, workspace.base);
        const found = (await matchTextsOf(read, failing, signature)) ?? [];
        return { matches: found.map(({ matches, isStrong, evidence }) => ({ matches, isStrong, evidence })) };
      } finally {
        await view.close();
      }
    });
    return matches.length === 0 ? undefined : matches;
  };
}
