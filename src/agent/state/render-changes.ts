/** Describes an action's changes to the state. Omits changes that the action's reply already mentions. */
import { formatTestKey } from "../../domain/test-outcome.ts";
import { isFaultLine, linesOf } from "./render-state.ts";
import type { TaskState } from "./task-state.ts";
import { ownName } from "./test-titles.ts";

/** Describes the changes of the state; "" if the reply `said` already mentions all of them. */
export function renderChanges(before: TaskState, after: TaskState, said = ""): string {
  const known = new Set(linesOf(before));
  const isSaid = (line: string): boolean =>
    saysAll(said, line) || (isFaultLine(line) && saysTests(said, before, after));
  const fresh: string[] = [];
  let heading: string | undefined;
  for (const line of linesOf(after)) {
    if (!line.startsWith("- ")) heading = line.endsWith(":") ? line : undefined;
    if (line === heading || known.has(line) || isSaid(line)) continue;
    if (heading !== undefined) fresh.push(heading);
    heading = undefined;
    fresh.push(line);
  }
  return fresh.join("\n");
}

/** True if the text contains each part of the line, because reviews phrase their findings differently. */
function saysAll(said: string, line: string): boolean {
  const text = said.replaceAll(/\s+/g, " ");
  // Omits reproductions, because the figures of their tests are complete.
  const [reproduction] = /^Reproduction r\d+:/.exec(line) ?? [];
  if (reproduction !== undefined) return text.includes(reproduction);
  const isRun = /^- (?:base\b|[crt]\d+\+)/.test(line);
  return (
    line
      .replace(/^- /, "")
      .split("; ")
      // The reply shows the failures of a run.
      .filter((part) => !isRun || !part.startsWith("failing: "))
      .map((part) => part.replace(/^review: /, "").replace(/^(?:doubt|refuted): /, ""))
      .map((part) => part.replace(/ \([\w-]+\)$/, "").replace(/[.…]$/, ""))
      .every((part) => text.includes(part))
  );
}

/**
 * True if the text names each new test that shows the fault. Ignores held-back tests, because texts only count them.
 */
function saysTests(said: string, before: TaskState, after: TaskState): boolean {
  const { targets = [], heldBack = [] } = after.fault ?? {};
  const known = new Set([...(before.fault?.targets ?? []), ...heldBack].map(formatTestKey));
  const fresh = targets.filter((key) => !known.has(formatTestKey(key)));
  return fresh.length > 0 && fresh.every((key) => said.includes(ownName(key)));
}
