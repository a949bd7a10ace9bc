/** Reads the symbols of a text for judges and for what they show. */
import type { FileSymbols } from "../../domain/code-symbols.ts";
import { extractSymbols } from "../../syntax/symbols/extract-symbols.ts";

/**
 * Like `extractSymbols`, but also reads a source with a NUL or long lines, which an index skips. A patch could hide its
 * code behind them, in a folder of any name.
 */
export function symbolsOf(path: string, text: string): Promise<FileSymbols | undefined> {
  return extractSymbols(path, text, { whole: true });
}
