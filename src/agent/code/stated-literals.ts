/**
 * Finds the literals of the code that the statement quotes verbatim. A quoted text that occurs in few places is better
 * evidence than words that the statement and the code share.
 */

import { readSource } from "../../graph/build/read-source.ts";
import { generatedAmong } from "../../graph/generated-files.ts";
import { searchedPaths } from "../../graph/retrieval/grep.ts";
import { isSourceFile, isTestFile } from "../../languages/source-files.ts";
import type { Place } from "../state/task-state.ts";
import type { TreeView } from "../views.ts";

const most = { literals: 12, hits: 3, places: 4 };
/** Lines around the literal's line, if its definition has more than `longest` lines. */
const around = { before: 6, after: 10, longest: 40 };

/**
 * Lists the 12 longest code spans and quoted texts in the statement, the longest first. Includes texts inside other
 * texts. Omits texts of fewer than 4 or more than 80 characters, and words such as `true` and `null`.
 */
export function literalsOf(statement: string): string[] {
  const quoted = (text: string): string[] =>
    [
      ...text.matchAll(/"([^"\n]{3,80})"|(?<!\w)(?:[bruf]{1,2})?'([^'\n]{3,80})'(?!\w)|`([^`\n]{3,80})`/g),
    ].map((match) => match[1] ?? match[2] ?? match[3] ?? "");
  const spans = quoted(statement);
  const all = [...spans, ...spans.flatMap(quoted)].map((text) => text.trim());
  return [...new Set(all)]
    .filter((text) => text.length >= 4 && !/^(?:true|false|null|none|undefined)$/i.test(text))
    .toSorted((one, other) => other.length - one.length)
    .slice(0, most.literals);
}

/**
 * Finds at most 4 places whose code contains a literal of the statement in quotes, the rarest literal first. Searches
 * for the 12 longest literals, and omits those on more than 3 lines.
 */
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
  const read = (path: string): string | undefined => {
    const source = readSource(`${context.repository}/${path}`, path);
    return source?.kind === "text" ? source.text : undefined;
  };
  return findQuoted(literals, paths, read)
    .toSorted((one, other) => one.lines.length - other.lines.length)
    .flatMap((hit) =>
      hit.lines.map(({ path, line }) => ({
        file: path,
        ...spanAround(graph.file(path) === undefined ? [] : graph.outline(path), line),
        why: `contains the statement's "${hit.text}"`,
      })),
    )
    .slice(0, most.places);
}

export interface Quoted {
  readonly text: string;
  readonly lines: readonly { readonly path: string; readonly line: number }[];
}

/**
 * Finds the literals that occur in quotes, each with all its lines. Omits literals on more than 3 lines. Has no time
 * limit, so the result is complete.
 */
export function findQuoted(
  literals: readonly string[],
  paths: readonly string[],
  read: (path: string) => string | undefined,
): Quoted[] {
  const hits = literals.map((text): { text: string; lines: Quoted["lines"][number][] } => ({
    text,
    lines: [],
  }));
  for (const path of paths) {
    const source = read(path) ?? "";
    for (const { text, lines } of hits) {
      if (lines.length > most.hits || !isQuoted(source, text)) continue;
      for (const [at, line] of source.split("\n").entries())
        if (isQuoted(line, text)) lines.push({ path, line: at + 1 });
    }
  }
  return hits.filter(({ lines }) => lines.length > 0 && lines.length <= most.hits);
}

function isQuoted(source: string, text: string): boolean {
  return ['"', "'", "`"].some((mark) => source.includes(mark + text + mark));
}

interface Lines {
  readonly startLine: number;
  readonly endLine: number;
}

/**
 * Returns the innermost definition around the line. If it is too long or there is none, returns some lines before and
 * after the line.
 */
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
