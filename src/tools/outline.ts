import { z } from "zod";
import { succeed } from "../base/result.ts";
import type { Entity } from "../graph/contract.ts";
import { entityDocument, lineRange } from "../graph/describe-entity.ts";
import { defineCodeTool } from "./contract.ts";
import { findIndexedFile } from "./indexed-file.ts";

export default defineCodeTool({
  name: "outline",
  title: "Outline of a file",
  description: "Lists the definitions of a file, nested, with their lines and signatures.",
  input: z.object({
    path: z.string().min(1).describe("relative to the repository"),
    depth: z.int().min(1).optional().describe("1: top level only; all by default"),
  }),
  effect: "reads",
  async run(context, { path, depth }) {
    const graph = await context.graph();
    const file = findIndexedFile(context.repository, graph, path);
    if (!file.ok) return file;
    const entities = cutAt(graph.outline(file.value), depth);
    const about = graph.file(file.value);
    const data = {
      path: file.value,
      language: about?.language,
      lines: about?.lines,
      syntaxErrors: about?.syntaxErrors,
      entities: entities.map(entityDocument),
    };
    const nothing = `${file.value} has no known definitions.`;
    return succeed({
      data,
      text: entities.length === 0 ? nothing : renderOutline(entities),
    });
  },
});

/** Returns the entities up to this nesting depth. */
function cutAt(entities: readonly Entity[], depth = Number.POSITIVE_INFINITY): readonly Entity[] {
  const depths = new Map<number, number>();
  return entities.filter((entity) => {
    const own = (depths.get(entity.parent) ?? 0) + 1;
    depths.set(entity.id, own);
    return own <= depth;
  });
}

/** Renders the outline, indented by nesting. */
function renderOutline(entities: readonly Entity[]): string {
  const depths = new Map<number, number>();
  return entities
    .map((entity) => {
      const depth = (depths.get(entity.parent) ?? -1) + 1;
      depths.set(entity.id, depth);
      const what = entity.signature === "" ? `${entity.kind} ${entity.name}` : entity.signature;
      return `${"  ".repeat(depth)}${lineRange(entity)}  ${what}`;
    })
    .join("\n");
}
