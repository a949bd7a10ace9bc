import { defineLanguage, withoutGrammar } from "../contract.ts";

/** C++ and C, which share their build tools and tests. */
export default defineLanguage({
  name: "cpp",
  extensions: [".cpp", ".cc", ".cxx", ".c", ".hpp", ".hh", ".hxx", ".h"],
  grammar: withoutGrammar,
  testFiles: [
    "**/{test,tests,testing,unittests,unit_tests}/**/*.{c,cc,cpp,cxx,h,hpp}",
    "**/{test_*,*_test,*_tests,*_unittest,test,tests}.{c,cc,cpp,cxx}",
    "**/*{Test,Tests,Spec}.{c,cc,cpp,cxx}",
  ],
  toolchain: [
    {
      name: "ctest",
      argv: ["ctest", "--version"],
      remedy: "Install CMake to run the tests of CMake projects.",
    },
  ],
  runners: ["ctest"],
  probes: [{ markers: ["CMakeLists.txt"], programs: ["cmake --version", "c++ --version"] }],
  lineComment: "//",
  idleStatement: ";",
  variables: ["CC", "CXX"],
});
