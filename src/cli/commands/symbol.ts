import type { Command } from "commander";
import symbol from "../../tools/symbol.ts";
import { addGraphFlags, type GraphFlags } from "../graph-flags.ts";
import { withGraph } from "../graph-session.ts";
import { answerTool } from "../tool-session.ts";

const mostShown = 200;

export function addSymbolCommand(program: Command): void {
  addGraphFlags(
    program
      .command("symbol")
      .description("find definitions by name: pick, Cart.pick, shop/cart.py:Cart.pick, or an entity's id")
      .argument("<name>", "a name, qualified or not"),
  ).action(async (name: string, { json = false, ...flags }: GraphFlags) => {
    const question = { schema: "millwright.symbol/1", about: { query: name }, json };
    await withGraph(flags, (session) => answerTool(session, symbol, { name, limit: mostShown }, question));
  });
}
