/**
 * Finds definitions whose vectors are near the text's vector (semantic search). Each question computes and stores the
 * missing vectors of the definitions that rank best by rules. So the first question already covers all of a small
 * repository. In a large one, each further question covers more.
 */
import { abortAfter } from "../../base/abort-after.ts";
import type { Embedder, ModelFailure, ModelResult } from "../../llm/contract.ts";
import type { Found, Searcher } from "./find.ts";
import { hashText, type KeptVectors } from "./kept-vectors.ts";
import { isCandidate, pathOfPiece } from "./search-index.ts";

export interface SimilarityRequest {
  readonly searcher: Searcher;
  readonly found: Found;
  readonly statement: string;
  readonly linesOf: (path: string) => readonly string[] | undefined;
  readonly embedder: Embedder;
  readonly vectors: KeptVectors;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: OnEmbedded | undefined;
  /** Milliseconds after which a question is answered with the available vectors. */
  readonly limitMs?: number | undefined;
}

/** A callback for the progress of computing vectors: `done` of `total` texts are finished. */
export type OnEmbedded = (done: number, total: number) => void;

export interface SimilarPieces {
  /** The pieces that have a vector, nearest first. */
  readonly pieces: readonly number[];
  /** The number of definitions that can have a vector. */
  readonly all: number;
}

/** Maximum number of texts that one question may embed. */
const mostEmbedded = 1000;
/** Maximum number of characters of an embedded text. More adds little, and models truncate it. */
const longestText = 1600;
const longestStatement = 4000;

export async function findSimilar(request: SimilarityRequest): Promise<SimilarPieces | ModelFailure> {
  const { searcher, found, statement, limitMs } = request;
  const ranked = found.pieces.map(({ piece }) => piece);
  const numbers = piecesInOrder(searcher, ranked);
  const vectors = lookUp(request, numbers, mostEmbedded);
  const late = limitMs === undefined ? undefined : abortAfter(limitMs);
  const answer = await embedMissing(request, vectors, [statement.slice(0, longestStatement)], late);
  const isEnough = late?.aborted === true && request.signal?.aborted !== true;
  const [query] = vectors.others;
  if (query === undefined || (!answer.ok && !isEnough))
    return answer.ok
      ? { ok: false, kind: "bad-answer", message: "the embedding model returned no vector" }
      : answer;
  const near = [...vectors.known].map(([piece, vector]) => ({ piece, cosine: cosine(query, vector) }));
  near.sort((a, b) => b.cosine - a.cosine);
  return { pieces: near.map(({ piece }) => piece), all: numbers.length };
}

/**
 * Computes in advance the missing vectors of all definitions in candidate files (`isCandidate`), without tests.
 * Resolves to the number of definitions (`all`) and of newly computed vectors (`fresh`), or to the model's failure.
 */
export async function embedAll(
  request: Omit<SimilarityRequest, "found" | "statement">,
): Promise<{ readonly all: number; readonly fresh: number } | ModelFailure> {
  const numbers = piecesInOrder(request.searcher, []);
  const vectors = lookUp(request, numbers, Number.POSITIVE_INFINITY);
  const answer = await embedMissing(request, vectors, [], undefined);
  return answer.ok ? { all: numbers.length, fresh: vectors.missing.length } : answer;
}

interface MissingVector {
  readonly piece: number;
  readonly text: string;
  readonly hash: string;
}

interface LookedUp {
  readonly known: Map<number, Float32Array>;
  readonly missing: readonly MissingVector[];
  /** The vectors of texts that are not definitions, if they are ready. */
  readonly others: Float32Array[];
}

type VectorRequest = Omit<SimilarityRequest, "found" | "statement">;

/** The definitions with a stored vector, and the first `most` without one. */
function lookUp(request: VectorRequest, numbers: readonly number[], most: number): LookedUp {
  const { searcher, embedder, vectors } = request;
  const linesOf = remember(request.linesOf);
  const known = new Map<number, Float32Array>();
  const missing: MissingVector[] = [];
  for (const piece of numbers) {
    const text = textOf(searcher, linesOf, piece);
    const hash = hashText(embedder.identity, text);
    const vector = vectors.get(hash);
    if (vector !== undefined) known.set(piece, vector);
    else if (missing.length < most) missing.push({ piece, text, hash });
  }
  return { known, missing, others: [] };
}

/**
 * Computes vectors of `others`, then of definitions without one. Stores each batch as it arrives. After an interrupt or
 * a kill, the next call continues.
 */
async function embedMissing(
  { embedder, vectors, signal, onProgress }: VectorRequest,
  { known, missing, others: otherVectors }: LookedUp,
  others: readonly string[],
  late: AbortSignal | undefined,
): Promise<ModelResult<readonly Float32Array[]>> {
  const texts = [...others, ...missing.map(({ text }) => text)];
  const onVectors = (fresh: readonly Float32Array[], start: number): void => {
    for (const [at, vector] of fresh.entries()) {
      if (start + at < others.length) otherVectors.push(vector);
      const found = missing[start + at - others.length];
      if (found === undefined) continue;
      known.set(found.piece, vector);
      vectors.put(found.hash, vector);
    }
    onProgress?.(Math.max(0, start + fresh.length - others.length), missing.length);
  };
  const signals = [signal, late].filter((one) => one !== undefined);
  const answer = await embedder.embed(texts, { signal: AbortSignal.any(signals), onVectors });
  if (!answer.ok || answer.value.length === texts.length) return answer;
  return { ok: false, kind: "bad-answer", message: "the embedding model returned too few vectors" };
}

/** The rules' results first, then all other definitions in files that may change. */
function piecesInOrder({ index }: Searcher, ranked: readonly number[]): number[] {
  const taken = new Set(ranked);
  const others: number[] = [];
  for (const { kind, firstPiece, form } of index.files) {
    if (!isCandidate(kind)) continue;
    for (const [offset, { isTest }] of form.pieces.entries())
      if (offset > 0 && !isTest && !taken.has(firstPiece + offset)) others.push(firstPiece + offset);
  }
  return [...ranked, ...others];
}

type LinesOf = SimilarityRequest["linesOf"];

/** Caches the lines, so that Millwright reads each file once, even with many definitions. */
function remember(linesOf: LinesOf): LinesOf {
  const known = new Map<string, readonly string[] | undefined>();
  return (path) => {
    if (!known.has(path)) known.set(path, linesOf(path));
    return known.get(path);
  };
}

function textOf({ index }: Searcher, linesOf: LinesOf, piece: number): string {
  const { qualified, startLine, endLine } = index.piece(piece);
  const path = pathOfPiece(index, piece);
  const lines = (linesOf(path) ?? []).slice(startLine - 1, endLine);
  return [`${path} ${qualified}`, ...lines].join("\n").slice(0, longestText);
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, first, second] = [0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    const [x = 0, y = 0] = [a[at], b[at]];
    dot += x * y;
    first += x * x;
    second += y * y;
  }
  return first === 0 || second === 0 ? 0 : dot / Math.sqrt(first * second);
}
