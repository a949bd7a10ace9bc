/** Files that affect how C and C++ tests are found, run and reported. */
import type { JudgingFile } from "../contract.ts";
import { judgingOfAll } from "../judging-files.ts";

export const cppJudging: readonly JudgingFile[] = [
  ...judgingOfAll,
  {
    files:
      "**/{CTestTestfile.cmake,CTestCustom.cmake,CTestConfig.cmake,CTestCustom.ctest,CMakePresets.json,CMakeUserPresets.json}",
  },
  { files: "**/{CMakeLists.txt,*.cmake}", parts: { format: "cmake" } },
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
