/**
 * Answers questions about uses from resolved edges. For files whose references are not resolved yet, answers from the
 * files' words.
 */
import type { EdgeKind, EntityNumber, MeantAt, Neighbour, Relation, RelationOptions } from "../contract.ts";
import type { Store } from "../store/open-store.ts";
import { findWordsIncoming, findWordsMeant, findWordsOutgoing } from "../words/word-relations.ts";
import { findEntity } from "./find-entities.ts";
import { findMeantAt } from "./meant-at.ts";
import { findIncoming, findNeighbours, findOutgoing } from "./relations.ts";

type Find = (
  store: Store,
  id: EntityNumber,
  kinds?: readonly EdgeKind[],
  options?: RelationOptions,
) => readonly Relation[];

export const findAllIncoming: Find = (store, id, kinds, options) =>
  joined(findIncoming(store, id, kinds, options), findWordsIncoming(store, id, kinds, options), options);

export const findAllOutgoing: Find = (store, id, kinds, options) =>
  joined(findOutgoing(store, id, kinds, options), findWordsOutgoing(store, id, kinds, options), options);

function joined(
  resolved: readonly Relation[],
  byWords: readonly Relation[],
  options: RelationOptions | undefined,
): readonly Relation[] {
  if (byWords.length === 0) return resolved;
  const all = [...resolved, ...byWords].sort((a, b) => b.edge.confidence - a.edge.confidence);
  return options?.limit === undefined ? all : all.slice(0, options.limit);
}

/** Maximum number of uses by words: a walk needs no more. */
const mostByWords = 60;

export function findAllNeighbours(store: Store, id: EntityNumber): readonly Neighbour[] {
  const found = findNeighbours(store, id);
  const options = { limit: mostByWords };
  const out = findWordsOutgoing(store, id, undefined, options).map(({ edge }) => ({
    edge,
    other: edge.to,
    reverse: false,
  }));
  const into = findWordsIncoming(store, id, undefined, options).map(({ edge }) => ({
    edge,
    other: edge.from,
    reverse: true,
  }));
  if (out.length + into.length === 0) return found;
  const sums = new Map<string, { -readonly [K in keyof Neighbour]: Neighbour[K] }>();
  for (const { edge, other, reverse } of [...out, ...into]) {
    const key = `${edge.kind} ${other} ${reverse}`;
    const known = sums.get(key);
    if (known === undefined)
      sums.set(key, { from: id, to: other, kind: edge.kind, reverse, weight: edge.confidence });
    else known.weight += edge.confidence;
  }
  return [...found, ...sums.values()];
}

export function findAnyMeantAt(store: Store, path: string, line: number, name: string): MeantAt | undefined {
  const resolved = findMeantAt(store, path, line, name);
  if (resolved?.found === "line") return resolved;
  const byWords = findWordsMeant(store, path, line, name);
  if (byWords === undefined) return resolved;
  const distance = Math.abs(byWords.line - line);
  if (resolved !== undefined && Math.abs(resolved.at.line - line) <= distance) return resolved;
  const entities = byWords.ids.flatMap((id) => findEntity(store, id) ?? []);
  const found = distance === 0 ? "line" : distance <= 10 ? "near" : "file";
  return { entities, found, at: { line: byWords.line, column: 0 } };
}
