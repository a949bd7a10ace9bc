/** What of a run must not reach a disk: keys of the user's anywhere, and what has the form of a key where words stand. */
import { mapStrings } from "../../base/map-strings.ts";
import type { Redactor } from "../../base/redact.ts";
import type { NewRunEvent } from "../../domain/run-event.ts";

/** Of an event and a report: a patch has to stay one that applies, so that only the user's own keys are taken out of it. */
const exact = new Set(["patch", "testsPatch", "partialPatch", "step"]);
/** Of a step's result: tests are asked for by their names, so that words alone are looked through for forms of keys. */
const words = new Set(["failure", "message", "text", "trouble", "stdout", "stderr"]);

export function redactEvent(redactor: Redactor, event: NewRunEvent): NewRunEvent {
  return redactReport(redactor, event);
}

/** Also of a report. */
export function redactReport<T>(redactor: Redactor, data: T): T {
  return mapStrings(data, redactor.text, (key) => (exact.has(key) ? redactor.known : undefined));
}

export function redactResult<T>(redactor: Redactor, result: T): T {
  return mapStrings(result, redactor.known, (key) => (words.has(key) ? redactor.text : undefined));
}
