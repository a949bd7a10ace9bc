import type { Command } from "commander";
import { sanitizeForTerminal } from "../../base/terminal-text.ts";
import type { Entity } from "../../graph/contract.ts";
import { entityDocument } from "../../graph/describe-entity.ts";
import {
  addGraphFlags,
  type GraphFlags,
  type GraphSession,
  printJson,
  relativePath,
  withGraph,
} from "../graph-session.ts";

export function addOutlineCommand(program: Command): void {
  addGraphFlags(
    program
      .command("outline")
      .description("list what a file defines")
      .argument("<file>", "relative to the repository"),
  ).action(async (file: string, flags: GraphFlags) => {
    await withGraph(flags, (session) => show(session, file, flags.json ?? false));
  });
}

function show(session: GraphSession, written: string, json: boolean): number {
  const path = relativePath(session, written);
  const entities = session.graph.outline(path);
  if (json) {
    const file = session.graph.file(path);
    const about = { path, language: file?.language, lines: file?.lines, syntaxErrors: file?.syntaxErrors };
    printJson({
      schema: "millwright.outline/1",
      index: session.index,
      ...about,
      entities: entities.map(entityDocument),
    });
    return 0;
  }
  const known = new Map(entities.map((entity) => [entity.id, entity]));
  for (const entity of entities) process.stdout.write(`${sanitizeForTerminal(lineOf(entity, known))}\n`);
  if (entities.length === 0) process.stderr.write(`${path} defines nothing that is known\n`);
  return 0;
}

/** `  12-30  method  def pick(self, items)`, indented by what contains it. */
function lineOf(entity: Entity, known: ReadonlyMap<number, Entity>): string {
  let depth = 0;
  for (let at = known.get(entity.parent); at !== undefined; at = known.get(at.parent)) depth++;
  const lines = `${entity.startLine}-${entity.endLine}`.padEnd(10);
  return `${lines}  ${"  ".repeat(depth)}${entity.kind}  ${entity.signature === "" ? entity.name : entity.signature}`;
}
