// Written by scripts/generate-indexes.ts; do not edit.
import bubblewrap from "./bubblewrap.ts";
import docker from "./docker.ts";
import local from "./local.ts";

export const sandboxProviders = [bubblewrap, docker, local] as const;
