// Written by scripts/generate-indexes.ts; do not edit.
import bugsinpy from "./bugsinpy.ts";
import defects4j from "./defects4j.ts";
import featureDevelopment from "./feature-development.ts";
import millwright from "./millwright.ts";
import multiSweBench from "./multi-swe-bench.ts";
import quixbugs from "./quixbugs.ts";
import repocod from "./repocod.ts";
import repotest from "./repotest.ts";
import rustSweBench from "./rust-swe-bench.ts";
import sweBenchPro from "./swe-bench-pro.ts";
import sweBench from "./swe-bench.ts";
import sweSmith from "./swe-smith.ts";
import swetry from "./swetry.ts";
import swtBench from "./swt-bench.ts";

export const datasets = [bugsinpy, defects4j, featureDevelopment, millwright, multiSweBench, quixbugs, repocod, repotest, rustSweBench, sweBench, sweBenchPro, sweSmith, swetry, swtBench] as const;
