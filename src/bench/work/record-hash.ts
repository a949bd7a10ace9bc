/** Identifies an attempt's record, because a repeated batch writes another record under the same run's name. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { hashData, hashText } from "../../base/hash.ts";
import { largestText, readRegularFile } from "../../base/regular-file.ts";

/** Computes a hash of the run's events and kept tests; undefined if there are no events. */
export function hashRecord(directory: string): string | undefined {
  const [events, tests] = ["events.jsonl", "tests.diff"].map((name) => hashFile(join(directory, name)));
  return events === undefined ? undefined : hashData([events, tests ?? null]);
}

function hashFile(path: string): string | undefined {
  return existsSync(path) ? hashText(readRegularFile(path, largestText)) : undefined;
}
