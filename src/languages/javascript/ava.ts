import { defineTestFramework } from "../contract.ts";
import type { RunnerSigns } from "./javascript-commands.ts";
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
  description: "AVA 3 to 6, by its TAP",
  coverage: "none",
  invoke: (request) => invokeTap("ava", request),
});
