import { ownFile } from "../base/own-files.ts";

/** Our reporters and tracers, which the sandbox shows read-only to a repository's tests. */
export const runtimeDirectory = ownFile("languages/runtime");
