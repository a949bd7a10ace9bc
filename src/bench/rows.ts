/**
 * Reads rows of datasets and predictions from JSON Lines or one JSON document. Each row has its place, for messages.
 */
import type { z } from "zod";
import { describeReadError, MillwrightError } from "../base/errors.ts";
import { readGivenFile } from "../base/regular-file.ts";

export interface PlacedRow {
  readonly data: unknown;
  /** `FILE:LINE`, or `FILE[INDEX]` in a list. */
  readonly place: string;
}

/** A row that cannot be read, with the reason. */
export interface RowProblem {
  readonly place: string;
  readonly message: string;
}

export interface Placed<T> {
  readonly value: T;
  readonly place: string;
}

/**
 * Reads rows from a file: the elements of a JSON list, or else each non-blank line as JSON. Adds lines that are not
 * JSON to `problems`. Throws MillwrightError("usage") if the file cannot be read.
 */
export function readRows(path: string, problems: RowProblem[]): PlacedRow[] {
  const text = readTextFile(path);
  if (text.trimStart().startsWith("[")) {
    const whole = parseWhole(text);
    if (Array.isArray(whole)) return whole.map((data: unknown, at) => ({ data, place: `${path}[${at}]` }));
  }
  const rows: PlacedRow[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const place = `${path}:${index + 1}`;
    try {
      const data: unknown = JSON.parse(line);
      rows.push({ data, place });
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      problems.push({ place, message: `is not JSON: ${reason}` });
    }
  }
  return rows;
}

/** Parses a text that is one JSON document as a whole; undefined for other texts. */
export function parseWhole(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Parses a row. Undefined if a field is wrong; adds each wrong field to `problems`. */
export function parseRow<T>(
  schema: z.ZodType<T>,
  { data, place }: PlacedRow,
  problems: RowProblem[],
): T | undefined {
  const parsed = schema.safeParse(data);
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) {
    const field = issue.path.join(".");
    problems.push({ place, message: `${field === "" ? "" : `${field}: `}${issue.message}` });
  }
  return undefined;
}

/**
 * Reads rows, and returns them by id. If an id is repeated, keeps the first row and reports the others in `problems`.
 */
export function readKeyedRows<T extends { readonly id: string }>(
  path: string,
  schema: z.ZodType<T>,
  problems: RowProblem[],
): Map<string, Placed<T>> {
  const found = new Map<string, Placed<T>>();
  for (const row of readRows(path, problems)) {
    const value = parseRow(schema, row, problems);
    if (value === undefined) continue;
    const same = found.get(value.id);
    if (same === undefined) found.set(value.id, { value, place: row.place });
    else problems.push({ place: row.place, message: `the id ${value.id} also occurs at ${same.place}` });
  }
  return found;
}

/** Reads a text file. Throws MillwrightError("usage") if the file cannot be read. */
export function readTextFile(path: string): string {
  try {
    return readGivenFile(path).toString("utf8");
  } catch (cause) {
    throw new MillwrightError("usage", `${path} cannot be read: ${describeReadError(cause)}`, { cause });
  }
}

const mostShown = 20;

/** Renders the first 20 problems, one per line, and the number of the others. */
export function tellProblems(problems: readonly RowProblem[]): string {
  const shown = problems.slice(0, mostShown).map(({ place, message }) => `${place}: ${message}`);
  if (problems.length > shown.length) shown.push(`… and ${problems.length - shown.length} more`);
  return shown.join("\n  ");
}

/** Counts the unreadable rows: several problems may concern one row. */
export function countRows(problems: readonly RowProblem[]): number {
  return new Set(problems.map(({ place }) => place)).size;
}

export function wrongRows(
  path: string,
  problems: readonly RowProblem[],
  hint = "docs/grading.md describes the formats.",
): MillwrightError {
  return new MillwrightError("usage", `${path} cannot be used:\n  ${tellProblems(problems)}`, { hint });
}
