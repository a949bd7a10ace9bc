/** Finds uses of definitions in the code graph, and checks them with a language server. */
import { countOf } from "../base/count.ts";
import type { CodeGraph, EdgeKind, Entity, Relation } from "../graph/contract.ts";
import type { RoughPosition } from "../lsp/identifiers.ts";
import type { LanguageServers } from "../lsp/language-servers.ts";

export interface Use {
  readonly kind: EdgeKind;
  readonly path: string;
  /** The line, from 1. `column`: from 0. */
  readonly line: number;
  readonly column: number;
  /** 0 to 1: the graph's confidence; 1 if a language server confirms it. */
  readonly confidence: number;
  readonly by: "graph" | "server";
  /** The definition that encloses the use, or the file; undefined if the graph knows neither. */
  readonly from: Entity | undefined;
}

export interface Settled {
  readonly uses: readonly Use[];
  /** Names the server that Millwright asked, and its result or failure. */
  readonly note: string;
}

/** Minimum confidence that a use belongs to this definition, not to another one with the same name. */
export const certain = 0.5;

export function usesOf(
  graph: CodeGraph,
  entity: Entity,
  kinds: readonly EdgeKind[],
  options: { limit: number; minConfidence: number },
): Use[] {
  return graph.incoming(entity.id, kinds, options).map(toUse);
}

function toUse({ edge: { kind, at, confidence }, from }: Relation): Use {
  return { kind, path: from.path, line: at.line, column: at.column, confidence, by: "graph", from };
}

interface Question {
  readonly graph: CodeGraph;
  readonly servers: LanguageServers;
  readonly entity: Entity;
  readonly uses: readonly Use[];
  /** `calls`: the question is only about calls. */
  readonly kind: "calls" | "references";
  readonly signal: AbortSignal;
}

/**
 * Combines a language server's answer with the graph's uses. Adds uses that only the server reports. Drops a graph's
 * use if all of this is true:
 * - the graph is not certain of it
 * - it is in a file in the server's language
 * - the server does not report it
 * - the server's answer is complete, and contains at least one of the graph's certain uses (if the graph has any)
 *
 * If the server cannot report calls, its references only confirm or drop calls that the graph knows, because a
 * reference need not be a call. If no server answers, the graph's uses stay as they are.
 */
export async function settle({ graph, servers, entity, uses, kind, signal }: Question): Promise<Settled> {
  const { path, at, name, language } = entity;
  const position = { path, line: at.line, name };
  const asked = await askServer(servers, position, kind, signal);
  const isByUses = "reason" in asked && kind === "calls";
  const told = isByUses ? await askServer(servers, position, "references", signal) : asked;
  if ("reason" in told) return { uses, note: "reason" in asked ? asked.reason : told.reason };
  const known = new Set(uses.map(keyOf));
  const said = new Map(told.places.map((place) => [keyOf(place), place]));
  const sure = uses.filter((use) => use.confidence >= certain && use.from?.language === language);
  // A server that knows none of the certain uses does not see the project correctly.
  const isTrusted = told.isWhole && (sure.length === 0 || sure.some((use) => said.has(keyOf(use))));
  const kept = uses.flatMap((use): Use[] => {
    if (said.has(keyOf(use))) return [{ ...use, confidence: 1, by: "server" }];
    const isOurs = use.from?.language === language;
    return use.confidence < certain && isOurs && isTrusted ? [] : [use];
  });
  const added = [...(isByUses ? [] : said.values())]
    .filter((place) => !known.has(keyOf(place)))
    .map((place): Use => {
      const from = graph.entityAt(place.path, place.line);
      return { ...place, kind, confidence: 1, by: "server", from };
    });
  const dropped = uses.length - kept.length;
  const confirmed = kept.filter(({ by }) => by === "server").length;
  const counts = [
    `${confirmed} confirmed`,
    isByUses ? "found as uses, not as calls" : `${added.length} added`,
    `${countOf(dropped, "less certain use")} left out`,
  ];
  return { uses: [...kept, ...added], note: `${told.by}: ${counts.join(", ")}` };
}

interface SaidPlace {
  readonly path: string;
  readonly line: number;
  readonly column: number;
}

type Told =
  | { readonly by: string; readonly isWhole: boolean; readonly places: readonly SaidPlace[] }
  | { readonly reason: string };

/** Asks the server. Counts only the server's own answer, not the graph's answer in its place. */
async function askServer(
  servers: LanguageServers,
  position: RoughPosition,
  kind: "calls" | "references",
  signal: AbortSignal,
): Promise<Told> {
  const answer =
    kind === "calls"
      ? await servers.callers(position, { signal })
      : await servers.references(position, { signal });
  if (!answer.ok) return { reason: answer.message };
  const { by, isWhole, insteadOf, value } = answer.value;
  if (insteadOf !== undefined) return { reason: insteadOf };
  const places = value.flatMap((each) =>
    "symbol" in each
      ? each.places.map(({ start }) => ({ path: each.symbol.location.path, ...start }))
      : [{ path: each.path, ...each.range.start }],
  );
  return { by, isWhole, places };
}

function keyOf({ path, line }: SaidPlace): string {
  return `${path}:${line}`;
}
