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
  lineComment: "//",
  idleStatement: ";",
  homeFolders: [
    ".dotnet/dotnet",
    ".dotnet/host",
    ".dotnet/packs",
    ".dotnet/sdk",
    ".dotnet/shared",
    ".dotnet/templates",
    ".dotnet/tools",
  ],
  variables: ["DOTNET_ROOT"],
});
