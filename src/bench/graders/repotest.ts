/** USEbench's rule for tests of one function, and Millwright's stricter rule. */
import { defineProtocolGrader } from "./contract.ts";

export default defineProtocolGrader({
  asks: "target-tests",
  name: "repotest",
  description: "the new tests pass, and execute every executable line of the target",
  own: "only tests change, they pass three times, and notice at least half of the small faults made in the target",
});
