/** `find --kind place`: searches places by rules, and with the models from the settings or flags. */
import { answerWith } from "../graph/retrieval/answer.ts";
import { defaultBudget } from "../graph/retrieval/choose-shown.ts";
import { openKeptVectors } from "../graph/retrieval/kept-vectors.ts";
import { openSearcher } from "../graph/retrieval/open-searcher.ts";
import {
  defaultRankerTokens,
  findWithModels,
  type SearchUse,
  usualEmbedLimitMs,
} from "../graph/retrieval/with-models.ts";
import { type OpenClient, openSearchClient } from "../session/search-client.ts";
import type { Settings } from "../session/settings.ts";
import { showEmbedding } from "./embedding-progress.ts";
import { fileLines, placeLines } from "./find-text.ts";
import type { GraphSession } from "./graph-session.ts";
import { hostOf } from "./host.ts";
import { readSettings } from "./load-settings.ts";

export interface PlaceFlags {
  readonly model?: string;
  readonly embeddingModel?: string;
  readonly modelUrl?: string;
  readonly rankerTokens?: number;
  readonly budget: number;
  readonly limit: number;
}

export interface PlacesFound {
  readonly document: object;
  readonly lines: readonly string[];
  readonly count: number;
}

export async function findPlacesFor(
  { graph, repository, directory, signal }: GraphSession,
  query: string,
  flags: PlaceFlags,
): Promise<PlacesFound> {
  const searcher = openSearcher({ graph, repository });
  const { linesOf } = searcher;
  const client = await openSearchClient(hostOf(), settingsOf(repository, flags));
  const vectors = client?.embedder === undefined ? undefined : openKeptVectors(directory);
  try {
    const { found, used } = await findWithModels(searcher, query, {
      client: client?.answers === true ? client.client : undefined,
      embedder: client?.embedder,
      vectors,
      rankerTokens: flags.rankerTokens ?? defaultRankerTokens,
      linesOf,
      signal,
      onProgress: showEmbedding(),
      embedLimitMs: usualEmbedLimitMs,
    });
    const answer = answerWith(searcher, found, {
      files: flags.limit,
      places: flags.budget > 0 ? flags.limit * 5 : flags.limit,
      budget: { ...defaultBudget, tokens: flags.budget },
      linesOf,
    });
    const spent = client === undefined ? {} : { spent: client.client.spent() };
    const lines = ["Files", ...answer.files.map(fileLines), "Places", ...answer.places.map(placeLines)];
    const count = answer.files.length;
    return {
      document: { ...answer, ...used, ...spent },
      lines: [...lines, ...usedLines(used, client)],
      count,
    };
  } finally {
    vectors?.close();
  }
}

/** Reads the settings for a search; flags have priority. Warnings go to standard error. */
export function settingsOf(
  repository: string,
  { model, embeddingModel, modelUrl }: Pick<PlaceFlags, "model" | "embeddingModel" | "modelUrl">,
): Settings {
  const given = Object.entries({ model, embeddingModel, modelUrl }).filter(
    ([, value]) => value !== undefined,
  );
  return readSettings(repository, Object.fromEntries(given));
}

/** Tells people how models took part in the search. The JSON document also says if only rules took part. */
function usedLines(used: SearchUse, client: OpenClient | undefined): string[] {
  if (client === undefined) return [];
  const more = used.similarity.endsWith("so far")
    ? ["  (`millwright index --embedding-model NAME` embeds the others)"]
    : [];
  return ["Found with", ...Object.entries(used).map(([part, by]) => `  ${part}: ${by}`), ...more];
}
