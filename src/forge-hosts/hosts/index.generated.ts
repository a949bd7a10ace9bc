// Written by scripts/generate-indexes.ts; do not edit.
import gitea from "./gitea.ts";
import github from "./github.ts";
import gitlab from "./gitlab.ts";

export const forgeHosts = [gitea, github, gitlab] as const;
