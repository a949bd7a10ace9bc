/** Makes the repository map: the signatures of the most used definitions, within a token budget. */
import type { Entity, MapFile, MapOptions, RepositoryMap } from "../contract.ts";
import { generatedAmong } from "../generated-files.ts";
import type { Store } from "../store/open-store.ts";
import { findFile } from "./files.ts";
import { findEntity } from "./find-entities.ts";
import { rankEntities } from "./rank-entities.ts";

const charactersPerToken = 4;
const longestLine = 160;

/** Makes the map of a repository. Includes generated files and `dist/` only if no other file has definitions. */
export function drawMap(store: Store, options: MapOptions): RepositoryMap {
  const drawn = drawWithout(store, options, generatedAmong({ file: (path) => findFile(store, path) }));
  return drawn.files.length > 0 ? drawn : drawWithout(store, options, () => false);
}

/**
 * Draws the map greedily: adds the best definition whose lines still fit, with the lines of its containers. Ends when
 * more than 20 definitions did not fit.
 */
function drawWithout(
  store: Store,
  { tokens, countTokens = estimateTokens }: MapOptions,
  isLeftOut: (path: string) => boolean,
): RepositoryMap {
  const { ids, scores } = rankEntities(store);
  const ranks = new Map([...ids].map((id, at) => [id, scores[at] ?? 0]));
  const chosen = new Map<number, Entity>();
  const paths = new Set<string>();
  let used = 0;
  let misses = 0;
  for (const id of ids) {
    if (chosen.has(id)) continue;
    const added = withContainers(store, id).filter((entity) => !chosen.has(entity.id));
    const path = added[0]?.path;
    if (path === undefined || isLeftOut(path)) continue;
    let cost = paths.has(path) ? 0 : countTokens(`${path}:\n`);
    for (const entity of added) cost += countTokens(`${"  ".repeat(depthOf(entity) + 1)}${lineOf(entity)}\n`);
    if (used + cost > tokens) {
      if (++misses > 20) break;
      continue;
    }
    used += cost;
    paths.add(path);
    for (const entity of added) chosen.set(entity.id, entity);
  }
  const files = groupByFile([...chosen.values()], ranks);
  const text = files.map(renderFile).join("");
  return { files, text, tokens: countTokens(text) };
}

function withContainers(store: Store, id: number): Entity[] {
  const chain: Entity[] = [];
  for (
    let at = findEntity(store, id);
    at !== undefined && at.kind !== "file";
    at = findEntity(store, at.parent)
  )
    chain.unshift(at);
  return chain;
}

function groupByFile(entities: readonly Entity[], ranks: ReadonlyMap<number, number>): MapFile[] {
  const score = (entity: Entity): number => ranks.get(entity.id) ?? 0;
  return [...Map.groupBy(entities, ({ path }) => path)]
    .map(([path, own]) => ({
      path,
      score: own.reduce((sum, entity) => sum + score(entity), 0),
      entities: own.sort((a, b) => a.startLine - b.startLine || a.id - b.id),
    }))
    .sort((a, b) => b.score - a.score || (a.path < b.path ? -1 : 1));
}

function renderFile({ path, entities }: MapFile): string {
  const known = new Map(entities.map((entity) => [entity.id, entity]));
  const depth = (entity: Entity): number => {
    const parent = known.get(entity.parent);
    return parent === undefined ? 0 : depth(parent) + 1;
  };
  return `${path}:\n${entities.map((one) => `${"  ".repeat(depth(one) + 1)}${lineOf(one)}\n`).join("")}`;
}

function depthOf({ qualified }: Entity): number {
  return qualified.split(".").length - 1;
}

function lineOf({ signature, kind, name }: Entity): string {
  const line = signature === "" ? `${kind} ${name}` : signature;
  return line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line;
}

function estimateTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}
