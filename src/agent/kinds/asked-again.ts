/** What tests that were there say of a patch, worded as the base has them. */
import type { TestKey, TestOutcome } from "../../domain/test-outcome.ts";

export interface WrongTest {
  readonly key: TestKey;
  /** Why it does not count, a sentence's part. */
  readonly why: string;
  /** Of an example in the code: the text that may be changed. */
  readonly example?: { readonly path: string; readonly text: string };
}

export interface AskedAgain {
  /** What the tests said, and of those that were reworded or taken away what they say as the base has them. */
  readonly outcomes: readonly TestOutcome[];
  /** They do not count. */
  readonly wrong: readonly WrongTest[];
  /** Of those that count all the same, why, a sentence's part each. */
  readonly notes: readonly string[];
}
