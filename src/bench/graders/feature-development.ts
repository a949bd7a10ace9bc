/** USEbench's rule for a patch with new code and its tests, and Millwright's stricter rule. */
import { defineProtocolGrader } from "./contract.ts";

export default defineProtocolGrader({
  asks: "feature",
  name: "feature-development",
  description:
    "the hidden tests satisfy pass-and-fail, and the patch's own tests execute every line of its new code",
  own: "the patch's own tests pass as well",
});
