/** Renders the calls at which two traces diverge, for people and models. */
import type { Divergence } from "../diff-traces.ts";
import type { TraceCall } from "../trace-model.ts";
import { placeOf, renderCall, renderEnd, renderValue } from "./call.ts";

const longestValue = 300;

export function renderDivergences(found: readonly Divergence[]): string {
  if (found.length === 0) return "The two traces make the same calls with the same values.\n";
  const [first, ...rest] = found;
  const lines = first === undefined ? [] : ["The runs first diverge here:", ...renderOne(first)];
  if (rest.length > 0)
    lines.push("", `Further differences (${rest.length} shown):`, ...rest.flatMap(renderOne));
  return `${lines.join("\n")}\n`;
}

function renderOne({ kind, path, first, second, parameters }: Divergence): string[] {
  const above = path.length === 0 ? "" : `  in ${path.join(" › ")}`;
  const lines = above === "" ? [] : [above];
  if (first !== undefined && second !== undefined) {
    const what =
      kind === "arguments"
        ? ` called with different ${parameters?.join(", ")}`
        : `(${first.hasArgs ? showArguments(first) : "…"}) ends differently`;
    lines.push(
      `  ${first.function.name}${what}  [${placeOf(first)}, #${first.handle} and #${second.handle}]`,
    );
    if (kind === "arguments") {
      lines.push(
        `    first:  ${showArguments(first, parameters)}`,
        `    second: ${showArguments(second, parameters)}`,
      );
    } else {
      lines.push(
        `    first: ${renderEnd(first, longestValue)}`,
        `    second:${renderEnd(second, longestValue)}`,
      );
    }
    return lines;
  }
  const only = first ?? second;
  if (only === undefined) return lines;
  const whose = kind === "missing" ? "only in the first" : "only in the second";
  return [...lines, `  ${whose}: ${renderCall(only, longestValue)}  [${placeOf(only)}, #${only.handle}]`];
}

/** All arguments, or the named ones. */
function showArguments(call: TraceCall, parameters?: readonly string[]): string {
  return call.args
    .filter(([name]) => parameters?.includes(name) ?? true)
    .map(([name, value]) => `${name} = ${renderValue(call, value, longestValue)}`)
    .join(", ");
}
