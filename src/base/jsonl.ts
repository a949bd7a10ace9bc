import { closeSync, fstatSync, fsyncSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs";
import { isSystemError } from "./errors.ts";
import { largestText, readRegularFile } from "./regular-file.ts";

export interface JsonlWriter {
  /**
   * Appends one record as one line, and returns once the line is on disk. With `isLoose`, returns earlier: the record
   * then survives a crash of this process. After the next append without `isLoose`, it also survives a power failure.
   * Throws the system's error (ENOSPC …).
   */
  append(record: unknown, isLoose?: boolean): void;
  close(): void;
}

/**
 * Opens a JSON Lines file for appending. Only the owner can read a new file. First removes an incomplete last line,
 * which an earlier crash left. The writer writes each record with one call, and syncs it unless `isLoose` is set. A
 * crash of this process therefore loses at most the record that it is writing.
 */
export function openJsonlWriter(path: string): JsonlWriter {
  const file = openSync(path, "a+", 0o600);
  dropTornLine(file);
  return {
    append(record, isLoose = false) {
      writeSync(file, `${JSON.stringify(record)}\n`);
      if (!isLoose) fsyncSync(file);
    },
    close() {
      closeSync(file);
    },
  };
}

function dropTornLine(file: number): void {
  const { size } = fstatSync(file);
  const block = Buffer.alloc(64 * 1024);
  let end = size;
  while (end > 0) {
    const start = Math.max(0, end - block.length);
    const length = readSync(file, block, 0, end - start, start);
    const newline = block.subarray(0, length).lastIndexOf(0x0a);
    if (newline !== -1) {
      if (start + newline + 1 !== size) ftruncateSync(file, start + newline + 1);
      return;
    }
    end = start;
  }
  if (size > 0) ftruncateSync(file, 0);
}

/**
 * Reads the records of a JSON Lines file in order. Ignores an incomplete last line. Returns no records for a missing
 * file. Throws SyntaxError if a complete line is not JSON.
 */
export async function readJsonl(path: string): Promise<unknown[]> {
  let text: string;
  try {
    text = readRegularFile(path, largestText).toString("utf8");
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return [];
    throw error;
  }
  const lines = text.split("\n");
  lines.pop(); // empty after a whole last line, else torn
  return lines.filter((line) => line !== "").map((line): unknown => JSON.parse(line));
}
