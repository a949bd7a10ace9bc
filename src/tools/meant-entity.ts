import { z } from "zod";
import { fail, succeed } from "../base/result.ts";
import type { CodeGraph, Entity, MeantAt } from "../graph/contract.ts";
import { findMeant } from "../graph/find-meant.ts";
import type { ToolResult } from "./contract.ts";
import { findIndexedFile } from "./indexed-file.ts";

/** The input that identifies a definition: its name, a place inside it, or a place that uses its name. */
export const entityInput = {
  name: z.string().min(1).optional().describe("the definition's name, qualified or not"),
  path: z.string().min(1).optional().describe("a file that contains the definition or one of its uses"),
  line: z
    .int()
    .min(1)
    .optional()
    .describe(
      "a line of the definition or use in `path`, from 1; with `name`, an approximate line is enough",
    ),
};

export interface EntityInput {
  readonly name?: string | undefined;
  readonly path?: string | undefined;
  readonly line?: number | undefined;
}

export interface MeantEntities {
  /** The definition, or all definitions of the name if the input does not distinguish them. */
  readonly entities: readonly Entity[];
  /** If the input names a place: whether the name is exactly there, nearby, or elsewhere in the file. */
  readonly found?: MeantAt["found"];
}

/**
 * Finds the definitions that the input identifies. If `path` has no definition of the name, finds its definitions
 * elsewhere. Fails if there are none.
 */
export function findEntities(
  repository: string,
  graph: CodeGraph,
  { name, path: written, line }: EntityInput,
): ToolResult<MeantEntities> {
  if (written === undefined) return name === undefined ? fail("not-found", noName) : byName(graph, name);
  const file = findIndexedFile(repository, graph, written);
  if (!file.ok) return file;
  const path = file.value;
  if (name === undefined) {
    const entity = line === undefined ? undefined : graph.entityAt(path, line);
    return entity === undefined ? fail("not-found", noName) : succeed({ entities: [entity] });
  }
  const at = line === undefined ? undefined : graph.meantAt(path, line, name);
  if (at !== undefined) return succeed({ entities: at.entities, found: at.found });
  const meant = byName(graph, name);
  if (!meant.ok) return meant;
  const here = meant.value.entities.filter((entity) => entity.path === path);
  return here.length === 0 ? meant : succeed({ entities: here });
}

const noName = "Give the definition's name, or a path and a line in it.";

function byName(graph: CodeGraph, name: string): ToolResult<MeantEntities> {
  const entities = findMeant(graph, name);
  if (entities.length > 0) return succeed({ entities });
  const suggestions = graph.suggest(name);
  const near = suggestions.length === 0 ? "" : ` Similar: ${suggestions.join(", ")}.`;
  return { ...fail("not-found", `Nothing is called ${name}.${near}`), data: { suggestions } };
}
