/**
 * Follows the names in pieces that fit the query (tests, documents, functions) to the named code. So a fitting test
 * leads to the code that it exercises, even if this code has none of the query's words.
 */
import type { Links } from "./name-links.ts";
import { rowsOfPiece, type SearchIndex } from "./search-index.ts";

export interface Seed {
  readonly piece: number;
  readonly weight: number;
}

export interface BridgeScores {
  readonly files: Float64Array;
  readonly pieces: Float64Array;
}

/**
 * Returns the pieces with the highest scores above 0, best first, at most `most`. `wanted`: selects the pieces that
 * count.
 */
export function bestSeeds(
  index: SearchIndex,
  scores: Float64Array,
  most: number,
  wanted: (piece: number, file: number) => boolean,
): Seed[] {
  const best: Seed[] = [];
  let least = 0;
  for (let piece = 0; piece < scores.length; piece++) {
    const weight = scores[piece] ?? 0;
    if (weight <= least || !wanted(piece, index.fileOfPiece[piece] ?? 0)) continue;
    let at = best.length;
    while (at > 0 && (best[at - 1]?.weight ?? 0) < weight) at--;
    best.splice(at, 0, { piece, weight });
    if (best.length > most) best.pop();
    if (best.length === most) least = best.at(-1)?.weight ?? 0;
  }
  return best;
}

/**
 * Scores the pieces that the seeds name, and the files of these pieces. Each seed distributes its weight among its
 * names. Rare names get a larger share.
 */
export function followNames(index: SearchIndex, links: Links, seeds: readonly Seed[]): BridgeScores {
  const files = new Float64Array(index.files.length);
  const pieces = new Float64Array(index.pieceLength.length);
  const top = seeds[0]?.weight ?? 1;
  for (const { piece, weight } of seeds) {
    const named = namesIn(index, links, piece);
    const total = named.reduce((sum, { rarity }) => sum + rarity, 0);
    if (total === 0) continue;
    const given = (weight / top) ** 2 / Math.sqrt(total);
    for (const { definitions, rarity } of named) {
      const share = (given * rarity) / definitions.length;
      const reached = new Set<number>();
      for (const target of definitions) {
        pieces[target] = (pieces[target] ?? 0) + share;
        reached.add(index.fileOfPiece[target] ?? 0);
      }
      for (const file of reached) files[file] = (files[file] ?? 0) + share;
    }
  }
  return { files, pieces };
}

interface Named {
  readonly definitions: readonly number[];
  readonly rarity: number;
}

function namesIn(index: SearchIndex, links: Links, piece: number): Named[] {
  const fileNumber = index.fileOfPiece[piece] ?? 0;
  const named: Named[] = [];
  for (const term of rowsOfPiece(index, piece)) {
    const definition = links.definitions.get(term);
    if (definition === undefined || definition.files > mostDefinitions) continue;
    const others = definition.pieces.filter((other) => index.fileOfPiece[other] !== fileNumber);
    if (others.length === 0) continue;
    const rows = index.rowsOf(term);
    const uses = rows === undefined ? 1 : rows.to - rows.from;
    named.push({ definitions: others, rarity: 1 / (definition.files * Math.log2(2 + uses)) });
  }
  return named;
}

const mostDefinitions = 4;
