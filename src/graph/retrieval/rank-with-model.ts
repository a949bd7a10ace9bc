/**
 * Lets a model choose among the best files and places, as the last step of a search. Limits the tokens that the model
 * gets.
 */
import { z } from "zod";
import type { ModelClient, ModelFailure } from "../../llm/contract.ts";
import { countTokens, windowOf } from "./choose-shown.ts";
import type { Found, Searcher } from "./find.ts";
import { pathOfPiece } from "./search-index.ts";
import { skeletonOf } from "./skeleton.ts";
import { rankingPrompt } from "./with-model.prompt.ts";

export interface RankRequest {
  readonly searcher: Searcher;
  readonly found: Found;
  readonly statement: string;
  readonly linesOf: (path: string) => readonly string[] | undefined;
  /** Maximum tokens of the request. */
  readonly tokens: number;
  readonly signal?: AbortSignal | undefined;
}

/** The model's choice: numbers of files and pieces in the index, best first. */
export interface Judgement {
  readonly files: readonly number[];
  readonly pieces: readonly number[];
}

const answerSchema = z.object({
  files: z.array(z.string()).describe("F1, F2 …: files to change, the likeliest first"),
  places: z.array(z.string()).describe("P1, P2 …: definitions to change, the likeliest first"),
});

const mostFiles = 40;
const mostPlaces = 40;
const longestPlace = 60;
/** Maximum shares of the request's tokens, for the description and for the list of files. */
const shares = { statement: 0.25, files: 0.3 } as const;

export async function rankWithModel(
  client: ModelClient,
  request: RankRequest,
): Promise<Judgement | ModelFailure> {
  const { text, files, pieces } = writeRequest(request);
  const answer = await client.generate({
    role: "retrieval",
    system: rankingPrompt,
    messages: [{ role: "user", text }],
    output: { name: "places", schema: answerSchema },
    settings: { maxOutputTokens: 2000 },
    ...(request.signal === undefined ? {} : { signal: request.signal }),
  });
  if (!answer.ok) return answer;
  const { output } = answer.value;
  return {
    files: chosen(output?.files ?? [], files),
    pieces: chosen(output?.places ?? [], pieces),
  };
}

/** The numbers of the labels. Drops repeated and unknown labels. */
function chosen(labels: readonly string[], numbers: readonly number[]): number[] {
  const found = labels.flatMap((label) => numbers[Number(/\d+/.exec(label)?.[0] ?? 0) - 1] ?? []);
  return [...new Set(found)];
}

function writeRequest(request: RankRequest): {
  readonly text: string;
  readonly files: readonly number[];
  readonly pieces: readonly number[];
} {
  const { found, statement, tokens } = request;
  const { index } = request.searcher;
  const described = statement.slice(0, tokens * shares.statement * 4);
  const parts = [`# Description\n\n${described}\n\n# Files\n`];
  let left = tokens - countTokens(described);
  const addWithin = (text: string, limit: number): boolean => {
    const cost = countTokens(`${text}\n`);
    if (cost > limit) return false;
    left -= cost;
    parts.push(text);
    return true;
  };
  const files: number[] = [];
  const kept = left - tokens * shares.files;
  for (const { file } of found.files.slice(0, mostFiles)) {
    if (!addWithin(`F${files.length + 1} ${skeletonOf(index, file)}`, left - kept)) break;
    files.push(file);
  }
  parts.push("\n# Definitions\n");
  const pieces: number[] = [];
  for (const { piece } of found.pieces.slice(0, mostPlaces)) {
    const text = textOf(request, piece);
    if (!addWithin(`P${pieces.length + 1} ${text}\n`, left)) continue;
    pieces.push(piece);
  }
  return { text: parts.join("\n"), files, pieces };
}

/** For a long place, its first line and the lines around matching terms. */
function textOf({ searcher: { index }, found, linesOf }: RankRequest, piece: number): string {
  const { startLine, endLine, qualified } = index.piece(piece);
  const path = pathOfPiece(index, piece);
  const lines = linesOf(path) ?? [];
  const window = windowOf(lines, startLine, endLine, found.query.terms, longestPlace);
  const shown = lines.slice(window.startLine - 1, window.endLine);
  const before =
    window.startLine > startLine ? [lines[startLine - 1] ?? "", `… line ${window.startLine}:`] : [];
  const after = window.endLine < endLine ? ["…"] : [];
  return [`${path}:${startLine} ${qualified}`, ...before, ...shown, ...after].join("\n");
}
