/** The record of an attempt's run, as metrics read it: its events, and the texts that they name. */
import { join } from "node:path";
import { readEvents } from "../../agent/record/recorder.ts";
import { isSystemError } from "../../base/errors.ts";
import { fieldOf } from "../../base/fields.ts";
import { largestText, readRegularFile } from "../../base/regular-file.ts";
import type { RunEvent } from "../../domain/run-event.ts";

export interface RunRecord {
  readonly events: readonly RunEvent[];
  /** A tool's whole reply; "" if it is gone. */
  output(handle: string): string;
  /** The data of a large result; undefined if it is gone. */
  artifact(name: string): unknown;
}

/** Undefined without a record. Throws MillwrightError("disk") if the record is damaged. */
export async function openRunRecord(directory: string): Promise<RunRecord | undefined> {
  const events = await readEvents(join(directory, "events.jsonl"));
  if (events.length === 0) return undefined;
  return {
    events,
    output: (handle) => readIfThere(join(directory, "outputs", `${handle}.txt`)) ?? "",
    artifact: (name) => parse(readIfThere(join(directory, "artifacts", `${name}.json`))),
  };
}

/** The result of a step, wherever it is stored. */
export function resultOf({ artifact }: Pick<RunRecord, "artifact">, result: unknown): unknown {
  const name = fieldOf(result, "artifact");
  return typeof name === "string" ? artifact(name) : result;
}

function readIfThere(path: string): string | undefined {
  try {
    return readRegularFile(path, largestText).toString("utf8");
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    throw error;
  }
}

function parse(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
