import { expect, test } from "vitest";
import { readCounts } from "../../benchmarks/tests-counts.ts";

test.each([
  ["pytest", "....F\n=== 1 failed, 12 passed, 2 skipped in 0.31s ===\n", 12, 1],
  ["pytest -q", "12 passed, 1 warning in 2.30s\n", 12, 0],
  ["pytest with errors", "1 failed, 3 passed, 2 errors in 1.0s\n", 3, 3],
  [
    "cargo",
    "test result: ok. 3 passed; 0 failed; 1 ignored\n\ntest result: FAILED. 1 passed; 2 failed; 0 ignored\n",
    4,
    2,
  ],
  ["go", "--- PASS: TestA (0.00s)\n    --- FAIL: TestA/b (0.00s)\nok\n", 1, 1],
  [
    "maven",
    "[INFO] Tests run: 4, Failures: 0, Errors: 0, Skipped: 1, Time elapsed: 1 s\n[INFO] Tests run: 9, Failures: 1, Errors: 1, Skipped: 1\n",
    6,
    2,
  ],
  ["jest", "Tests:       1 failed, 5 passed, 6 total\n", 5, 1],
  ["vitest", " Test Files  1 passed (1)\n      Tests  7 passed (7)\n", 7, 0],
  ["node:test", "ℹ tests 5\nℹ pass 4\nℹ fail 1\n", 4, 1],
  ["mocha", "\n  9 passing (20ms)\n  2 failing\n", 9, 2],
])("%s", (_, output, passed, failed) => {
  expect(readCounts(output)).toEqual({ passed, failed });
});

test("what nobody knows is not counted", () => {
  expect(readCounts("all is well\n")).toBeUndefined();
});
