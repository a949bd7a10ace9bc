import type { Dialect } from "../dialect.ts";
import { dialects } from "./index.generated.ts";

/** Returns the dialect of a language, by the name of its record; undefined if templates do not support the language. */
export function dialectOf(language: string): Dialect | undefined {
  return dialects.find((dialect) => dialect.language === language);
}
