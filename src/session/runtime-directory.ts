import { ownFile } from "../base/own-files.ts";

/** The folder of Millwright's reporters and tracers. The sandbox mounts it read-only for a repository's tests. */
export const runtimeDirectory = ownFile("languages/runtime");
