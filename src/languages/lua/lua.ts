import { defineLanguage, withoutGrammar } from "../contract.ts";

export default defineLanguage({
  name: "lua",
  extensions: [".lua"],
  grammar: withoutGrammar,
  testFiles: ["**/{spec,specs,test,tests}/**/*.lua", "**/*_spec.lua", "**/*_test.lua", "**/test_*.lua"],
});
