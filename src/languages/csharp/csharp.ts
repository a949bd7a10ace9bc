import { defineLanguage, withoutGrammar } from "../contract.ts";

export default defineLanguage({
  name: "csharp",
  extensions: [".cs"],
  grammar: withoutGrammar,
  testFiles: [
    "**/*{Test,Tests,Spec,Specs}.cs",
    "**/*.{Test,Tests,UnitTests,Specs}/**/*.cs",
    "**/{test,tests}/**/*.cs",
  ],
});
