/** Finds the first step at which two runs of one task differ, from their events alone. */
import { nameAction } from "../../agent/record/activity.ts";
import type { RunEvent } from "../../domain/run-event.ts";

export interface Parting {
  /** The number of the step, from 1, among the steps of a run: its actions, tool calls, and judged candidates. */
  readonly step: number;
  /** The first run's step at this number; undefined if the run has ended. */
  readonly first: string | undefined;
  readonly second: string | undefined;
}

/**
 * Finds the first step in which two runs differ. Undefined if all steps are equal; even then, the runs' final verdicts
 * may differ.
 */
export function findParting(first: readonly RunEvent[], second: readonly RunEvent[]): Parting | undefined {
  const [one, other] = [stepsOf(first), stepsOf(second)];
  const length = Math.max(one.length, other.length);
  for (let at = 0; at < length; at += 1)
    if (one[at] !== other[at]) return { step: at + 1, first: one[at], second: other[at] };
  return undefined;
}

function stepsOf(events: readonly RunEvent[]): string[] {
  return events.flatMap((event) => {
    if (event.event === "action-started") return lineOf(nameAction(event));
    if (event.event === "tool-ended")
      return `${event.tool} ${lineOf(event.about)}${event.failed ? " (refused)" : ""}`.trim();
    if (event.event === "candidate-judged") return `candidate ${event.candidate}: ${event.verdict}`;
    return [];
  });
}

function lineOf(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
