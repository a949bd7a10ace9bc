// Written by scripts/generate-indexes.ts; do not edit.
import searchRepair from "./search-repair/strategy.ts";
import unified from "./unified/strategy.ts";

export const strategies = [searchRepair, unified] as const;
