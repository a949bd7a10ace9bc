import type { Outline } from "../outline.ts";
import { outlines } from "./index.generated.ts";

const all: readonly Outline[] = outlines;

/**
 * The outline of a language, by the name of its record; the first one if several extensions have their own outline.
 * Undefined for an unknown language.
 */
export function outlineOf(language: string): Outline | undefined {
  return all.find((outline) => outline.language === language);
}
