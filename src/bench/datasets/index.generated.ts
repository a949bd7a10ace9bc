// Written by scripts/generate-indexes.ts; do not edit.
import millwright from "./millwright.ts";
import multiSweBench from "./multi-swe-bench.ts";
import quixbugs from "./quixbugs.ts";
import sweBenchPro from "./swe-bench-pro.ts";
import sweBench from "./swe-bench.ts";
import sweSmith from "./swe-smith.ts";

export const datasets = [millwright, multiSweBench, quixbugs, sweBench, sweBenchPro, sweSmith] as const;
