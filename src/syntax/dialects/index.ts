import type { Dialect } from "../dialect.ts";
import { dialects } from "./index.generated.ts";

/** The dialect for the name of a language's record, or undefined if templates do not support it. */
export function dialectOf(language: string): Dialect | undefined {
  return dialects.find((dialect) => dialect.language === language);
}
