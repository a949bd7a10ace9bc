import { type Command, InvalidArgumentError } from "commander";
import outline from "../../tools/outline.ts";
import { addGraphFlags, type GraphFlags } from "../graph-flags.ts";
import { withGraph } from "../graph-session.ts";
import { answerTool } from "../tool-session.ts";

interface OutlineFlags extends GraphFlags {
  readonly depth?: number;
}

export function addOutlineCommand(program: Command): void {
  addGraphFlags(
    program
      .command("outline")
      .description("list the definitions of a file")
      .argument("<file>", "relative to the repository")
      .option("--depth <count>", "nesting depth: 1 is the top level only", readDepth),
  ).action(async (path: string, { json = false, depth, ...flags }: OutlineFlags) => {
    const question = { schema: "millwright.outline/1", about: {}, json };
    await withGraph(flags, (session) => answerTool(session, outline, { path, depth }, question));
  });
}

function readDepth(text: string): number {
  const depth = Number(text);
  if (!Number.isInteger(depth) || depth < 1)
    throw new InvalidArgumentError("Give a whole number, at least 1.");
  return depth;
}
