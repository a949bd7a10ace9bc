import type { Outline } from "../outline.ts";
import { outlines } from "./index.generated.ts";

const all: readonly Outline[] = outlines;

/**
 * Returns the outline of a language, by the name in the outline's record. If several of the language's file extensions
 * have their own outline, returns the first one. Undefined for an unknown language.
 */
export function outlineOf(language: string): Outline | undefined {
  return all.find((outline) => outline.language === language);
}
