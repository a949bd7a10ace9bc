import type { Command } from "commander";
import outline from "../../tools/outline.ts";
import { addGraphFlags, type GraphFlags, withGraph } from "../graph-session.ts";
import { answerTool } from "../tool-session.ts";

export function addOutlineCommand(program: Command): void {
  addGraphFlags(
    program
      .command("outline")
      .description("list what a file defines")
      .argument("<file>", "relative to the repository"),
  ).action(async (path: string, { json = false, ...flags }: GraphFlags) => {
    const question = { schema: "millwright.outline/1", about: {}, json };
    await withGraph(flags, (session) => answerTool(session, outline, { path }, question));
  });
}
