/** Defines the results of running the base's version of existing tests on a patch. */
import type { TestKey, TestOutcome } from "../../domain/test-outcome.ts";

export interface WrongTest {
  readonly key: TestKey;
  /** Why it does not count, as a part of a sentence. */
  readonly why: string;
  /** For an example in the code: the text that may be changed. */
  readonly example?: { readonly path: string; readonly text: string };
}

export interface AskedAgain {
  /** The results; for reworded or removed tests, the results of the base's version. */
  readonly outcomes: readonly TestOutcome[];
  /** Tests that do not count. */
  readonly wrong: readonly WrongTest[];
  /** Why tests count in spite of a claim, each as a part of a sentence. */
  readonly notes: readonly string[];
}
