/**
 * Removes secrets before a record reaches a disk. Removes the user's keys everywhere. Removes texts in the form of a
 * key only from prose.
 */
import { mapStrings } from "../../base/map-strings.ts";
import type { Redactor } from "../../base/redact.ts";
import type { NewRunEvent } from "../../domain/run-event.ts";

/**
 * Fields of an event or report that must stay exact: a patch must apply, and a step's key must match. There, Millwright
 * removes only the user's own keys.
 */
const exact = new Set(["patch", "testsPatch", "partialPatch", "step"]);
/**
 * Prose fields of a step's result. Millwright searches only these for key patterns, because a run requests tests by
 * name.
 */
const words = new Set(["failure", "message", "text", "trouble", "stdout", "stderr"]);

export function redactEvent(redactor: Redactor, event: NewRunEvent): NewRunEvent {
  return redactReport(redactor, event);
}

/** Removes secrets from a report, in the same way as from events. */
export function redactReport<T>(redactor: Redactor, data: T): T {
  return mapStrings(data, redactor.text, (key) => (exact.has(key) ? redactor.known : undefined));
}

export function redactResult<T>(redactor: Redactor, result: T): T {
  return mapStrings(result, redactor.known, (key) => (words.has(key) ? redactor.text : undefined));
}
