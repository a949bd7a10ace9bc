// Written by scripts/generate-indexes.ts; do not edit.
import agentless from "./agentless/strategy.ts";
import autocoderover from "./autocoderover/strategy.ts";
import bestOf from "./best-of/strategy.ts";
import external from "./external/strategy.ts";
import marscode from "./marscode/strategy.ts";
import react from "./react/strategy.ts";
import rustforger from "./rustforger/strategy.ts";
import searchRepair from "./search-repair/strategy.ts";
import unified from "./unified/strategy.ts";
import workflow from "./workflow/strategy.ts";

export const strategies = [agentless, autocoderover, bestOf, external, marscode, react, rustforger, searchRepair, unified, workflow] as const;
