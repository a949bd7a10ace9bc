import type { Dialect } from "../dialect.ts";
import { javascript } from "./javascript.ts";
import { python } from "./python.ts";
import { typescript } from "./typescript.ts";

export const dialects: readonly Dialect[] = [python, javascript, typescript];

/** The dialect of a language by the name of its record, or undefined where templates know nothing of it. */
export function dialectOf(language: string): Dialect | undefined {
  return dialects.find((dialect) => dialect.language === language);
}
