/** What decides how the tests of C and C++ are found, run and reported. */
import type { JudgingFile } from "../contract.ts";
import { judgingOfAll } from "../judging-files.ts";

export const cppJudging: readonly JudgingFile[] = [
  ...judgingOfAll,
  {
    files:
      "**/{CTestTestfile.cmake,CTestCustom.cmake,CTestConfig.cmake,CTestCustom.ctest,CMakePresets.json,CMakeUserPresets.json}",
  },
  {
    files: "**/{CMakeLists.txt,*.cmake}",
    parts: {
      format: "lines",
      lines:
        /^\s*(?:set_tests_properties|set_property\s*\(\s*TEST|function\s*\(\s*add_test|macro\s*\(\s*add_test)|WILL_FAIL|PASS_REGULAR_EXPRESSION|SKIP_RE/i,
    },
  },
  {
    files: "**/{CMakeLists.txt,*.cmake}",
    parts: {
      format: "lines",
      lines:
        /^\s*(?:add_test|enable_testing|gtest_discover_tests|catch_discover_tests|doctest_discover_tests)\b/i,
      mayAdd: true,
    },
  },
  { files: "**/{gtest,gmock,catch2,doctest,CppUTest}/**", isShadow: true },
];
