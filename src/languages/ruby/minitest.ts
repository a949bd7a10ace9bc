import { defineTestFramework } from "../contract.ts";
import { minitestCanary } from "./ruby-canary.ts";
import { minitestExamples } from "./ruby-examples.ts";
import { rubyFramework } from "./ruby-framework.ts";

export default defineTestFramework(
  rubyFramework({
    name: "minitest",
    description: "minitest 5, with Millwright's reporter",
    canary: minitestCanary,
    examples: minitestExamples,
  }),
);
