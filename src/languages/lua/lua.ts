import { defineLanguage, withoutGrammar } from "../contract.ts";

export default defineLanguage({
  name: "lua",
  extensions: [".lua"],
  grammar: withoutGrammar,
  testFiles: ["**/{spec,specs,test,tests}/**/*.lua", "**/*_spec.lua", "**/*_test.lua", "**/test_*.lua"],
  probes: [{ markers: [".rockspec", ".busted"], programs: ["lua -v", "busted --version"] }],
  runners: ["busted"],
  missing: [
    {
      pattern: /module '([\w.]+)' not found:/,
      explain: ([, name = ""]) => ({
        what: `the Lua module ${name} is not installed`,
        remedy: "install it with LuaRocks",
      }),
    },
  ],
  importedStems: (_, text) =>
    [...text.matchAll(/\brequire\s*\(?\s*["']([^"'\n]+)["']/g)].map(([, name = ""]) =>
      name.replaceAll(".", "/"),
    ),
  searchesFolders: true,
  definesByRunning: true,
  lineComment: "--",
  interpreted: true,
  idleStatement: "do end",
});
