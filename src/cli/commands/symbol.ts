import type { Command } from "commander";
import { entityDocument } from "../../graph/describe-entity.ts";
import { findMeant } from "../../graph/find-meant.ts";
import {
  addGraphFlags,
  type GraphFlags,
  type GraphSession,
  printJson,
  reportMissing,
  safeLine,
  withGraph,
} from "../graph-session.ts";

const schema = "millwright.symbol/1";

export function addSymbolCommand(program: Command): void {
  addGraphFlags(
    program
      .command("symbol")
      .description("find definitions by name: pick, Cart.pick, shop/cart.py:Cart.pick, or an entity's id")
      .argument("<name>", "a name, qualified or not"),
  ).action(async (name: string, flags: GraphFlags) => {
    await withGraph(flags, (session) => show(session, name, flags.json ?? false));
  });
}

function show(session: GraphSession, name: string, json: boolean): number {
  const entities = findMeant(session.graph, name);
  if (entities.length === 0) return reportMissing(session, name, schema, json);
  if (json) printJson({ schema, query: name, index: session.index, entities: entities.map(entityDocument) });
  else for (const entity of entities) process.stdout.write(`${safeLine(entity)}\n`);
  return 0;
}
