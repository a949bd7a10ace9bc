/**
 * Literals that the statement quotes, found verbatim in the code: a text between quotes that stands there in few places says more of
 * where to look than any words.
 */
import { generatedAmong } from "../../graph/generated-files.ts";
import { grep, searchedPaths } from "../../graph/retrieval/grep.ts";
import { isSourceFile, isTestFile } from "../../languages/source-files.ts";
import type { Place } from "../state/task-state.ts";
import type { TreeView } from "./tree-view.ts";

const most = { literals: 12, hits: 3, places: 4, lines: 400 };
/** Around the line that has it, where its definition is longer than so many lines. */
const around = { before: 6, after: 10, longest: 40 };

/** Code spans and quoted texts, and those that are quoted inside of them, the longest first. */
export function literalsOf(statement: string): string[] {
  const quoted = (text: string): string[] =>
    [...text.matchAll(/"([^"\n]{3,80})"|'([^'\n]{3,80})'|`([^`\n]{3,80})`/g)].map(
      (match) => match[1] ?? match[2] ?? match[3] ?? "",
    );
  const spans = quoted(statement);
  const all = [...spans, ...spans.flatMap(quoted)].map((text) => text.trim());
  return [...new Set(all)]
    .filter((text) => text.length >= 4 && !/^(?:true|false|null|none|undefined)$/i.test(text))
    .toSorted((one, other) => other.length - one.length)
    .slice(0, most.literals);
}

/** The lines of code where a literal of the statement stands between quotes, the rarest first; those that stand in many places say nothing. */
export async function findLiterals(
  { context }: Pick<TreeView, "context">,
  statement: string,
): Promise<readonly Place[]> {
  const literals = literalsOf(statement);
  if (literals.length === 0) return [];
  const graph = await context.graph();
  const generated = generatedAmong(graph);
  const paths = searchedPaths(graph).filter(
    (path) => isSourceFile(path) && !isTestFile(path) && !/\.d\.[cm]?ts$/.test(path) && !generated(path),
  );
  const escaped = literals.map((text) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  const pattern = `(["'\`])(?:${escaped.join("|")})\\1`;
  const { lines } = grep({
    repository: context.repository,
    paths,
    pattern,
    isRegex: true,
    limit: most.lines,
  });
  const hits = literals.map((text) => ({
    text,
    lines: lines.filter((line) => ['"', "'", "`"].some((mark) => line.text.includes(mark + text + mark))),
  }));
  return hits
    .filter((hit) => hit.lines.length > 0 && hit.lines.length <= most.hits)
    .toSorted((one, other) => one.lines.length - other.lines.length)
    .flatMap((hit) =>
      hit.lines.map(({ path, line }) => ({
        file: path,
        ...spanAround(graph.file(path) === undefined ? [] : graph.outline(path), line),
        why: `has the statement's "${hit.text}"`,
      })),
    )
    .slice(0, most.places);
}

interface Lines {
  readonly startLine: number;
  readonly endLine: number;
}

/** The innermost definition, or the lines around in one that is long. */
export function spanAround(definitions: readonly Lines[], line: number): Lines {
  const length = ({ startLine, endLine }: Lines): number => endLine - startLine;
  const [own] = definitions
    .filter(({ startLine, endLine }) => startLine <= line && line <= endLine && endLine > startLine)
    .toSorted((one, other) => length(one) - length(other));
  if (own !== undefined && length(own) < around.longest)
    return { startLine: own.startLine, endLine: own.endLine };
  const last = own?.endLine ?? line + around.after;
  return {
    startLine: Math.max(own?.startLine ?? 1, line - around.before),
    endLine: Math.min(last, line + around.after),
  };
}
