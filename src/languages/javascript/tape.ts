import { defineTestFramework } from "../contract.ts";
import { tapeCanary } from "./javascript-canary.ts";
import type { RunnerSigns } from "./javascript-commands.ts";
import { commonOf, signOf } from "./javascript-framework.ts";
import { invokeTap } from "./tap-runs.ts";

const signs: RunnerSigns = {
  framework: "tape",
  runner: "tape",
  standard: "npx tape",
  findSign: signOf("tape", []),
};

export default defineTestFramework({
  ...commonOf(signs),
  description: "tape 4 and 5, through its TAP output",
  varies: "with the test files in reversed order",
  canary: tapeCanary,
  invoke: (request) => invokeTap("tape", request),
});
