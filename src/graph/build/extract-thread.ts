/** The body of an extraction thread. It reads and parses files; the thread that started it writes the rows. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { parentPort, workerData } from "node:worker_threads";
import { databaseName } from "../index-folder.ts";
import { openKnownFacts } from "../store/known-facts.ts";
import { extractFile } from "./extract-file.ts";
import type { ExtractionThreadData, SourceFile } from "./extraction-threads.ts";

const { directory, progress } = workerData as ExtractionThreadData;
const database = new DatabaseSync(join(directory, databaseName), { readOnly: true, timeout: 10_000 });
const known = openKnownFacts(database);
/** Milliseconds per file. No other work waits for this thread. */
const timeMs = 20_000;
let queue = Promise.resolve();

parentPort?.on("message", (files: readonly SourceFile[]) => {
  queue = queue.then(() => extractFiles(files));
});

async function extractFiles(files: readonly SourceFile[]): Promise<void> {
  for (const { path, hostPath } of files) {
    parentPort?.postMessage(await extractFile({ path, hostPath, known, timeMs }));
    Atomics.add(progress, 0, 1);
  }
}
