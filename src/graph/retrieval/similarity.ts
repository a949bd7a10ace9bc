/**
 * The search by meaning: definitions whose vectors are near the text's. Those that the rules rank first get vectors now, the others
 * have theirs from earlier questions; so a small repository is searched whole at once, a large one more with each question.
 */
import type { Embedder, ModelFailure } from "../../llm/contract.ts";
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
}

export interface SimilarPieces {
  /** Nearest first. */
  readonly pieces: readonly number[];
  /** Of so many that could be searched. */
  readonly all: number;
}

/** Texts that one question may have embedded. */
const mostEmbedded = 1000;
/** Characters: more says little, and models cut it. */
const longestText = 1600;
const longestStatement = 4000;

export async function findSimilar(request: SimilarityRequest): Promise<SimilarPieces | ModelFailure> {
  const { searcher, found, statement, embedder, vectors } = request;
  const linesOf = remember(request.linesOf);
  const numbers = piecesInOrder(searcher, found);
  const known = new Map<number, Float32Array>();
  const missing: { readonly piece: number; readonly text: string; readonly hash: string }[] = [];
  for (const piece of numbers) {
    const text = textOf(searcher, linesOf, piece);
    const hash = hashText(embedder.name, text);
    const vector = vectors.get(hash);
    if (vector !== undefined) known.set(piece, vector);
    else if (missing.length < mostEmbedded) missing.push({ piece, text, hash });
  }
  const texts = [statement.slice(0, longestStatement), ...missing.map(({ text }) => text)];
  const answer = await embedder.embed(texts);
  if (!answer.ok) return answer;
  const [query, ...fresh] = answer.value;
  if (query === undefined || fresh.length !== missing.length)
    return { ok: false, kind: "bad-answer", message: "it gave too few vectors" };
  for (const [at, vector] of fresh.entries()) {
    const { piece, hash } = missing[at] ?? { piece: -1, hash: "" };
    known.set(piece, vector);
    vectors.put(hash, vector);
  }
  const near = [...known].map(([piece, vector]) => ({ piece, cosine: cosine(query, vector) }));
  near.sort((a, b) => b.cosine - a.cosine);
  return { pieces: near.map(({ piece }) => piece), all: numbers.length };
}

/** What the rules ranked, then all other definitions in files in which a change is looked for. */
function piecesInOrder({ index }: Searcher, found: Found): number[] {
  const ranked = found.pieces.map(({ piece }) => piece);
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

/** Each file is read once, though it has many definitions. */
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
