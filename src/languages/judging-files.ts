/** What decides how tests run, whatever the framework: starters of commands, and what they load. */
import type { JudgingFile } from "./contract.ts";

export const judgingOfAll: readonly JudgingFile[] = [
  {
    files:
      "**/{Makefile,makefile,GNUmakefile,justfile,Justfile,.justfile,Taskfile.yml,Taskfile.yaml,.env,.env.test*}",
  },
];

/** Files whose code runs while the project is built or installed: code, and named where a patch changes it. */
export const runsInBuild = /(?:^|\/)(?:build\.rs|setup\.py)$/;
