import type { CodeGraph, Entity } from "./contract.ts";
import { parseEntityId } from "./entity-id.ts";

/** Finds the entities to which a person or a model refers by an entity's id, or else by a name. */
export function findMeant(graph: CodeGraph, name: string): readonly Entity[] {
  const key = parseEntityId(name);
  const entity = key === undefined ? undefined : graph.entityByKey(key);
  return entity === undefined ? graph.named(name) : [entity];
}
