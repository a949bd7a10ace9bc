/** Files that nobody edits: by their path (`dist/`, `.min.`), or by what their first lines say. */
import type { CodeGraph } from "./contract.ts";
import { fileKindOf } from "./forms/file-kind.ts";

export function generatedAmong(graph: Pick<CodeGraph, "file">): (path: string) => boolean {
  const known = new Map<string, boolean>();
  return (path) => {
    const answer =
      known.get(path) ?? (fileKindOf(path) === "generated" || graph.file(path)?.isGenerated === true);
    known.set(path, answer);
    return answer;
  };
}
