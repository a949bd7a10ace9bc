/** Renders events and calls as lines for people. */

import { nameAction } from "../agent/record/activity.ts";
import { describePrice, tokensOf } from "../agent/record/costs.ts";
import { type TimelineItem, timelineOf } from "../agent/record/timeline.ts";
import { countOf } from "../base/count.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import { formatDuration } from "../base/units.ts";
import type { RunEvent } from "../domain/run-event.ts";

/** Fields of an event that the lines show elsewhere. */
const left = new Set(["at", "event", "report", "findings", "result"]);
/** Maximum number of characters of a value. Each value is cut separately, so that a long one hides no other. */
const longest = 120;

export function renderEvents(events: readonly RunEvent[]): string {
  return events.map((event) => `${sanitizeForTerminal(describeEvent(event))}\n`).join("");
}

function describeEvent(event: RunEvent): string {
  const details = Object.entries(event)
    .filter(([key]) => !left.has(key))
    .map(([key, value]) => `${key}=${cut(typeof value === "string" ? value : JSON.stringify(value))}`);
  return [new Date(event.at).toISOString(), event.event, ...details].join("  ");
}

/**
 * Renders each action, followed by the action's model calls and tool calls. `isAlive`: true if a process still works on
 * the run.
 */
export function renderCalls(events: readonly RunEvent[], isAlive: boolean): string {
  const lines = timelineOf(events).map((item) => {
    const time = item.ms === undefined ? (isAlive ? "under way" : "interrupted") : formatDuration(item.ms);
    return `${"  ".repeat(item.depth)}${describeItem(item)}  ${time}`;
  });
  return lines.map((line) => `${sanitizeForTerminal(line)}\n`).join("");
}

function describeItem(item: TimelineItem): string {
  const failed = item.failed ? " ✗" : "";
  if (item.kind === "action") {
    const { round, action, intent } = item.started;
    return `${round}. ${nameAction({ action: `${action}${failed}`, intent: cut(intent) })}`;
  }
  if (item.kind === "tool")
    return `#${item.started.order} ${item.started.tool}${failed}: ${cut(item.started.about)}`;
  const { started, ended, cost } = item;
  const notes = [
    `${countOf(tokensOf(cost), "token")} (${cost.cachedTokens} cached)`,
    describePrice(cost),
    ...(ended?.recorded === true ? ["from a recording"] : []),
    ...(ended?.retries === undefined ? [] : [countOf(ended.retries.length, "retry")]),
    ...(ended?.condensed === undefined ? [] : [`${countOf(ended.condensed.replies, "reply")} condensed`]),
    ...(ended?.failure === undefined ? [] : [cut(`${ended.failure.kind}: ${ended.failure.message}`)]),
  ];
  return `#${started.order} ${started.role}, ${ended?.model ?? started.model}${failed}${ended === undefined ? "" : `: ${notes.join(", ")}`}`;
}

function cut(text: string): string {
  const line = text.replaceAll(/\s+/g, " ").trim();
  return line.length > longest ? `${line.slice(0, longest)}…` : line;
}
