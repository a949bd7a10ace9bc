/** USEbench's rule for code with its own tests, and our rule. */
import { defineProtocolGrader } from "./contract.ts";

export default defineProtocolGrader({
  asks: "feature",
  name: "feature-development",
  description:
    "the hidden tests are as pass-and-fail asks, and the patch's own tests execute every line of its new code",
  own: "the patch's own tests pass as well",
});
