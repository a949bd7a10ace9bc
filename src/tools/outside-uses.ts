/** Finds uses of a name that the repository does not define. The name belongs to a dependency or to the language. */
import { countOf } from "../base/count.ts";
import { grep, searchedPaths } from "../graph/retrieval/grep.ts";
import type { CodeContext, ToolAnswer } from "./contract.ts";

/** Time limit of the search in milliseconds. */
const timeMs = 3_000;

/**
 * Finds lines that use a name from outside the repository. Undefined if no line does, or if the name is not an
 * identifier. `calls`: only calls of the name. `near`: a text about similar names for the end of the answer; may be "".
 */
export async function usesOfOutsideName(
  { repository, graph }: Pick<CodeContext, "repository" | "graph">,
  name: string,
  { calls, limit, near }: { readonly calls: boolean; readonly limit: number; readonly near: string },
): Promise<ToolAnswer | undefined> {
  const last = name.split(/::|[.#/]/).findLast((part) => part !== "") ?? name;
  if (!/^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(last)) return undefined;
  const escaped = last.replaceAll("$", "\\$");
  const pattern = `(?<![\\p{L}\\p{N}_$])${escaped}(?![\\p{L}\\p{N}_$])${calls ? "\\s*\\(" : ""}`;
  const paths = searchedPaths(await graph());
  const { lines } = grep({ repository, paths, pattern, isRegex: true, limit: 1_000, timeMs });
  if (lines.length === 0) return undefined;
  const shown = lines.slice(0, limit);
  const byPath = [...Map.groupBy(shown, ({ path }) => path)].flatMap(([path, own]) => [
    path,
    ...own.map(({ line, text }) => `  ${line}  | ${text.trim().slice(0, 120)}`),
  ]);
  const more = lines.length > shown.length ? [`(${countOf(lines.length - shown.length, "more line")})`] : [];
  const head = `The repository does not define ${last}. Lines that ${calls ? "call" : "name"} it:`;
  return {
    data: { defined: false, lines: shown, total: lines.length },
    text: [head, ...byPath, ...more, `(by text${near === "" ? "" : `; ${near}`})`].join("\n"),
  };
}
