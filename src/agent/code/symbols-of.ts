/** Reads the symbols of a text for judges and for what they show. */
import type { FileSymbols } from "../../domain/code-symbols.ts";
import { isOwnSource } from "../../languages/source-files.ts";
import { extractSymbols } from "../../syntax/symbols/extract-symbols.ts";

/**
 * Like `extractSymbols`, but also reads a source of the repository with a NUL or long lines, which an index skips. A
 * patch could hide its code behind them. Files that only machines write stay skipped.
 */
export function symbolsOf(path: string, text: string): Promise<FileSymbols | undefined> {
  return extractSymbols(path, text, { whole: isOwnSource(path) });
}
