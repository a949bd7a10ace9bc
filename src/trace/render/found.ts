/** Renders one call in detail, or the calls of one function: the answer of `trace show` to a handle or a name. */

import { countOf } from "../../base/count.ts";
import { MillwrightError } from "../../base/errors.ts";
import { nearestNames } from "../../base/nearest-names.ts";
import { hasFailed } from "../failure-path.ts";
import { type FoundCall, findCall, findCallsOf } from "../find-calls.ts";
import type { Trace } from "../trace-file.ts";
import type { TraceProcess } from "../trace-model.ts";
import { placeOf, renderCall, renderDuration, renderEnd, renderValue } from "./call.ts";
import { fitTree } from "./report.ts";
import { renderCalls, renderPath } from "./tree.ts";

const longestValue = 4000;
const mostCalls = 200;

/**
 * Renders the call whose handle is `wanted`, or the calls of the function `wanted`. Throws MillwrightError("usage") if
 * there is no such call. `room`: maximum number of characters.
 */
export function renderFound(trace: Trace, wanted: string, room: number): string {
  if (/^#?\d+\.\d+$/.test(wanted)) {
    const found = findCall(trace.processes, wanted);
    if (found !== undefined) return renderOne(found, room);
    throw new MillwrightError("usage", `No call has the handle ${wanted}`, {
      hint: "Each printed call ends with its handle, such as #1.5.",
    });
  }
  const calls = findCallsOf(trace.processes, wanted);
  if (calls.length > 0) return renderCallsOf(calls, wanted, room);
  throw new MillwrightError("usage", `No call of ${wanted} was recorded`, { hint: hintFor(trace, wanted) });
}

function hintFor({ processes, head }: Trace, wanted: string): string {
  const traced = head.functions.flatMap(({ functions }) => functions.map(({ name }) => name));
  const near = nearestNames(wanted, [...traced, ...namesOf(processes)], 3);
  if (near.includes(wanted)) return "The function was traced, but not called.";
  return near.length === 0
    ? "Give a handle such as #1.5, or a function's name."
    : `Nearest: ${near.join(", ")}`;
}

function namesOf(processes: readonly TraceProcess[]): string[] {
  return processes.flatMap(({ roots }) => roots.map((call) => call.function.name));
}

function renderOne({ process, above, call }: FoundCall, room: number): string {
  const head = [
    ...renderPath(above, 0, (each) => `${renderCall(each, 60)}  [#${each.handle}]`),
    `${call.function.name}  [${placeOf(call)}, #${call.handle}, process ${process.number}: ${process.label}, ${renderDuration(call)}]`,
    ...call.args.map(([name, value]) => `  ${name} = ${renderValue(call, value, longestValue)}`),
    ...(call.hasArgs ? [] : ["  its arguments are not recorded"]),
    `  ${renderEnd(call, longestValue).trim() || "returned"}`,
  ];
  if (call.children.length === 0) return `${head.join("\n")}\n`;
  const used = head.reduce((sum, line) => sum + line.length + 1, 0);
  const below = fitTree(
    (limits) => renderCalls(call.children, process, limits, 2, limits.depth),
    room - used,
  );
  return `${[...head, "  it called:", ...below].join("\n")}\n`;
}

/** Renders the calls of a function. If there is not enough room for all, failed calls come first. */
function renderCallsOf(calls: readonly FoundCall[], name: string, room: number): string {
  const failed = calls.filter(({ call }) => hasFailed(call));
  const heading = `${countOf(calls.length, "call")} of ${name}`;
  const all = listCalls(calls, room);
  if (all.length === calls.length || failed.length === 0) return layOut(heading, all, calls.length);
  const first = listCalls(failed, room / 2);
  const used = first.reduce((sum, line) => sum + line.length + 1, 0);
  const others = calls.filter(({ call }) => !hasFailed(call));
  return (
    layOut(`${heading}; ${failed.length} failed`, first, failed.length) +
    layOut("The others", listCalls(others, room - used), others.length)
  );
}

function listCalls(calls: readonly FoundCall[], room: number): string[] {
  const lines: string[] = [];
  let used = 0;
  for (const { above, call } of calls.slice(0, mostCalls)) {
    const from = above.at(-1);
    const caller = from === undefined ? "" : `, from ${from.function.name}`;
    const line = `  ${renderCall(call)}  [#${call.handle}${caller}]`;
    used += line.length + 1;
    if (used > room) break;
    lines.push(line);
  }
  return lines;
}

function layOut(heading: string, lines: readonly string[], all: number): string {
  const more = all - lines.length;
  return `${[heading, ...lines, ...(more > 0 ? [`  … and ${more} more`] : [])].join("\n")}\n`;
}
