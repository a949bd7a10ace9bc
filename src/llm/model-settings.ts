/** The forms of the settings that only models have: objects in a settings file, one line in a flag or a variable. */
import { z } from "zod";
import { modelRoles } from "./contract.ts";
import type { ListedModel, Price } from "./price.ts";

const rolesSchema = z.partialRecord(z.enum(modelRoles), z.string().min(1));

/** `{"retrieval": "ollama/qwen3"}`, or `retrieval=ollama/qwen3,review=openai/gpt-5.4`. */
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

/** `{"ollama/qwen3": {"input": 1, "cached": 0.1, "output": 4}}`, or `ollama/qwen3=1/0.1/4` (`=1/4` where nothing is cached). */
export const modelPricesSetting = z.union([
  pricesSchema,
  z
    .string()
    .transform((text) =>
      Object.fromEntries(Object.entries(readPairs(text)).map(([name, price]) => [name, readPrice(price)])),
    )
    .pipe(pricesSchema),
]);

/** `a=1,b=2`; names may have any character but a comma. */
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
