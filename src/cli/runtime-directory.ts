import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Our reporters and tracers, which the sandbox shows read-only to a repository's tests. */
export const runtimeDirectory = join(
  dirname(dirname(fileURLToPath(import.meta.url))),
  "languages",
  "runtime",
);
