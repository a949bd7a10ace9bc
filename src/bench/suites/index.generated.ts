// Written by scripts/generate-indexes.ts; do not edit.
import marsLite from "./mars-lite.ts";
import rustSweBench from "./rust-swe-bench.ts";
import useBench from "./use-bench.ts";

export const suites = [marsLite, rustSweBench, useBench] as const;
