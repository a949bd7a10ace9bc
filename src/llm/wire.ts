import { z } from "zod";
import type { Decoding, ModelRequest } from "./contract.ts";
import type { JsonSchema, WireRequest } from "./provider.ts";

/** Enough for a long edit; what a call may cost is held against the budget before it is made, so it is no larger than that. */
const usualOutputTokens = 16_384;

/** The request as JSON, with what is left out filled in: by what the user says of the role's answers, and else as usual. */
export function toWire<T>(request: ModelRequest<T>, decoding: Decoding = {}): WireRequest {
  const { role, system, messages, tools = [], toolChoice = "auto", output, settings } = request;
  return {
    role,
    system,
    messages,
    tools: tools.map(({ name, description, input }) => ({ name, description, input: schemaOf(input) })),
    toolChoice,
    ...(output === undefined ? {} : { output: { name: output.name, schema: schemaOf(output.schema) } }),
    settings: {
      ...{ temperature: 0, maxOutputTokens: usualOutputTokens, sample: 0, ...decoding, ...settings },
      ...shorterOutput(decoding, settings),
    },
  };
}

/** Who asks for a short answer means it, and so does a user who allows no longer one. */
function shorterOutput(...all: readonly (Decoding | undefined)[]): Pick<Decoding, "maxOutputTokens"> {
  const said = all.flatMap((each) => each?.maxOutputTokens ?? []);
  return said.length === 0 ? {} : { maxOutputTokens: Math.min(...said) };
}

interface Bounds {
  minimum?: number;
  maximum?: number;
  minLength?: number;
}

/** Bounds are checked where the answer comes, and what breaks one is told: in each request they are paid for and say little. */
function dropBounds({ jsonSchema }: { jsonSchema: Bounds }): void {
  delete jsonSchema.minimum;
  delete jsonSchema.maximum;
  delete jsonSchema.minLength;
}

function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "input", override: dropBounds });
  return json;
}
