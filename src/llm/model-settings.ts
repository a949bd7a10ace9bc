/** Schemas of settings for models: objects in a settings file, one line in a flag or a variable. */

import { z } from "zod";
import { recordOf } from "../base/keys.ts";
import { leastOutput } from "./budget.ts";
import { type Decoding, type ModelRole, modelRoles, reasoningEfforts } from "./contract.ts";
import type { ListedModel, Price } from "./price.ts";

const rolesSchema = z.partialRecord(z.enum(modelRoles), z.string().min(1));

/** Models by role: `{"retrieval": "ollama/qwen3"}`, or `retrieval=ollama/qwen3,review=openai/gpt-5.4`. */
export const modelRolesSetting = z.union([rolesSchema, z.string().transform(readPairs).pipe(rolesSchema)]);

const dollars = z.coerce.number<number | string | undefined>().nonnegative();
const priceSchema = z
  .strictObject({
    input: dollars,
    cached: dollars.optional(),
    written: dollars.optional(),
    output: dollars,
    context: z.coerce.number<number | string>().int().positive().optional(),
  })
  .transform(({ input, output, cached = input, written = input, context }): Price & Partial<ListedModel> => ({
    input,
    cached,
    written,
    output,
    ...(context === undefined ? {} : { context }),
  }));
const pricesSchema = z.record(z.string(), priceSchema);

/**
 * Prices by model: `{"ollama/qwen3": {"input": 1, "cached": 0.1, "output": 4}}`, or `ollama/qwen3=1/0.1/4`. The form
 * `=1/4` is for models without a separate price for cached input.
 */
export const modelPricesSetting = z.union([
  pricesSchema,
  z
    .string()
    .transform((text) =>
      Object.fromEntries(Object.entries(readPairs(text)).map(([name, price]) => [name, readPrice(price)])),
    )
    .pipe(pricesSchema),
]);

const ofRoles = z.enum(["all", ...modelRoles]);

/**
 * Makes a schema for one value for all roles, or values for some roles: `0.2`, `0.2,editing=0.7`,
 * `{"all": 0.2, "editing": 0.7}`.
 */
function byRole<T extends z.ZodType>(value: T) {
  const schema = z.partialRecord(ofRoles, value);
  return z.union([
    schema,
    z.union([z.number(), z.string()]).transform(readByRole).pipe(z.any().pipe(schema)),
  ]);
}

function readByRole(given: number | string): object {
  if (typeof given === "number") return { all: given };
  const pairs = Object.entries(readPairs(given));
  return Object.fromEntries(pairs.map(([name, own]) => (own === "" ? ["all", name] : [name, own])));
}

const coerced = z.coerce.number<number | string>();
export const temperatureSetting = byRole(coerced.min(0).max(2));
export const reasoningSetting = byRole(z.enum(reasoningEfforts));
export const maxOutputTokensSetting = byRole(coerced.int().min(leastOutput));

type ByRole<T> = Readonly<Partial<Record<z.infer<typeof ofRoles>, T>>>;

export interface DecodingSettings {
  readonly temperature?: ByRole<number> | undefined;
  readonly reasoning?: ByRole<(typeof reasoningEfforts)[number]> | undefined;
  readonly maxOutputTokens?: ByRole<number> | undefined;
}

/** Returns the decoding settings for each role. */
export function decodingOf(settings: DecodingSettings): Record<ModelRole, Decoding> {
  return recordOf(modelRoles, (role) => {
    const temperature = valueFor(role, settings.temperature);
    const reasoning = valueFor(role, settings.reasoning);
    const maxOutputTokens = valueFor(role, settings.maxOutputTokens);
    return {
      ...(temperature === undefined ? {} : { temperature }),
      ...(reasoning === undefined ? {} : { reasoning }),
      ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }),
    };
  });
}

function valueFor<T>(role: ModelRole, values: ByRole<T> | undefined): T | undefined {
  return values?.[role] ?? values?.all;
}

/** Reads pairs such as `a=1,b=2`. Names may have any character but a comma. */
function readPairs(text: string): Record<string, string> {
  return Object.fromEntries(
    text
      .split(",")
      .map((pair) => pair.trim())
      .filter((pair) => pair !== "")
      .map((pair) => {
        const at = pair.lastIndexOf("=");
        return at === -1 ? [pair, ""] : [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
      }),
  );
}

function readPrice(text: string): z.input<typeof priceSchema> {
  const parts = text.split("/");
  const [input, cached, output] = parts.length === 2 ? [parts[0], parts[0], parts[1]] : parts;
  return { input, cached, written: input, output };
}
