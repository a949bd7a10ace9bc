/** Tests that a command printed, or wrote to files of its own. */
export interface PrintedTest {
  readonly name: string;
  readonly status: "passed" | "failed" | "skipped" | "expected-failure";
  /** What was printed about its failure; "" where nothing was. */
  readonly said: string;
  readonly durationMs?: number;
}

export interface Printed {
  /** `TAP`, `GoogleTest` … */
  readonly dialect: string;
  readonly tests: readonly PrintedTest[];
  /** Why the list is not whole, such as a plan with more tests; undefined where nothing shows that. */
  readonly problem?: string | undefined;
}
