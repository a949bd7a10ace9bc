/** Says, for gates and reviews, that all tests that passed on the base still pass. */
import { wordFor } from "../../base/count.ts";

export function tellStillPassing(passed: number): string {
  if (passed === 0) return "no test passed before, so none could break";
  return `${passed === 1 ? "the one test" : `all ${passed} tests`} that passed before still ${wordFor(passed, "passes", "pass")}`;
}
