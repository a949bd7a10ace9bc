// Written by scripts/generate-indexes.ts; do not edit.
import millwright from "./millwright.ts";
import multiSweBench from "./multi-swe-bench.ts";
import quixbugs from "./quixbugs.ts";
import sweBench from "./swe-bench.ts";

export const datasets = [millwright, multiSweBench, quixbugs, sweBench] as const;
