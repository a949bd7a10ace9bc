// Written by scripts/generate-indexes.ts; do not edit.
import clangd from "./clangd.ts";
import gopls from "./gopls.ts";
import jdtls from "./jdtls.ts";
import lua from "./lua.ts";
import pyright from "./pyright.ts";
import rustAnalyzer from "./rust-analyzer.ts";
import typescript from "./typescript.ts";

export const languageServers = [clangd, gopls, jdtls, lua, pyright, rustAnalyzer, typescript] as const;
