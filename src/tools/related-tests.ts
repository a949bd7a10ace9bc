import { z } from "zod";
import { fail, succeed } from "../base/result.ts";
import { findRelatedTests } from "../graph/retrieval/related-tests.ts";
import { pathOfPiece } from "../graph/retrieval/search-index.ts";
import { defineCodeTool } from "./contract.ts";
import { findIndexedFile } from "./indexed-file.ts";

export default defineCodeTool({
  name: "related-tests",
  title: "Tests of a place",
  description:
    "The tests that have most to do with a file, or with the definition at a line of it: run these first after a change there.",
  input: z.object({
    path: z.string().min(1).describe("relative to the repository"),
    line: z.int().min(1).optional(),
    limit: z.int().min(1).max(100).default(10),
  }),
  effect: "reads",
  async run(context, { path, line, limit }) {
    const searcher = await context.searcher();
    const file = findIndexedFile(context.repository, await context.graph(), path);
    if (!file.ok) return file;
    const place = line === undefined ? { path: file.value } : { path: file.value, line };
    const tests = findRelatedTests(searcher, place, limit).map(({ piece, names, score }) => {
      const { qualified, startLine, endLine } = searcher.index.piece(piece);
      return { path: pathOfPiece(searcher.index, piece), qualified, startLine, endLine, names, score };
    });
    if (tests.length === 0) return fail("not-found", `No test names what ${path} defines.`);
    const lines = tests.map(({ path, startLine, endLine, qualified, names }) => {
      return `${path}:${startLine}-${endLine}  ${qualified}  (names ${names.join(", ")})`;
    });
    return succeed({ data: { tests }, text: lines.join("\n") });
  },
});
