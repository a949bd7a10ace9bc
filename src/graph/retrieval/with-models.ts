/**
 * Where models help the search when some are configured: they read mentions, compare by meaning, and judge the best places at the
 * end. Each is a port; without it, or when it fails, the answer is what the rules found, and says so.
 */
import { countTokens } from "./choose-shown.ts";
import { type Found, findPlaces, type Searcher } from "./find.ts";
import type { RankedPiece } from "./rank.ts";
import type { Mentions } from "./read-mentions.ts";
import { readQuery } from "./read-query.ts";
import { pathOfPiece } from "./search-index.ts";

/** Entities that a text mentions, with their types and places. */
export interface MentionReader {
  readonly name: string;
  read(statement: string): Promise<Mentions>;
}

/** Vectors of any length, the same for all texts of one embedder. */
export interface TextEmbedder {
  readonly name: string;
  embed(texts: readonly string[]): Promise<readonly (readonly number[] | Float32Array)[]>;
}

export interface Candidate {
  readonly path: string;
  readonly qualified: string;
  readonly text: string;
}

/** Positions of the candidates, best first; those that are left out keep their order behind. */
export interface PlaceRanker {
  readonly name: string;
  rank(statement: string, candidates: readonly Candidate[]): Promise<readonly number[]>;
}

export interface SearchModels {
  readonly mentions?: MentionReader;
  readonly embedder?: TextEmbedder;
  readonly ranker?: PlaceRanker;
  /** Tokens of candidates that a ranker may be given. */
  readonly rankerTokens: number;
  readonly linesOf: (path: string) => readonly string[] | undefined;
}

export interface FoundWithModels {
  readonly found: Found;
  /** What took part, and what failed with why. */
  readonly notes: readonly string[];
}

const embeddedPieces = 200;
const rankedPieces = 40;
/** Of reciprocal rank fusion, as usual. */
const rankOffset = 60;

export async function findWithModels(
  searcher: Searcher,
  statement: string,
  models: SearchModels,
): Promise<FoundWithModels> {
  const notes: string[] = [];
  const read = await attempt(models.mentions, (reader) => reader.read(statement), notes);
  const query = readQuery(statement);
  const joined = read === undefined ? query : { ...query, mentions: joinMentions(query.mentions, read) };
  let found = findPlaces(searcher, joined);
  const pieces = await attempt(
    models.embedder,
    (embedder) => fuseBySimilarity(searcher, statement, found.pieces, embedder, models),
    notes,
  );
  if (pieces !== undefined) found = { ...found, pieces };
  const order = await attempt(
    models.ranker,
    (ranker) => ranker.rank(statement, candidatesOf(searcher, found.pieces, models)),
    notes,
  );
  if (order !== undefined) found = { ...found, pieces: reorder(found.pieces, order) };
  return { found, notes };
}

async function attempt<Port extends { readonly name: string }, T>(
  port: Port | undefined,
  work: (port: Port) => Promise<T>,
  notes: string[],
): Promise<T | undefined> {
  if (port === undefined) return undefined;
  try {
    const result = await work(port);
    notes.push(port.name);
    return result;
  } catch (error) {
    notes.push(`${port.name} failed: ${error instanceof Error ? error.message : String(error)}`);
    return undefined;
  }
}

function joinMentions(rules: Mentions, model: Mentions): Mentions {
  return { names: [...rules.names, ...model.names], paths: [...rules.paths, ...model.paths] };
}

async function fuseBySimilarity(
  searcher: Searcher,
  statement: string,
  pieces: readonly RankedPiece[],
  embedder: TextEmbedder,
  models: SearchModels,
): Promise<RankedPiece[]> {
  const head = pieces.slice(0, embeddedPieces);
  const texts = head.map(({ piece }) => candidateOf(searcher, piece, models).text.slice(0, 2000));
  const [query, ...vectors] = await embedder.embed([statement, ...texts]);
  if (query === undefined || vectors.length !== head.length) throw new Error("it gave too few vectors");
  const byMeaning = head
    .map((_, at) => ({ at, cosine: cosine(query, vectors[at] ?? []) }))
    .sort((a, b) => b.cosine - a.cosine);
  const fused = head.map((_, at) => 1 / (rankOffset + at));
  for (const [rank, { at }] of byMeaning.entries()) fused[at] = (fused[at] ?? 0) + 1 / (rankOffset + rank);
  const order = [...head.keys()].sort((a, b) => (fused[b] ?? 0) - (fused[a] ?? 0));
  return reorder(pieces, order);
}

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [dot, first, second] = [0, 0, 0];
  for (let at = 0; at < a.length; at++) {
    const [x = 0, y = 0] = [a[at], b[at]];
    dot += x * y;
    first += x * x;
    second += y * y;
  }
  return first === 0 || second === 0 ? 0 : dot / Math.sqrt(first * second);
}

function candidatesOf(searcher: Searcher, pieces: readonly RankedPiece[], models: SearchModels): Candidate[] {
  const candidates: Candidate[] = [];
  let left = models.rankerTokens;
  for (const { piece } of pieces.slice(0, rankedPieces)) {
    const candidate = candidateOf(searcher, piece, models);
    left -= countTokens(candidate.text);
    if (left < 0) break;
    candidates.push(candidate);
  }
  return candidates;
}

function candidateOf({ index }: Searcher, piece: number, { linesOf }: SearchModels): Candidate {
  const { qualified, startLine, endLine } = index.piece(piece);
  const path = pathOfPiece(index, piece);
  const lines = linesOf(path) ?? [];
  return {
    path,
    qualified,
    text: [`${path} ${qualified}`, ...lines.slice(startLine - 1, endLine)].join("\n"),
  };
}

/** What a model names twice or beyond the end counts once or not at all. */
function reorder(pieces: readonly RankedPiece[], order: readonly number[]): RankedPiece[] {
  const first = [...new Set(order)].flatMap((at) => pieces[at] ?? []);
  const taken = new Set(first);
  return [...first, ...pieces.filter((piece) => !taken.has(piece))];
}
