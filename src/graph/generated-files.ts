/**
 * Recognises generated files, which nobody edits: by their path (`dist/`, `.min.`), or by a notice in their first
 * lines.
 */
import type { CodeGraph, Entity } from "./contract.ts";
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

export interface Handmade {
  readonly entities: readonly Entity[];
  /** The number of dropped entities, which are in generated files. */
  readonly made: number;
}

/** Drops the entities in generated files, unless all entities are in generated files. */
export function withoutGenerated(graph: Pick<CodeGraph, "file">, entities: readonly Entity[]): Handmade {
  const isGenerated = generatedAmong(graph);
  const own = entities.filter(({ path }) => !isGenerated(path));
  return own.length === 0 ? { entities, made: 0 } : { entities: own, made: entities.length - own.length };
}
