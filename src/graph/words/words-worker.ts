/** Starts a thread that reads files by their words, with the same compile cache as the program itself. */

import { enableCompileCache } from "node:module";
import { workerData } from "node:worker_threads";
import { textOf } from "../../base/fields.ts";

const compiled = textOf(workerData, "compiled");
if (compiled !== undefined) enableCompileCache(compiled);
await import("./words-thread.ts");
