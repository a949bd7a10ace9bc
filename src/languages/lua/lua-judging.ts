/** Files that affect how busted finds, runs and reports tests. */
import type { JudgingFile } from "../contract.ts";
import { judgingOfAll } from "../judging-files.ts";

export const luaJudging: readonly JudgingFile[] = [
  ...judgingOfAll,
  { files: "**/{.busted,.luacov}", loads: /\bhelper\s*=\s*("[^"\n]*"|'[^'\n]*')/ },
  { files: "**/{busted,luassert,say}{.lua,/**}", isShadow: true },
];
