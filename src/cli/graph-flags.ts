/** Defines the flags that the commands over the code graph share. */
import { type Command, InvalidArgumentError } from "commander";
import { parseDuration } from "../base/units.ts";

export interface GraphFlags {
  readonly repo: string;
  readonly indexDir?: string;
  readonly json?: boolean;
  /** Time limit of an update, in milliseconds. */
  readonly refreshLimit?: number;
}

export const nothingFound = 11;

export const graphExitCodes = `
Exit codes: 0 found   ${nothingFound} nothing found   12 index: stopped at the time limit   2 wrong usage or configuration   3 infrastructure (disk, model)   130 interrupted`;

export const defaultLimitMs = 10_000;

export function addGraphFlags(command: Command): Command {
  return command
    .option("--repo <dir>", "the repository; Millwright never writes to it", ".")
    .option("--index-dir <dir>", "the folder of all indexes; default: under the user's cache directory")
    .option(
      "--refresh-limit <duration>",
      `time limit for indexing changed files; default ${defaultLimitMs / 1000}s, but none for index; 0s: answer from the index as it is`,
      readLimit,
    )
    .option("--json", "print one JSON document")
    .addHelpText("after", graphExitCodes);
}

function readLimit(text: string): number {
  const limit = /^0+\w*$/.test(text) ? 0 : parseDuration(text);
  if (limit === undefined) throw new InvalidArgumentError("Give a duration such as 10s.");
  return limit;
}

export function printJson(document: object): void {
  process.stdout.write(`${JSON.stringify(document, null, 2)}\n`);
}
