/**
 * SWT-bench's rule for tests that show an issue. The grading also reports USEbench's rule on the coverage of these
 * tests.
 */
import { defineProtocolGrader } from "./contract.ts";

export default defineProtocolGrader({
  asks: "written-tests",
  name: "swt-bench",
  description:
    "at least one test fails without the fix (or does not exist there) and passes with it; no test changes from passed to failed, or fails both times",
  own: "only tests change",
  tells: [
    {
      name: "usebench-patch-coverage",
      description: "the tests execute every executable line that the fix changes",
    },
  ],
});
