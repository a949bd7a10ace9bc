/** A task in which no test can be run: the suite is empty and says why, and each run of tests says so too. */
import type { TestFramework } from "../../languages/contract.ts";
import type { TestRun } from "../../workspace/test-runner.ts";
import type { Suite } from "./baseline.ts";

const name = "none";

/** Stands among the frameworks, so that whoever asks for the suite's own finds one that can do nothing. */
export const noFramework: TestFramework = {
  name,
  language: "",
  description: "no test can be run",
  detect: () => [],
  recognise: () => undefined,
  invoke: () => ({ run: ["false"], env: {} }),
  parse: () => nothingRan("nobody said how").report,
  coverage: "none",
  judging: [],
};

/** `why`: a sentence without its full stop; undefined where nobody asked what the tests say. */
export function suiteWithoutTests(why: string | undefined): Suite {
  return {
    command: { framework: name, directory: "", command: "", foundBy: why ?? "nobody asked", likelihood: 0 },
    outcomes: [],
    durationMs: 0,
    remarks: why === undefined ? [] : [why],
    ...(why === undefined ? {} : { lacks: why }),
  };
}

export function nothingRan(why: string): TestRun {
  return {
    report: { outcomes: [], coverage: new Map(), invalid: `no test can be run here: ${why}` },
    end: "exited",
    exitCode: null,
    durationMs: 0,
    output: "",
  };
}
