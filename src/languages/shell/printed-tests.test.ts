import { expect, test } from "vitest";
import { readPrintedTests } from "./printed-tests.ts";

const statusesOf = (output: string) =>
  Object.fromEntries((readPrintedTests(output)?.tests ?? []).map(({ name, status }) => [name, status]));

test.each<[string, string, Record<string, string>]>([
  [
    "TAP with directives, comments and a subtest",
    "TAP version 13\n1..5\nok 1 - adds\nnot ok 2 - subtracts\n#   got: 3\n    ok 1 - inner\nok 3 # SKIP no network\nnot ok 4 - later # TODO write it\nok\n",
    {
      adds: "passed",
      subtracts: "failed",
      "test 3": "skipped",
      later: "expected-failure",
      "test 5": "passed",
    },
  ],
  [
    "TAP whose failing lines have the reason behind the name",
    "1..2\nok 1 - fee 1\nnot ok 2 - fee 7: expected 15, got 10\n",
    { "fee 1": "passed", "fee 7": "failed" },
  ],
  [
    "GoogleTest, with a crash at its end",
    "[==========] Running 3 tests\n[ RUN      ] Sum.Adds\n[       OK ] Sum.Adds (2 ms)\n[ RUN      ] Sum.Fails\na.cc:3: Failure\n[  FAILED  ] Sum.Fails, where it is (0 ms)\n[  FAILED  ] Sum.Fails (0 ms)\n[ RUN      ] Sum.Crashes\nSegmentation fault\n",
    { "Sum.Adds": "passed", "Sum.Fails": "failed", "Sum.Crashes": "failed" },
  ],
  [
    "Automake",
    "PASS: one.sh\nXFAIL: two.sh\nFAIL: three.sh\nSKIP: four.sh\n# TOTAL: 4\n",
    { "one.sh": "passed", "two.sh": "expected-failure", "three.sh": "failed", "four.sh": "skipped" },
  ],
  [
    "cargo",
    "test sum::adds ... ok\ntest sum::fails ... FAILED\n",
    { "sum::adds": "passed", "sum::fails": "failed" },
  ],
  [
    "go",
    "--- PASS: TestAdds (0.00s)\n    --- FAIL: TestAdds/one (0.00s)\nok  \tx\t0.1s\n",
    { TestAdds: "passed", "TestAdds/one": "failed" },
  ],
  [
    "prove",
    "t/a.t .. ok\nt/b.t .. Failed 1/3 subtests \nResult: FAIL\n",
    { "t/a.t": "passed", "t/b.t": "failed" },
  ],
  [
    "doctest with durations",
    "0.000100 s: adds\n===\nTEST CASE:  fails\na.cpp:4: ERROR: CHECK( 1 == 2 ) is NOT correct!\n0.000200 s: fails\n===\n[doctest] test cases: 2 | 1 passed | 1 failed\n",
    { adds: "passed", fails: "failed" },
  ],
  [
    "unittest with names",
    "test_a (t.T.test_a) ... noise\nok\ntest_b (t.T.test_b)\nAdds the tax. ... FAIL\ntest_c (t.T.test_c) ... skipped 'no network'\ntest_d (t.T.test_d) ... expected failure\ntest_e (t.T.test_e) ... unexpected success\ntest_f (t.T.test_f) ... ERROR\n\n======================================================================\nFAIL: test_b (t.T.test_b)\nAdds the tax.\nAssertionError: 1 != 2\n\nRan 6 tests in 0.002s\n\nFAILED (failures=1, errors=1)\n",
    {
      "test_a (t.T.test_a)": "passed",
      "test_b (t.T.test_b)": "failed",
      "test_c (t.T.test_c)": "skipped",
      "test_d (t.T.test_d)": "expected-failure",
      "test_e (t.T.test_e)": "failed",
      "test_f (t.T.test_f)": "failed",
    },
  ],
  [
    "words first",
    "ok: adds\nFAIL subtracts\n3 passed\nok 3 tests\nfailed to open a.txt\n",
    { adds: "passed", subtracts: "failed" },
  ],
  [
    "words last",
    "adds ... ok\nsubtracts: FAIL\n\u001b[32mmultiplies\u001b[0m -> done\n",
    { adds: "passed", subtracts: "failed" },
  ],
  ["nothing that is known", "all good\n", {}],
])("reads %s", (_, output, statuses) => {
  expect(statusesOf(output)).toEqual(statuses);
});

test("what was printed of a failure is kept, and a plan that was not kept is a problem", () => {
  const read = readPrintedTests("1..3\nok 1 - a\nnot ok 2 - b\n#   got: 3\n#   expected: 4\n");
  expect(read?.tests[1]?.said).toBe("got: 3\n  expected: 4");
  expect(read?.problem).toBe("the TAP plan has 3 tests, but 2 have results");
});
