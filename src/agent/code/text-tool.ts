/** Finds lines by their text. Definitions are easier to find by name, with other tools. */

import { z } from "zod";
import { countOf } from "../../base/count.ts";
import { MillwrightError } from "../../base/errors.ts";
import { generatedAmong } from "../../graph/generated-files.ts";
import { type GrepLine, grep, searchedPaths } from "../../graph/retrieval/grep.ts";
import type { ThinkTool } from "../think/think.ts";
import type { TreeView } from "../views.ts";

/** Maximum lines to show, and to count. */
const mostHits = 40;
const mostCounted = 2_000;

export function textTool({ context }: TreeView): ThinkTool<never> {
  const input = z.object({
    text: z.string().min(1).describe("the text to find within a line"),
    regex: z.boolean().default(false).describe("true: `text` is a JavaScript regular expression"),
    folder: z.string().default("").describe("folder or file to look in"),
  });
  return {
    name: "text-search",
    description: "Finds lines that contain a text, in files of any type.",
    input,
    async run(asked) {
      const { text, regex, folder } = input.parse(asked);
      const paths = searchedPaths(await context.graph(), folder);
      if (paths.length === 0)
        return { text: `There is no file in ${folder}, or git ignores all its files.`, isError: true };
      const request = { repository: context.repository, paths, pattern: text, isRegex: regex };
      try {
        const { lines, stopped } = grep({ ...request, limit: mostCounted });
        if (lines.length === 0)
          return { text: stopped === undefined ? "No line contains the text." : tooSlow };
        const generated = generatedAmong(await context.graph());
        const made = lines.filter(({ path }) => generated(path));
        // Shows generated files if no other file contains the text.
        const kept = made.length === lines.length ? lines : lines.filter(({ path }) => !generated(path));
        const more = kept.slice(mostHits);
        const rest = [
          ...(more.length === 0
            ? []
            : [
                `(${countOf(more.length, "more line")} in ${countOf(countFiles(more), "file")}: ${countFiles(kept) > 1 ? "name a folder or file, or give more of the text" : "give more of the text"})`,
              ]),
          ...(kept === lines || made.length === 0
            ? []
            : [
                `(and ${countOf(made.length, "line")} in ${countOf(countFiles(made), "generated or built file")})`,
              ]),
        ];
        const shown = kept.slice(0, mostHits).map(showLine);
        return { text: [...shown, ...rest, ...(stopped === "time" ? [tooSlow] : [])].join("\n") };
      } catch (error) {
        if (!(error instanceof MillwrightError) || error.code !== "usage") throw error;
        return { text: error.message, isError: true };
      }
    },
  };
}

/** Shows a line with its indentation, because an edit may need it. */
function showLine({ path, line, text }: GrepLine): string {
  return `${path}:${line}: ${text.trimEnd()}`;
}

function countFiles(lines: readonly { readonly path: string }[]): number {
  return new Set(lines.map(({ path }) => path)).size;
}

const tooSlow = "(the search reached its time limit before all files were searched)";
