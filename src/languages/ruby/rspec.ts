import { defineTestFramework } from "../contract.ts";
import { rspecCanary } from "./ruby-canary.ts";
import { rspecExamples } from "./ruby-examples.ts";
import { rubyFramework } from "./ruby-framework.ts";

export default defineTestFramework(
  rubyFramework({
    name: "rspec",
    description: "RSpec 3, with Millwright's formatter",
    canary: rspecCanary,
    examples: rspecExamples,
  }),
);
