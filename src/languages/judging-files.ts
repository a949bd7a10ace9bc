/**
 * Files that affect how tests run in every framework: files with commands, such as Makefiles, and the environment files
 * that they load.
 */
import type { JudgingFile } from "./contract.ts";

export const judgingOfAll: readonly JudgingFile[] = [
  {
    files:
      "**/{Makefile,makefile,GNUmakefile,justfile,Justfile,.justfile,Taskfile.yml,Taskfile.yaml,.env,.env.local,.env.test*,.env.*.local}",
  },
  {
    files: "**/{Makefile,makefile,GNUmakefile,Makefile.in}",
    includes: /^[ \t]*[-s]?include[ \t]+([^#\n]*)/gm,
  },
  // Automake itself replaces a plain `include`, mostly by lists of sources, and leaves the others to Make.
  { files: "**/Makefile.am", includes: /^[ \t]*[-s]include[ \t]+([^#\n]*)/gm },
  {
    files: "**/{justfile,Justfile,.justfile}",
    includes: /^[ \t]*(?:import|mod)\??[ \t]+(?:\w+[ \t]+)?['"]([^'"\n]*)/gm,
  },
  // Entries below `includes:`: `docs: docs.yml`, and `taskfile: docs.yml` in an entry.
  {
    files: "**/Taskfile*.{yml,yaml}",
    includes:
      /^(?:[ \t]+taskfile|[ \t]{1,4}[\w.-]+):[ \t]*(?:\{[^}\n]*?taskfile:[ \t]*)?['"]?([\w./-]+\.ya?ml)(?<=^includes:[ \t]*(?:#.*)?\r?\n(?:(?:[ \t#].*)?\r?\n)*.*)/gm,
  },
];

/**
 * Files whose code runs while the project is built or installed. Candidates may change them like other code, but the
 * report then says so.
 */
export const runsInBuild = /(?:^|\/)(?:build\.rs|setup\.py)$/;
