/**
 * Spreads relevance over the graph, as personalised PageRank. A walk of two steps starts at the pieces that fit the
 * query. It follows calls, inheritance, imports, tests and documents in both directions. So Millwright reads only nodes
 * near those pieces.
 */
import { bestSeeds, type Seed } from "./bridges.ts";
import type { GraphEdges } from "./graph-edges.ts";
import type { SearchIndex } from "./search-index.ts";

export interface SpreadScores {
  readonly files: Float64Array;
  readonly pieces: Float64Array;
}

export interface SpreadRequest {
  readonly index: SearchIndex;
  readonly edges: GraphEdges | undefined;
  /** By piece: the score of its text. */
  readonly text: Float64Array;
  /** By file: the likelihood of a change according to all other evidence; at most 1. */
  readonly chances: Float64Array;
}

const mostSources = 16;
const mostBridges = 5;
/** The share of its mass that a piece passes on. */
const follow = 0.6;
const steps = 2;
/** Maximum number of pieces that pass mass on after the first step: those with the most mass. */
const mostHandingOn = 16;

/**
 * Computes the mass that each piece gets from other pieces. A file's mass is the sum over its pieces. Tests get none.
 */
export function spreadOverGraph({ index, edges, text, chances }: SpreadRequest): SpreadScores {
  const pieces = new Float64Array(index.pieceLength.length);
  const files = new Float64Array(index.files.length);
  if (edges === undefined) return { files, pieces };
  let mass = new Map(seedsOf(index, text, chances).map(({ piece, weight }) => [piece, weight]));
  const total = [...mass.values()].reduce((sum, weight) => sum + weight, 0);
  for (let step = 0; step < steps; step++) {
    const next = new Map<number, number>();
    const most = step === 0 ? mass.size : mostHandingOn;
    const handing = [...mass].filter(([node]) => step === 0 || !isTest(index, edges.pieceOf(node)));
    handing.sort((a, b) => b[1] - a[1]);
    for (const [node, own] of handing.slice(0, most)) {
      const around = edges.around(node);
      const sum = around.reduce((all, { weight }) => all + weight, 0);
      for (const { node: other, weight } of around)
        next.set(other, (next.get(other) ?? 0) + (follow * own * weight) / sum);
    }
    for (const [node, received] of next) {
      const piece = edges.pieceOf(node);
      if (isTest(index, piece)) continue;
      const file = index.fileOfPiece[piece] ?? 0;
      pieces[piece] = (pieces[piece] ?? 0) + received / total;
      files[file] = (files[file] ?? 0) + received / total;
    }
    mass = next;
  }
  return { files, pieces };
}

function seedsOf(index: SearchIndex, text: Float64Array, chances: Float64Array): Seed[] {
  const kindOf = (file: number): string => index.files[file]?.kind ?? "generated";
  const sources = bestSeeds(
    index,
    text,
    mostSources,
    (piece, file) => index.isCandidateFile[file] === 1 && !isTest(index, piece),
  );
  const tests = bestSeeds(index, text, mostBridges, (piece) => isTest(index, piece));
  const documents = bestSeeds(index, text, mostBridges, (_, file) => /document|example/.test(kindOf(file)));
  const best = Math.max(1e-9, ...[sources, tests, documents].map(([first]) => first?.weight ?? 0));
  const bridging = [...tests, ...documents].map(({ piece, weight }) => ({
    piece,
    weight: 0.5 * (weight / best) ** 2,
  }));
  const starting = sources.map(({ piece, weight }) => ({
    piece,
    weight: (weight / best) ** 2 * (0.2 + (chances[index.fileOfPiece[piece] ?? 0] ?? 0)),
  }));
  return [...starting, ...bridging];
}

function isTest(index: SearchIndex, piece: number): boolean {
  return index.piece(piece).isTest || index.files[index.fileOfPiece[piece] ?? 0]?.kind === "test";
}
