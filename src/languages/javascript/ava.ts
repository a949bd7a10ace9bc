import { defineTestFramework } from "../contract.ts";
import { avaCanary } from "./javascript-canary.ts";
import { avaCollects } from "./javascript-collection.ts";
import type { RunnerSigns } from "./javascript-commands.ts";
import { avaExamples } from "./javascript-examples.ts";
import { commonOf, signOf } from "./javascript-framework.ts";
import { invokeTap } from "./tap-runs.ts";

const signs: RunnerSigns = {
  framework: "ava",
  runner: "ava",
  standard: "npx ava",
  findSign: signOf("ava", []),
};

export default defineTestFramework({
  ...commonOf(signs),
  collects: avaCollects,
  description: "AVA 3 to 6, through its TAP output",
  coverage: "none",
  isolates: true,
  canary: avaCanary,
  examples: avaExamples,
  varies: "with the test files in reversed order",
  invoke: (request) => invokeTap("ava", request),
});
