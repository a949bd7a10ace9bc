/**
 * SWT-bench's rule for tests that show an issue. The grading also reports USEbench's rule on the coverage of these
 * tests.
 */
import { defineProtocolGrader } from "./contract.ts";

export default defineProtocolGrader({
  asks: "written-tests",
  name: "swt-bench",
  description:
    "a test fails (or does not exist) without the fix and passes with it, none that passed fails with it, and none fails both times",
  own: "nothing but tests changes",
  tells: [
    {
      name: "usebench-patch-coverage",
      description: "the tests execute every executable line that the fix changes",
    },
  ],
});
