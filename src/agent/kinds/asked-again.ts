/** Defines the results of running the base's version of existing tests on a patch. */
import type { TestKey, TestOutcome } from "../../domain/test-outcome.ts";

export interface WrongTest {
  readonly key: TestKey;
  /** The reason why the test does not count, as a clause. */
  readonly why: string;
  /** For an example in the code: its file, and the text that the patch may change. */
  readonly example?: { readonly path: string; readonly text: string };
  /** The patch's change of the test, as a clause, if the author gives no reason. A review can then agree with the change. */
  readonly rewording?: string;
}

export interface AskedAgain {
  /** The results; for reworded or removed tests, the results of the base's version. */
  readonly outcomes: readonly TestOutcome[];
  /** Tests that do not count. */
  readonly wrong: readonly WrongTest[];
  /** The reasons why tests count in spite of a claim, as clauses. */
  readonly notes: readonly string[];
  /** Tests that do not count if a review agrees with the claim, or with the patch's change of the test. */
  readonly awaiting?: readonly WrongTest[];
}
