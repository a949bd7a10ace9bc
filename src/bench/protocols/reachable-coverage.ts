/**
 * Leaves lines that no test can execute out of the required coverage. Only Millwright's own rules leave them out: a
 * benchmark's rule also counts these lines.
 */
import { countOf, nameFirst } from "../../base/count.ts";
import type { Coverage } from "../measurement.ts";

/** Returns the coverage without the lines that are proven unreachable. */
export function ofReachable(coverage: Coverage): Coverage {
  const unreachable = new Set(coverage.unreachable);
  return {
    ...coverage,
    lines: Math.max(coverage.executed, coverage.lines - unreachable.size),
    left: coverage.left.filter((place) => !unreachable.has(place)),
  };
}

/** Lists the unreachable lines at the end of a reason; empty without such lines. */
export function listUnreachable({ unreachable = [] }: Pick<Coverage, "unreachable"> = {}): string {
  if (unreachable.length === 0) return "";
  return `; ${countOf(unreachable.length, "line is", "lines are")} proven unreachable: ${nameFirst(unreachable, 10)}`;
}
