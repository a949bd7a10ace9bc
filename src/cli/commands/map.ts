import { type Command, InvalidArgumentError } from "commander";
import { sanitizeForTerminal } from "../../base/terminal-text.ts";
import { entityDocument } from "../../graph/describe-entity.ts";
import {
  addGraphFlags,
  type GraphFlags,
  type GraphSession,
  nothingFound,
  printJson,
  withGraph,
} from "../graph-session.ts";

interface MapFlags extends GraphFlags {
  readonly budget: number;
}

export function addMapCommand(program: Command): void {
  addGraphFlags(
    program
      .command("map")
      .description("show the definitions that a repository's code uses most, as signatures under a budget")
      .option("--budget <tokens>", "how long it may get, a token being four characters", readBudget, 2000),
  ).action(async (flags: MapFlags) => {
    await withGraph(flags, (session) => show(session, flags));
  });
}

function readBudget(text: string): number {
  const tokens = Number(text);
  if (!Number.isInteger(tokens) || tokens < 1)
    throw new InvalidArgumentError("a number of tokens, at least 1");
  return tokens;
}

function show({ graph, index }: GraphSession, { budget, json }: MapFlags): number {
  const { files, text, tokens } = graph.map({ tokens: budget });
  if (json) {
    const documents = files.map(({ path, score, entities }) => ({
      path,
      score,
      entities: entities.map(entityDocument),
    }));
    printJson({ schema: "millwright.map/1", index, budget, tokens, files: documents });
  } else process.stdout.write(sanitizeForTerminal(text));
  if (files.length === 0) process.stderr.write("no definition fits the budget\n");
  return files.length === 0 ? nothingFound : 0;
}
