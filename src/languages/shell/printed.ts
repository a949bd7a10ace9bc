/** A test that a command printed, or wrote to its own files. */
export interface PrintedTest {
  readonly name: string;
  readonly status: "passed" | "failed" | "skipped" | "expected-failure";
  /** The output about its failure; "" if there was none. */
  readonly said: string;
  readonly durationMs?: number;
}

export interface Printed {
  /** The name of the format: `TAP`, `GoogleTest` … */
  readonly dialect: string;
  readonly tests: readonly PrintedTest[];
  /** The reason to believe that the list is incomplete, such as a plan for more tests; otherwise undefined. */
  readonly problem?: string | undefined;
}
