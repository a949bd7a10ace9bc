/**
 * Describes a language server's rename for people: the edits as a diff, and the files that the server may have missed.
 */
import type { CodeFileEdit } from "../domain/code-intelligence.ts";
import { changesOf } from "../edit/apply-ranges.ts";
import { renderDiff } from "../edit/render-diff.ts";
import type { CodeGraph } from "../graph/contract.ts";
import type { PositionCandidate } from "../lsp/identifiers.ts";
import { certain } from "../tools/uses.ts";
import { openTextFiles } from "../workspace/text-files.ts";

export interface RenameAnswer {
  readonly diff: string;
  /** Unchanged files in which the code graph knows uses of the name. The server did not see the whole project. */
  readonly untouched: readonly string[];
}

/**
 * Describes a rename: its diff, and the unchanged files that use the name. `graph` finds these files; without `graph`,
 * the list is empty.
 */
export async function describeRename(
  edits: readonly CodeFileEdit[],
  position: PositionCandidate | undefined,
  repository: string,
  graph: CodeGraph | undefined,
): Promise<RenameAnswer> {
  const files = openTextFiles(repository, repository);
  const texts = new Map<string, string | undefined>();
  for (const { path } of edits) {
    const read = await files.read(path);
    texts.set(path, read.ok ? read.value : undefined);
  }
  const diff = renderDiff(changesOf(edits, (path) => texts.get(path)));
  const touched = new Set(edits.map(({ path }) => path));
  const uses = graph === undefined || position === undefined ? [] : filesWithUses(graph, position);
  return { diff, untouched: uses.filter((path) => !touched.has(path)) };
}

function filesWithUses(graph: CodeGraph, { path, line, name }: PositionCandidate): string[] {
  const entities = graph.meantAt(path, line, name)?.entities ?? [];
  const uses = entities.flatMap(({ id }) =>
    graph.incoming(id, ["calls", "references", "imports", "inherits"], { minConfidence: certain }),
  );
  return [...new Set(uses.map(({ from }) => from.path))].sort();
}
