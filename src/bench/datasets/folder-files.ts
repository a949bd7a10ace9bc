/** Reads the folder of a benchmark that describes each task by many small files. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describeReadError, MillwrightError } from "../../base/errors.ts";
import { readRegularFile } from "../../base/regular-file.ts";
import type { PlacedRow, RowProblem } from "../rows.ts";

/**
 * Lists the folders in a folder, sorted by name, and numbered names by their number. Empty for a missing or unreadable
 * folder.
 */
export function listFolders(path: string): string[] {
  try {
    const entries = readdirSync(path, { withFileTypes: true });
    const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
    return names.sort(new Intl.Collator("en", { numeric: true }).compare);
  } catch {
    return [];
  }
}

/** Makes a row from files that `read` reads. Adds an unreadable file to `problems`; then there is no row. */
export function rowOfFiles(place: string, problems: RowProblem[], read: () => unknown): PlacedRow[] {
  try {
    return [{ data: read(), place }];
  } catch (error) {
    if (!(error instanceof MillwrightError)) throw error;
    problems.push({ place, message: error.message });
    return [];
  }
}

/**
 * Reads a file in UTF-8, or in little-endian UTF-16 with a byte order mark; "" if the file is missing. Throws
 * MillwrightError("usage") if it cannot be read.
 */
export function readText(...path: string[]): string {
  const file = join(...path);
  if (!existsSync(file)) return "";
  try {
    const bytes = readRegularFile(file);
    const encoding = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-8";
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (cause) {
    const why = cause instanceof TypeError ? "it is neither UTF-8 nor UTF-16" : describeReadError(cause);
    throw new MillwrightError("usage", `${file} cannot be read: ${why}`, { cause });
  }
}
