/** Reads the symbols of a text, for judges and for the texts that they show. */
import type { FileSymbols } from "../../domain/code-symbols.ts";
import { extractSymbols } from "../../syntax/symbols/extract-symbols.ts";

/**
 * Like `extractSymbols`, but also reads sources with NUL characters or long lines, which an index skips. Otherwise a
 * patch could hide code in such sources. Undefined for an unknown language.
 */
export function symbolsOf(path: string, text: string): Promise<FileSymbols | undefined> {
  return extractSymbols(path, text, { whole: true });
}
