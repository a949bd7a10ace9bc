import { defineLanguage } from "../contract.ts";
import { scriptStems } from "./script-imports.ts";

export default defineLanguage({
  name: "javascript",
  extensions: [".js", ".mjs", ".cjs", ".jsx"],
  grammar: () => "tree-sitter-javascript/tree-sitter-javascript.wasm",
  testFiles: [
    "**/*.{test,spec}.{js,mjs,cjs,jsx}",
    "**/{test,tests,spec,specs,__tests__}/**/*.{js,mjs,cjs,jsx}",
    "**/{test,test-*,*-test,*_test}.{js,mjs,cjs}",
  ],
  buildScripts: [
    "{babel,eslint,jest,karma,rollup,vite,vitest,webpack}.config.{js,mjs,cjs}",
    "{gulpfile,Gruntfile}.{js,mjs,cjs}",
  ],
  toolchain: [
    {
      name: "node (for projects)",
      argv: ["node", "--version"],
      remedy: "Install Node 18 or later to repair JavaScript repositories.",
    },
  ],
  probes: [
    { markers: ["package.json"], programs: ["node --version"] },
    { markers: ["package-lock.json"], programs: ["npm --version"] },
    { markers: ["pnpm-lock.yaml"], programs: ["pnpm --version"] },
    { markers: ["yarn.lock"], programs: ["yarn --version"] },
  ],
  importedStems: scriptStems,
  lineComment: "//",
  interpreted: true,
  idleStatement: "void 0;",
  lockFiles: { "package-lock.json": "npm", "yarn.lock": "yarn", "pnpm-lock.yaml": "pnpm", "bun.lock": "bun" },
  interpreters: ["node"],
  homeFolders: [
    ".bun",
    ".deno/bin",
    ".fnm",
    ".local/share/fnm",
    ".local/share/pnpm",
    ".nodenv",
    ".npm-global/bin",
    ".npm-global/lib",
    ".nvm",
    ".volta",
    ".yarn/bin",
  ],
  variables: ["DENO_DIR", "NVM_DIR", "PNPM_HOME", "VOLTA_HOME"],
});
