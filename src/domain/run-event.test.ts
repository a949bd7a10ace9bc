import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { eventsVersion, runEventSchema } from "./run-event.ts";

const document = readFileSync(join(import.meta.dirname, "..", "..", "docs", "record.md"), "utf8");

/** `name: field, optional?`, sorted. */
function line(name: string, fields: readonly string[]): string {
  return `${name}: ${[...fields].sort().join(", ")}`;
}

test("the documentation has each event with its fields, and none that there is not", () => {
  const schema = runEventSchema.options.map(({ shape }) => {
    const { event, at: _, ...fields } = shape as Record<string, z.ZodType>;
    const names = Object.entries(fields).map(([field, type]) =>
      type instanceof z.ZodOptional ? `${field}?` : field,
    );
    return line((event as z.ZodLiteral<string>).value, names);
  });
  const documented = [...document.matchAll(/^\| `([a-z]+-[a-z]+)` \| .* \|(.*)\|$/gm)].map(
    ([, name = "", fields = ""]) =>
      line(
        name,
        [...fields.matchAll(/`(\w+\??)`/g)].map(([, field = ""]) => field),
      ),
  );
  expect(documented.sort()).toEqual(schema.sort());
  expect(document).toContain(`\`${eventsVersion}\``);
});
