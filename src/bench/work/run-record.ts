/** Opens the record of an attempt's run for metrics: the events, and the stored texts that they name. */
import { join } from "node:path";
import { loadResult, readEvents } from "../../agent/record/recorder.ts";
import { isSystemError } from "../../base/errors.ts";
import { largestText, readRegularFile } from "../../base/regular-file.ts";
import type { RunEvent } from "../../domain/run-event.ts";
import { openActs, type RecordedAct } from "./recorded-acts.ts";

export interface RunRecord {
  readonly events: readonly RunEvent[];
  /** Reads a tool's whole reply; "" if it is gone. */
  output(handle: string): string;
  /** Reads the result of a step, from the event or the stored file; undefined if it is gone. */
  result(stored: unknown): Promise<unknown>;
  /**
   * Reads the act of a tool's event, with its whole arguments. Undefined if the event is no act, or if its arguments
   * are gone.
   */
  act(event: Extract<RunEvent, { readonly event: "tool-ended" }>): RecordedAct | undefined;
}

/** Opens a run's record; undefined if the folder has none. Throws MillwrightError("disk") if the record is damaged. */
export async function openRunRecord(directory: string): Promise<RunRecord | undefined> {
  const events = await readEvents(join(directory, "events.jsonl"));
  if (events.length === 0) return undefined;
  return {
    events,
    act: openActs(directory, events),
    output: (handle) => readIfThere(join(directory, "outputs", `${handle}.txt`)),
    result: (stored) => loadResult(join(directory, "artifacts"), stored),
  };
}

function readIfThere(path: string): string {
  try {
    return readRegularFile(path, largestText).toString("utf8");
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return "";
    throw error;
  }
}
