/** What an action changed of the state, as far as its own answer does not say it. */
import { formatTestKey } from "../../domain/test-outcome.ts";
import { isFaultLine, linesOf } from "./render-state.ts";
import type { TaskState } from "./task-state.ts";
import { ownName } from "./test-titles.ts";

/** "" where the answer says it all. */
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

/** Whether each part of the line stands in the text: what review found stands there in other words around it. */
function saysAll(said: string, line: string): boolean {
  const text = said.replaceAll(/\s+/g, " ");
  // Of a reproduction all is told in figures.
  const [reproduction] = /^Reproduction r\d+:/.exec(line) ?? [];
  if (reproduction !== undefined) return text.includes(reproduction);
  return line
    .replace(/^- /, "")
    .split("; ")
    .map((part) => part.replace(/^review: /, "").replace(/^(?:doubt|refuted): /, ""))
    .map((part) => part.replace(/ \([\w-]+\)$/, "").replace(/[.…]$/, ""))
    .every((part) => text.includes(part));
}

/** Of the tests that show the fault now, the new ones, by name; those that are held back are counted there. */
function saysTests(said: string, before: TaskState, after: TaskState): boolean {
  const { targets = [], heldBack = [] } = after.fault ?? {};
  const known = new Set([...(before.fault?.targets ?? []), ...heldBack].map(formatTestKey));
  const fresh = targets.filter((key) => !known.has(formatTestKey(key)));
  return fresh.length > 0 && fresh.every((key) => said.includes(ownName(key)));
}
