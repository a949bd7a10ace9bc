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
});
