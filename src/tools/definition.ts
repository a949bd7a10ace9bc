import { z } from "zod";
import { fail, type Result, succeed } from "../base/result.ts";
import { entityDocument, entityLine } from "../graph/describe-entity.ts";
import { type CodeContext, defineCodeTool, type ToolAnswer, type ToolFailureKind } from "./contract.ts";
import { locationLine, type PlaceInput, placeInput, roughPosition, sourceLine } from "./place.ts";

export default defineCodeTool({
  name: "definition",
  title: "Go to the definition",
  description:
    "Where the identifier at a place is defined, also in the standard library and in dependencies. Asks the language server; where there is none, the code graph answers and says so.",
  input: z.object(placeInput),
  effect: "reads",
  async run(context, input) {
    const servers = await context.servers();
    const asked = servers.ok
      ? await servers.value.definition(roughPosition(input), { signal: context.signal })
      : servers;
    if (!asked.ok) return askGraph(context, input, asked.message);
    return succeed({
      data: { by: asked.value.by, locations: asked.value.value },
      text: [...asked.value.value.map(locationLine), sourceLine(asked.value)].join("\n"),
    });
  },
});

/** Definitions of that name. */
async function askGraph(
  context: CodeContext,
  { path, line, name: written }: PlaceInput,
  because: string,
): Promise<Result<ToolAnswer, ToolFailureKind>> {
  const graph = await context.graph();
  const name = written ?? (line === undefined ? undefined : graph.entityAt(path, line)?.name);
  const found = name === undefined ? [] : graph.named(name, 20);
  if (found.length === 0) return fail("not-found", `${because} The code graph knows no definition either.`);
  return succeed({
    data: { by: "code graph", because, entities: found.map(entityDocument) },
    text: [...found.map(entityLine), `(code graph, by name; ${because})`].join("\n"),
  });
}
