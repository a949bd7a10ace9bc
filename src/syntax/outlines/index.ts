import type { Outline } from "../outline.ts";
import { outlines } from "./index.generated.ts";

const all: readonly Outline[] = outlines;

/** The outline of a language by the name of its record; the first, where several extensions have one each. */
export function outlineOf(language: string): Outline | undefined {
  return all.find((outline) => outline.language === language);
}
