import { z } from "zod";
import { countOf } from "../base/count.ts";
import { fail, succeed } from "../base/result.ts";
import { answerWith, type FindAnswer, type PlaceAnswer } from "../graph/retrieval/answer.ts";
import { countTokens } from "../graph/retrieval/choose-shown.ts";
import { type Found, findPlaces } from "../graph/retrieval/find.ts";
import { findPassages } from "../graph/retrieval/find-passages.ts";
import type { OpenSearcher } from "../graph/retrieval/open-searcher.ts";
import { pathOfPiece } from "../graph/retrieval/search-index.ts";
import { findWithModels, type SearchUse } from "../graph/retrieval/with-models.ts";
import { type CodeContext, defineCodeTool, type ToolResult } from "./contract.ts";
import { renderPlace } from "./render-place.ts";
import { namesIn, testLines, testsOfPlaces } from "./tests-of-places.ts";

/** Maximum lines of one piece. `longestOfFirst`: of the first two pieces. */
const longest = { longestPiece: 40, longestOfFirst: 80 };
const mostTests = 5;

export default defineCodeTool({
  name: "find",
  title: "Find the places that a text is about",
  description:
    "Finds the definitions that most likely need a change, with their code and tests. Give the whole text of an issue, an error message or a question, not keywords. For a known name, use `symbol`.",
  input: z.object({
    query: z.string().min(1).describe("the text, unchanged"),
    kind: z
      .enum(["code", "documents"])
      .default("code")
      .describe("documents: passages of the documentation, for a question such as how to run the tests"),
    limit: z.int().min(1).max(50).default(10).describe("maximum number of files; for documents, of passages"),
    budget: z.int().min(0).max(50_000).default(2000).describe("tokens in the answer; 0: signatures only"),
  }),
  effect: "reads",
  async run(context, { query, kind, limit, budget }) {
    const searcher = await context.searcher();
    if (kind === "documents") return answerPassages(searcher, query, { limit, budget });
    const { indexed, files } = (await context.graph()).completeness();
    const { found, used } = await search(context, searcher, query);
    const { shown } = context;
    const answer = answerWith(searcher, found, {
      files: limit,
      places: budget > 0 ? limit * 3 : limit,
      budget: { ...longest, tokens: budget },
      linesOf: searcher.linesOf,
      ...(shown === undefined ? {} : { isKnown: shown.has }),
    });
    if (answer.files.length === 0)
      return fail(
        "not-found",
        "The index contains no source, example or configuration file. To search the documentation, set kind to documents.",
      );
    const words = namesIn(query);
    const best = answer.places.slice(0, 4).map(({ path, startLine }) => ({ path, line: startLine, words }));
    const tests = testsOfPlaces(searcher, best, mostTests);
    const kept = fitBudget(answer, budget, testLines(tests), files - indexed);
    for (const place of kept.places)
      if (place.shown !== undefined)
        shown?.note(place.path, place.shown.startLine, place.shown.text.split("\n"));
    const models = used === undefined ? {} : { used };
    return succeed({ data: { ...answer, places: kept.places, tests, ...models }, text: kept.text });
  },
});

/** Answers with passages. The best ones have their text, within the budget. */
function answerPassages(
  searcher: OpenSearcher,
  query: string,
  { limit, budget }: { readonly limit: number; readonly budget: number },
): ToolResult {
  let left = budget;
  const passages = findPassages(searcher, query, limit).map(({ piece, score }) => {
    const { qualified, startLine, endLine } = searcher.index.piece(piece);
    const path = pathOfPiece(searcher.index, piece);
    const shown: string[] = [];
    for (const line of (searcher.linesOf(path) ?? []).slice(startLine - 1, endLine)) {
      left -= countTokens(`${line}\n`);
      if (left < 0) break;
      shown.push(line);
    }
    const text = shown.join("\n").trimEnd();
    return { path, qualified, startLine, endLine, score, ...(text === "" ? {} : { text }) };
  });
  if (passages.length === 0) return fail("not-found", "No document of the repository matches that text.");
  const lines = passages.flatMap(({ path, qualified, startLine, endLine, text }) => [
    `${path}:${startLine}-${endLine}  ${qualified}`,
    ...(text === undefined ? [] : [text, ""]),
  ]);
  return succeed({ data: { passages }, text: lines.join("\n").trimEnd() });
}

async function search(
  context: CodeContext,
  searcher: OpenSearcher,
  query: string,
): Promise<{ readonly found: Found; readonly used?: SearchUse }> {
  const models = await context.searchModels?.();
  if (models === undefined) return { found: findPlaces(searcher, query) };
  return findWithModels(searcher, query, { ...models, linesOf: searcher.linesOf, signal: context.signal });
}

interface Fitted {
  readonly places: readonly PlaceAnswer[];
  readonly text: string;
}

/** Keeps the whole answer within the budget. The last places lose their code first. */
function fitBudget(answer: FindAnswer, budget: number, tests: readonly string[], missing: number): Fitted {
  const { files } = answer;
  let { places } = answer;
  for (;;) {
    // Without code, a low-ranked place says little.
    const listed = places.filter((place, rank) => place.shown !== undefined || rank < files.length);
    const text = render({ ...answer, places: listed }, tests, missing);
    const last = places.findLastIndex((place) => place.shown !== undefined);
    if (last < 0 || budget === 0 || countTokens(text) <= budget) return { places: listed, text };
    places = places.map((place, at) => (at === last ? { ...place, shown: undefined } : place));
  }
}

function render({ files, places }: FindAnswer, tests: readonly string[], missing: number): string {
  const listed = files.map(({ path, why }) => `${path}${why.length === 0 ? "" : `  (${why.join("; ")})`}`);
  const parts = ["Files", ...listed, "", "Places", ...places.map(renderPlace)];
  if (tests.length > 0) parts.push("", "Tests of these places", ...tests);
  if (missing > 0) parts.push(`(${countOf(missing, "file is", "files are")} not indexed yet: ask again)`);
  return parts.join("\n");
}
