/** USEbench's rule for tests of one function, and Millwright's stricter rule. */
import { defineProtocolGrader } from "./contract.ts";

export default defineProtocolGrader({
  asks: "target-tests",
  name: "repotest",
  description: "the new tests pass, and execute every executable line of the target",
  own: "only tests change; the new tests pass three times, and detect at least half of the target's mutants",
});
