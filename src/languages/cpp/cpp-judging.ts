/** Files that affect how C and C++ tests are found, run and reported. */
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
  // Switches that decide whether assertions are compiled.
  {
    files: "**/{CMakeLists.txt,*.cmake}",
    parts: {
      format: "lines",
      lines:
        /NDEBUG|\bCMAKE_BUILD_TYPE\b|\bCMAKE_C(?:XX)?_FLAGS|^\s*(?:add_definitions|(?:add|target)_compile_(?:definitions|options))\b/i,
    },
  },
  // Names of standard library headers, which tests expect to be the real ones.
  {
    files:
      "**/{cassert,assert.h,cstdlib,stdlib.h,cstdio,stdio.h,cstring,string.h,cmath,math.h,cstdint,stdint.h,iostream,sstream,string,string_view,vector,map,set,array,memory,utility,functional,algorithm,limits,optional,exception,stdexcept,chrono,thread}",
    isShadow: true,
  },
  { files: "**/{gtest,gmock,catch2,doctest,CppUTest}/**", isShadow: true },
];
