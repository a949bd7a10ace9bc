/** Issue texts from the user, by number. */
import { z } from "zod";
import { parseRow, type RowProblem, readRows, wrongRows } from "../bench/rows.ts";

export const issueSchema = z.object({
  number: z.int().positive(),
  title: z.string(),
  body: z
    .string()
    .nullish()
    .transform((body) => body ?? ""),
  /** The date in ISO 8601, if known. */
  created_at: z.string().optional(),
  /** The number of comments, as forges give it, or a list of comments. */
  comments: z
    .union([z.int().nonnegative(), z.array(z.unknown()).transform((list) => list.length)])
    .optional(),
});
export type Issue = z.infer<typeof issueSchema>;
export type Issues = ReadonlyMap<number, Issue>;

/**
 * Reads issues from the user's file, and returns them by number; empty if `path` is undefined. Throws
 * MillwrightError("usage") if a row is invalid.
 */
export function readIssues(path: string | undefined): Issues {
  if (path === undefined) return new Map();
  const problems: RowProblem[] = [];
  const issues = readRows(path, problems).flatMap((row) => parseRow(issueSchema, row, problems) ?? []);
  if (problems.length > 0) throw wrongRows(path, problems);
  return new Map(issues.map((issue) => [issue.number, issue]));
}
