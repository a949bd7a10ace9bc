import { defineTestFramework } from "../contract.ts";
import { tapCanary } from "./javascript-canary.ts";
import type { RunnerSigns } from "./javascript-commands.ts";
import { commonOf, signOf } from "./javascript-framework.ts";
import { invokeTap } from "./tap-runs.ts";

const signs: RunnerSigns = {
  framework: "tap",
  runner: "tap",
  standard: "npx tap",
  findSign: signOf("tap", []),
};

export default defineTestFramework({
  ...commonOf(signs),
  description: "node-tap 12 to 21, through its TAP output",
  coverage: "none",
  varies: "with the test files in reversed order",
  canary: tapCanary,
  invoke: (request) => invokeTap("tap", request),
});
