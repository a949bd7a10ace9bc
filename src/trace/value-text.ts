/** Writes a recorded value in the notation of its language. */
import type { Language } from "../languages/contract.ts";
import { languageOf } from "../languages/source-files.ts";
import type { TracedValue } from "./trace-lines.ts";

/** Writes a value on one line, in the notation of `path`'s language. */
export function textOfValue(value: TracedValue, path: string): string {
  if ("t" in value) return value.t;
  return onOneLine("j" in value ? writeJson(value.j, languageOf(path)?.constants ?? {}) : value.d);
}

export function onOneLine(text: string): string {
  return text.replaceAll(/\s*\n\s*/g, " ");
}

function writeJson(data: unknown, constants: NonNullable<Language["constants"]>): string {
  const write = (each: unknown): string => writeJson(each, constants);
  if (Array.isArray(data)) return `[${data.map(write).join(",")}]`;
  if (data !== null && typeof data === "object")
    return `{${Object.entries(data)
      .map(([key, each]) => `${JSON.stringify(key)}:${write(each)}`)
      .join(",")}}`;
  const text = JSON.stringify(data);
  return text === "null" || text === "true" || text === "false" ? (constants[text] ?? text) : text;
}
