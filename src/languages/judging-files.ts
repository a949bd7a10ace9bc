/**
 * Files that affect how tests run in every framework: files with commands, such as Makefiles, and the environment files
 * that they load.
 */
import type { JudgingFile } from "./contract.ts";

export const judgingOfAll: readonly JudgingFile[] = [
  {
    files:
      "**/{Makefile,makefile,GNUmakefile,justfile,Justfile,.justfile,Taskfile.yml,Taskfile.yaml,.env,.env.test*,*.mk,*.mak}",
  },
  {
    files: "**/{Makefile,makefile,GNUmakefile,Makefile.am,Makefile.in,*.mk,*.mak}",
    includes: /^[ \t]*[-s]?include[ \t]+([^#\n]*)/gm,
  },
  {
    files: "**/{justfile,Justfile,.justfile,*.just}",
    includes: /^[ \t]*(?:import|mod)\??[ \t]+(?:\w+[ \t]+)?['"]([^'"\n]*)/gm,
  },
  { files: "**/Taskfile*.{yml,yaml}", includes: /^[ \t]+(?:taskfile|\w+):[ \t]*['"]?([\w./-]+\.ya?ml)/gm },
];

/**
 * Files whose code runs while the project is built or installed. Candidates may change them like other code, but the
 * report then says so.
 */
export const runsInBuild = /(?:^|\/)(?:build\.rs|setup\.py)$/;
