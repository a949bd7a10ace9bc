/** Renders one call as one line of text. */
import type { TracedValue } from "../trace-lines.ts";
import type { TraceCall } from "../trace-model.ts";
import { type ChangedField, changedFields, withoutEmpty } from "../value-fields.ts";
import { onOneLine, textOfValue } from "../value-text.ts";

/** Maximum number of characters of one value in a line. */
const longestValue = 160;

/**
 * Renders a value of a call on one line. If the value is long, omits its empty fields, then shortens it between
 * characters and notes the shortening.
 */
export function renderValue(
  { function: { path } }: Pick<TraceCall, "function">,
  value: TracedValue,
  longest: number = longestValue,
): string {
  if ("t" in value) return `<${onOneLine(value.t)}>`;
  return fitText(textOfValue(value, path), longest, value.cut);
}

function fitText(text: string, longest: number, cut?: number): string {
  if (cut === undefined && text.length <= longest) return text;
  const shown = cut === undefined ? withoutEmpty(text) : text;
  const characters = [...shown];
  if (cut === undefined && characters.length <= longest) return shown;
  return `${characters.slice(0, longest).join("")}… (${cut ?? [...text].length} characters)`;
}

/** Renders a call: `parse(text = "zz") → error Err("no digit")`. */
export function renderCall(call: TraceCall, longest: number = longestValue): string {
  const args = call.args.map(([name, value]) => `${name} = ${renderValue(call, value, longest)}`).join(", ");
  const shown = call.hasArgs ? args : "…";
  const on = call.on === undefined ? "" : ` on ${onOneLine(call.on)}`;
  return `${call.function.name}(${shown})${on}${renderEnd(call, longest)}${renderAfter(call, longest)}`;
}

/** The call's changes to its arguments: the changed fields, if both values are completely known. */
function renderAfter(call: TraceCall, longest: number): string {
  const { args, after = [] } = call;
  const told = after.flatMap(([name, value]) => {
    const before = args.find(([each]) => each === name)?.[1];
    const changed = before === undefined ? [] : changesOf(call, before, value);
    return changed.length === 0 || changed.length > mostChanged
      ? [`${name} = ${renderValue(call, value, longest)} after the call`]
      : changed.map(
          ({ name: field, from, to }) =>
            `${name}.${field} = ${fitText(to, longest)} after the call, was ${fitText(from, longest)}`,
        );
  });
  return told.map((text) => `; ${text}`).join("");
}

/** Maximum number of changed fields; with more, the whole value is clearer. */
const mostChanged = 3;

/** The changed fields. Empty if one of the two values is not completely known. */
function changesOf(
  { function: { path } }: TraceCall,
  before: TracedValue,
  after: TracedValue,
): readonly ChangedField[] {
  if (before.cut !== undefined || after.cut !== undefined || "t" in before || "t" in after) return [];
  return changedFields(textOfValue(before, path), textOfValue(after, path)) ?? [];
}

export function renderEnd(call: TraceCall, longest: number = longestValue): string {
  const value = call.value === undefined ? "" : renderValue(call, call.value, longest);
  const why = call.message === undefined ? "" : `: ${onOneLine(call.message).slice(0, 4 * longest)}`;
  const place = call.place === undefined ? "" : ` at ${call.place}`;
  if (call.how === "none") return " did not return";
  if (call.how === "drop") return " was dropped before it finished";
  if (call.how === "throw") return ` threw${why}${place}`;
  if (call.how === "error") return ` → error ${value}${why}`;
  return value === "" ? "" : ` → ${value}`;
}

/** Renders a call's duration, such as `12 µs`, and the waiting time separately; "" if the call has no end. */
export function renderDuration(call: TraceCall): string {
  if (call.end === undefined) return "";
  const waited = call.waited > 0 ? `, waited ${formatNanoseconds(call.waited)}` : "";
  return `${formatNanoseconds(call.end - call.start)}${waited}`;
}

export function formatNanoseconds(nanoseconds: number): string {
  if (nanoseconds < 1000) return `${nanoseconds} ns`;
  if (nanoseconds < 1_000_000) return `${Math.round(nanoseconds / 1000)} µs`;
  if (nanoseconds < 1_000_000_000) return `${(nanoseconds / 1_000_000).toFixed(1)} ms`;
  return `${(nanoseconds / 1_000_000_000).toFixed(2)} s`;
}

export function placeOf({ function: { path, line } }: TraceCall): string {
  return path === "" ? "" : `${path}:${line}`;
}
