import { type Command, InvalidArgumentError } from "commander";
import map from "../../tools/map.ts";
import { addGraphFlags, type GraphFlags } from "../graph-flags.ts";
import { withGraph } from "../graph-session.ts";
import { answerTool } from "../tool-session.ts";

interface MapFlags extends GraphFlags {
  readonly budget: number;
}

export function addMapCommand(program: Command): void {
  addGraphFlags(
    program
      .command("map")
      .description(
        "show the definitions that a repository's code uses most, as signatures, within a token budget",
      )
      .option("--budget <tokens>", "maximum length in tokens of four characters", readBudget, 2000),
  ).action(async ({ budget, json = false, ...flags }: MapFlags) => {
    const question = { schema: "millwright.map/1", about: { budget }, json };
    await withGraph(flags, (session) => answerTool(session, map, { budget }, question));
  });
}

function readBudget(text: string): number {
  const tokens = Number(text);
  if (!Number.isInteger(tokens) || tokens < 1)
    throw new InvalidArgumentError("Give a number of tokens, at least 1.");
  return tokens;
}
