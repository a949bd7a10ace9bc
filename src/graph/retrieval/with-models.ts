/**
 * Improves a search with configured models. A language model extracts mentions, and at the end judges the best places.
 * An embedding model compares by meaning. Skips missing and failing models, and the answer says so.
 */
import type { Embedder, ModelClient, ModelFailure } from "../../llm/contract.ts";
import { type Found, findPlaces, type Searcher } from "./find.ts";
import type { KeptVectors } from "./kept-vectors.ts";
import { type Judgement, rankWithModel } from "./rank-with-model.ts";
import { readQuery } from "./read-query.ts";
import { joinReading, readWithModel } from "./read-with-model.ts";
import { findSimilar, type OnEmbedded } from "./similarity.ts";

export interface SearchModels {
  /** The model that extracts mentions and judges places. */
  readonly client: ModelClient | undefined;
  readonly embedder: Embedder | undefined;
  /** The stored vectors; required with an embedder. */
  readonly vectors: KeptVectors | undefined;
  /** Maximum tokens of the request that judges places. */
  readonly rankerTokens: number;
  readonly linesOf: (path: string) => readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for vectors of definitions; default: no limit. */
  readonly embedLimitMs?: number | undefined;
  /** Receives the progress of embedding. */
  readonly onProgress?: OnEmbedded | undefined;
}

export interface FoundWithModels {
  readonly found: Found;
  /** The model behind each part of the search, or the reason why the part was skipped. */
  readonly used: SearchUse;
}

export interface SearchUse {
  readonly mentions: string;
  readonly similarity: string;
  readonly ranker: string;
}

export const usedWithoutModels: SearchUse = {
  mentions: "rules",
  similarity: "none: no embedding model is configured",
  ranker: "rules",
};

export const defaultRankerTokens = 16_000;
/**
 * The usual limit, in milliseconds, for computing vectors in one question. Later questions compute the vectors that are
 * then still missing.
 */
export const usualEmbedLimitMs = 20_000;

export async function findWithModels(
  searcher: Searcher,
  statement: string,
  models: SearchModels,
): Promise<FoundWithModels> {
  const used = { ...usedWithoutModels };
  const { client, embedder, vectors, linesOf, signal, onProgress, embedLimitMs: limitMs } = models;
  let query = readQuery(statement);
  if (client !== undefined) {
    const reading = await readWithModel(client, statement, signal);
    used.mentions = said(client.modelOf("retrieval").name, reading);
    if (!isFailure(reading)) query = joinReading(query, reading);
  }
  let found = findPlaces(searcher, query);
  if (embedder !== undefined && vectors !== undefined) {
    const similar = await findSimilar({
      ...{ searcher, found, statement, linesOf, embedder, vectors, signal, onProgress, limitMs },
    });
    used.similarity = said(embedder.name, similar);
    if (!isFailure(similar)) {
      const { pieces, all } = similar;
      if (pieces.length < all) used.similarity += `, ${pieces.length} of ${all} definitions so far`;
      found = fuseSimilar(searcher, found, pieces);
    }
  }
  if (client !== undefined) {
    const request = { searcher, found, statement, linesOf, tokens: models.rankerTokens, signal };
    const judgement = await rankWithModel(client, request);
    used.ranker = said(client.modelOf("retrieval").name, judgement);
    if (!isFailure(judgement)) found = putFirst(searcher, found, judgement);
  }
  return { found, used };
}

function isFailure(result: object): result is ModelFailure {
  return "ok" in result && result.ok === false;
}

function said(name: string, result: object): string {
  return isFailure(result) ? `rules: ${name} failed (${result.message})` : name;
}

/** The usual constant of reciprocal rank fusion. */
const rankOffset = 60;
/**
 * The rules are learnt for code. With a small general model, a larger weight made the answers worse (docs/results.md).
 * At 0.1, the difference was small.
 */
const similarityWeight = 0.1;

/**
 * Adds the reciprocal ranks in both lists. In the list of similar definitions, a file has the rank of its best
 * definition.
 */
function fuseSimilar({ index }: Searcher, found: Found, similar: readonly number[]): Found {
  const fileRanks = new Map<number, number>();
  for (const piece of similar) {
    const file = index.fileOfPiece[piece] ?? 0;
    if (!fileRanks.has(file)) fileRanks.set(file, fileRanks.size);
  }
  const pieceRanks = new Map(similar.map((piece, rank) => [piece, rank]));
  const ruled = new Map(found.pieces.map(({ piece }, rank) => [piece, rank]));
  const pieces = [...new Set([...ruled.keys(), ...similar.slice(0, found.pieces.length)])].map((piece) => ({
    piece,
    score: fused(ruled.get(piece), pieceRanks.get(piece)),
  }));
  const files = found.files.map(({ file }, rank) => ({ file, score: fused(rank, fileRanks.get(file)) }));
  return {
    ...found,
    files: files.sort((a, b) => b.score - a.score),
    pieces: pieces.sort((a, b) => b.score - a.score),
  };
}

function fused(rules: number | undefined, similar: number | undefined): number {
  const part = (rank: number | undefined): number => (rank === undefined ? 0 : 1 / (rankOffset + rank));
  return part(rules) + similarityWeight * part(similar);
}

/** Puts the model's choices first, including the files of chosen places. The rest keeps its order. */
function putFirst({ index }: Searcher, found: Found, judgement: Judgement): Found {
  const ofPieces = judgement.pieces.map((piece) => index.fileOfPiece[piece] ?? 0);
  const files = [...new Set([...judgement.files, ...ofPieces])];
  return {
    ...found,
    chosen: { files: new Set(files), pieces: new Set(judgement.pieces) },
    files: reorder(found.files, files, ({ file }) => file),
    pieces: reorder(found.pieces, judgement.pieces, ({ piece }) => piece),
  };
}

function reorder<T extends object>(
  list: readonly T[],
  first: readonly number[],
  numberOf: (one: T) => number,
): T[] {
  const byNumber = new Map(list.map((one) => [numberOf(one), one]));
  const chosen = first.flatMap((number) => byNumber.get(number) ?? []);
  const taken = new Set(chosen);
  return [...chosen, ...list.filter((one) => !taken.has(one))];
}
