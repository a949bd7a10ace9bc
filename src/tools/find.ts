import { z } from "zod";
import { fail, succeed } from "../base/result.ts";
import { answerWith, type FindAnswer } from "../graph/retrieval/answer.ts";
import { defaultBudget } from "../graph/retrieval/choose-shown.ts";
import { findPlaces } from "../graph/retrieval/find.ts";
import { defineCodeTool } from "./contract.ts";
import { renderPlace } from "./render-place.ts";

export default defineCodeTool({
  name: "find",
  title: "Find the places that a text is about",
  description:
    "For an issue's text, an error message, a stack trace or a question: the files and definitions where a change most likely belongs, with the reasons and the code under a budget. Give the whole text, not keywords. For a name that you know use `symbol`.",
  input: z.object({
    query: z.string().min(1).describe("the text, as it is"),
    limit: z.int().min(1).max(50).default(10).describe("how many files"),
    budget: z
      .int()
      .min(0)
      .max(50_000)
      .default(3000)
      .describe("tokens of code to show; 0 shows signatures only"),
  }),
  effect: "reads",
  async run(context, { query, limit, budget }) {
    const searcher = await context.searcher();
    const { indexed, files } = (await context.graph()).completeness();
    const found = answerWith(searcher, findPlaces(searcher, query), {
      files: limit,
      places: budget > 0 ? limit * 5 : limit,
      budget: { ...defaultBudget, tokens: budget },
      linesOf: searcher.linesOf,
    });
    if (found.files.length === 0) return fail("not-found", "Nothing in the repository is like that text.");
    return succeed({ data: { ...found }, text: render(found, files - indexed) });
  },
});

function render({ files, places }: FindAnswer, missing: number): string {
  const listed = files.map(({ path, why }) => `${path}${why.length === 0 ? "" : `  (${why.join("; ")})`}`);
  // Without code a place deep in the list says little.
  const shown = places.filter((place, rank) => place.shown !== undefined || rank < files.length);
  const parts = ["Files", ...listed, "", "Places", ...shown.map(renderPlace)];
  if (missing > 0) parts.push(`(${missing} files are not read yet: ask again)`);
  return parts.join("\n");
}
