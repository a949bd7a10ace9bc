import { z } from "zod";
import { fail, succeed } from "../base/result.ts";
import { defineCodeTool } from "./contract.ts";
import { locationLines, placeInput, roughPosition, sourceDocument, sourceLine } from "./place.ts";

export default defineCodeTool({
  name: "definition",
  title: "Go to the definition",
  description:
    "Finds the definition of the identifier at a place, also in the standard library and in dependencies.",
  input: z.object(placeInput),
  effect: "reads",
  async run(context, input) {
    const servers = await context.servers();
    const asked = await servers.definition(roughPosition(context.repository, input), {
      signal: context.signal,
    });
    if (!asked.ok) return fail("not-found", asked.message);
    const { value } = asked;
    return succeed({
      data: { ...sourceDocument(value), locations: value.value },
      text: [...value.value.flatMap(locationLines), sourceLine(value)].join("\n"),
    });
  },
});
