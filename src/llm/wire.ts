import { z } from "zod";
import type { Decoding, ModelRequest } from "./contract.ts";
import type { JsonSchema, WireRequest } from "./provider.ts";

/**
 * Usual maximum of output tokens, enough for a long edit. The budget reserves this number before each call, so it is
 * not larger than needed.
 */
const usualOutputTokens = 16_384;

/**
 * Returns the request as JSON. Fills in defaults: first the user's settings for the role, then the usual values. Of two
 * limits of output tokens, the smaller one counts.
 */
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

/** Returns the smaller of the output limits that the caller and the user set. */
function shorterOutput(...all: readonly (Decoding | undefined)[]): Pick<Decoding, "maxOutputTokens"> {
  const said = all.flatMap((each) => each?.maxOutputTokens ?? []);
  return said.length === 0 ? {} : { maxOutputTokens: Math.min(...said) };
}

interface Bounds {
  minimum?: number;
  maximum?: number;
  minLength?: number;
  default?: unknown;
}

/**
 * Removes bounds and empty defaults from a schema: each request pays for them, and they help little. Millwright checks
 * the bounds on the answer, and reports a violation.
 */
function dropBounds({ jsonSchema }: { jsonSchema: Bounds }): void {
  delete jsonSchema.minimum;
  delete jsonSchema.maximum;
  delete jsonSchema.minLength;
  if (isEmpty(jsonSchema.default)) delete jsonSchema.default;
}

function isEmpty(value: unknown): boolean {
  return value === "" || value === false || (Array.isArray(value) && value.length === 0);
}

function schemaOf(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: "input", override: dropBounds });
  return json;
}
