/** Replaces the test framework if no test can run. Reports no results, and the reason. */
import type { TestFramework } from "../../languages/contract.ts";
import type { TestRun } from "../../workspace/test-runner.ts";

/** A framework that does nothing, for suites without tests. */
export const noFramework: TestFramework = {
  name: "none",
  language: "",
  description: "no test can run",
  detect: () => [],
  recognise: () => undefined,
  invoke: () => ({ run: ["false"], env: {} }),
  parse: () => nothingRan("nobody said how").report,
  coverage: "none",
  judging: [],
};

export function nothingRan(why: string): TestRun {
  return {
    report: { outcomes: [], coverage: new Map(), invalid: `no test can run here: ${why}` },
    end: "exited",
    exitCode: null,
    durationMs: 0,
    output: "",
  };
}
