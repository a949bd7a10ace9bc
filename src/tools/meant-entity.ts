import { z } from "zod";
import { fail, type Result, succeed } from "../base/result.ts";
import type { CodeGraph, Entity } from "../graph/contract.ts";
import { findMeant } from "../graph/find-meant.ts";
import type { ToolFailureKind } from "./contract.ts";

/** A definition, by its name or by a place in it or at it. */
export const entityInput = {
  name: z.string().min(1).optional().describe("its name, qualified or not, or an entity's id"),
  path: z.string().min(1).optional().describe("a file that it stands in, relative to the repository"),
  line: z.int().min(1).optional().describe("a line in it, with `path`"),
};

export interface EntityInput {
  readonly name?: string | undefined;
  readonly path?: string | undefined;
  readonly line?: number | undefined;
}

/** The definitions that are meant: one, or all that share the name where nothing tells them apart. */
export function findEntities(
  graph: CodeGraph,
  { name, path, line }: EntityInput,
): Result<readonly Entity[], ToolFailureKind> {
  if (name !== undefined) return byName(graph, name, path);
  const entity = path !== undefined && line !== undefined ? graph.entityAt(path, line) : undefined;
  if (entity !== undefined) return succeed([entity]);
  return fail("not-found", "Say which definition: give its name, or a path and a line in it.");
}

function byName(
  graph: CodeGraph,
  name: string,
  path: string | undefined,
): Result<readonly Entity[], ToolFailureKind> {
  const all = findMeant(graph, name);
  const here = all.filter((entity) => entity.path === path);
  if (all.length > 0) return succeed(here.length > 0 ? here : all);
  const near = graph.suggest(name);
  return fail(
    "not-found",
    `Nothing is called ${name}.${near.length === 0 ? "" : ` Near: ${near.join(", ")}.`}`,
  );
}
