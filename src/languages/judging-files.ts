/** Files that affect how tests run in any framework: programs that start commands, and the files that these load. */
import type { JudgingFile } from "./contract.ts";

export const judgingOfAll: readonly JudgingFile[] = [
  {
    files:
      "**/{Makefile,makefile,GNUmakefile,justfile,Justfile,.justfile,Taskfile.yml,Taskfile.yaml,.env,.env.test*}",
  },
];

/**
 * Files whose code runs while the project is built or installed. They count as code. The report says so if a patch
 * changes such a file.
 */
export const runsInBuild = /(?:^|\/)(?:build\.rs|setup\.py)$/;
