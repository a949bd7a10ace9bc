/** Finds the product's functions that call a given one, directly or indirectly. */
import { confidences } from "../../graph/confidence.ts";
import type { CodeGraph } from "../../graph/contract.ts";

/** Calls by a method's name alone are too uncertain. */
const surer = { minConfidence: confidences.unique };
/**
 * Limits: steps, callers, and definitions of a name. Distant callers are almost unrelated, and the whole program uses a
 * function with many callers.
 */
const most = { calls: 3, callers: 40, definitions: 3 };

/**
 * Names the non-test functions that call a function of this name, directly or through at most two others. Empty if too
 * many definitions have this name, or if there are too many callers.
 */
export function callersOf(graph: Pick<CodeGraph, "named" | "incoming">, name: string): ReadonlySet<string> {
  const none: ReadonlySet<string> = new Set();
  const own = graph.named(name).filter(({ inTests, startLine }) => !inTests && startLine > 0);
  if (own.length > most.definitions) return none;
  const known = new Set(own.map(({ id }) => id));
  const callers = new Set<string>();
  let last = own;
  for (let calls = 0; calls < most.calls && last.length > 0; calls += 1) {
    const next = last
      .flatMap(({ id }) => graph.incoming(id, ["calls"], surer).map(({ from }) => from))
      .filter(({ id, inTests, startLine }) => !inTests && startLine > 0 && !known.has(id));
    last = [...new Map(next.map((each) => [each.id, each])).values()];
    for (const { id, name: caller } of last) {
      known.add(id);
      callers.add(caller);
    }
    if (callers.size > most.callers) return none;
  }
  return callers;
}
