// Written by scripts/generate-indexes.ts; do not edit.
import searchRepair from "./search-repair/strategy.ts";

export const strategies = [searchRepair] as const;
