/**
 * Describes the calls and callers of the functions at given places, one line per function. A model then knows where to
 * look next.
 */
import { confidences } from "../../graph/confidence.ts";
import type { CodeGraph, Entity } from "../../graph/contract.ts";
import { overlap, type Span } from "./diff-spans.ts";

/** Omits guesses by name, because a method's name alone does not determine its class. */
const surer = { minConfidence: confidences.unique + 0.01 };
const most = { functions: 3, calls: 5, callers: 3 };

/** Describes the callers and callees of the functions at these places. Omits tests, and code that the places show. */
export function describeCalls(
  graph: Pick<CodeGraph, "file" | "outline" | "outgoing" | "incoming">,
  places: readonly Span[],
): string[] {
  const isShown = (span: Span): boolean => places.some((place) => overlap(place, span));
  return functionsAt(graph, places).flatMap((own) => {
    const calls = graph
      .outgoing(own.id, ["calls"], surer)
      .filter(({ to }) => to.id !== own.id && !to.inTests && to.startLine > 0 && !isShown(spanOf(to)))
      .map(({ to }) => `${to.name} ${to.path}:${to.startLine}-${to.endLine}`);
    const callers = graph
      .incoming(own.id, ["calls"], surer)
      .filter(({ from, edge }) => {
        const at = { file: from.path, startLine: edge.at.line, endLine: edge.at.line };
        return from.id !== own.id && !from.inTests && !isShown(at);
      })
      .map(({ from, edge }) => `${from.path}:${edge.at.line} (${from.name})`);
    const said = [list("calls", calls, most.calls), list("is called at", callers, most.callers)];
    const told = said.filter((text) => text !== "").join(", and ");
    return told === "" ? [] : [`${own.name} ${told}.`];
  });
}

/** Returns the shortest function that overlaps each place, at most `most.functions` in all. */
function functionsAt(graph: Pick<CodeGraph, "file" | "outline">, places: readonly Span[]): Entity[] {
  const found = places.flatMap((place) => {
    if (graph.file(place.file) === undefined) return [];
    const own = graph
      .outline(place.file)
      .filter((entity) => runs.test(entity.kind) && !entity.inTests && overlap(spanOf(entity), place))
      .toSorted((one, other) => sizeOf(one) - sizeOf(other));
    return own.slice(0, 1);
  });
  return [...new Map(found.map((entity) => [entity.id, entity])).values()].slice(0, most.functions);
}

const runs = /^(?:function|method|constructor)$/;

function spanOf({ path, startLine, endLine }: Entity): Span {
  return { file: path, startLine, endLine };
}

function sizeOf({ startLine, endLine }: Entity): number {
  return endLine - startLine;
}

function list(verb: string, items: readonly string[], count: number): string {
  const each = [...new Set(items)];
  const more = each.length > count ? " …" : "";
  return each.length === 0 ? "" : `${verb} ${each.slice(0, count).join(", ")}${more}`;
}
