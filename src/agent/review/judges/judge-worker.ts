/** The entry module of a thread that judges texts. Uses the program's compile cache, and loads the thread's code. */

import { enableCompileCache } from "node:module";
import { workerData } from "node:worker_threads";
import { textOf } from "../../../base/fields.ts";

const compiled = textOf(workerData, "compiled");
if (compiled !== undefined) enableCompileCache(compiled);
await import("./judge-thread.ts");
