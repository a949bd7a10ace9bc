import { defineTestFramework } from "../contract.ts";
import { testUnitCanary } from "./ruby-canary.ts";
import { testUnitExamples } from "./ruby-examples.ts";
import { rubyFramework } from "./ruby-framework.ts";

export default defineTestFramework(
  rubyFramework({
    name: "test-unit",
    description: "test-unit 3, with Millwright's listener",
    canary: testUnitCanary,
    examples: testUnitExamples,
  }),
);
