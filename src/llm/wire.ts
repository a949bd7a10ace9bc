import { z } from "zod";
import type { ModelRequest } from "./contract.ts";
import type { JsonSchema, WireRequest } from "./provider.ts";

/** Enough for a long edit; what a call may cost is held against the budget before it is made, so it is no larger than that. */
const usualOutputTokens = 16_384;

/** The request as JSON, with what is left out filled in. */
export function toWire<T>(request: ModelRequest<T>): WireRequest {
  const { role, system, messages, tools = [], toolChoice = "auto", output, settings } = request;
  return {
    role,
    system,
    messages,
    tools: tools.map(({ name, description, input }) => ({ name, description, input: schemaOf(input) })),
    toolChoice,
    ...(output === undefined ? {} : { output: { name: output.name, schema: schemaOf(output.schema) } }),
    settings: { temperature: 0, maxOutputTokens: usualOutputTokens, sample: 0, ...settings },
  };
}

/** What every integer is bound by says nothing, and is paid for in each request. */
function dropUsualBounds({ jsonSchema }: { jsonSchema: { minimum?: number; maximum?: number } }): void {
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
}

function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "input", override: dropUsualBounds });
  return json;
}
