/**
 * Reads the tasks of the retrieval benchmark with their right answers: the files, lines and functions that the gold
 * patch changes.
 */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { fileKindOf } from "../src/graph/forms/file-kind.ts";
import { isCandidate } from "../src/graph/retrieval/search-index.ts";

const lineSchema = z.object({
  instance_id: z.string().min(1),
  repo: z.string().min(1),
  base_commit: z.string().regex(/^[0-9a-f]{40,64}$/),
  patch: z.string(),
  problem_statement: z.string().min(1),
  language: z.string().default(""),
  split: z.string().default(""),
});
export type RetrievalTask = z.infer<typeof lineSchema>;

/** Lines that are no such task (no git history, no statement) are counted, not measured. */
export function readRetrievalTasks(path: string): {
  readonly tasks: RetrievalTask[];
  readonly unusable: number;
} {
  const lines = readFileSync(path, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const tasks = lines.flatMap((line) => lineSchema.safeParse(JSON.parse(line)).data ?? []);
  return { tasks, unusable: lines.length - tasks.length };
}

/** Path in the base → lines of the base that the patch takes away or inserts beside. */
export type Gold = ReadonlyMap<string, ReadonlySet<number>>;

/** Tests, documents, change logs and generated files do not count, nor do files that the patch makes. */
export function goldOf(patch: string): Gold {
  const gold = new Map<string, Set<number>>();
  for (const part of patch.split(/^(?=diff --git )/m)) {
    const path = /^--- a\/(.+?)\t?$/m.exec(part)?.[1] ?? /^rename from (.+)$/m.exec(part)?.[1];
    if (path === undefined || !isCandidate(fileKindOf(path))) continue;
    gold.set(path, touchedLines(part));
  }
  return gold;
}

function touchedLines(part: string): Set<number> {
  const lines = new Set<number>();
  let line = 0;
  let before = "";
  for (const text of part.split("\n")) {
    const start = /^@@ -(\d+)(?:,(\d+))? /.exec(text);
    // `-12,0` inserts after line 12
    if (start !== null) line = Number(start[1]) + (start[2] === "0" ? 1 : 0);
    else if (line > 0 && text.startsWith("-")) lines.add(line++);
    else if (line > 0 && text.startsWith("+") && !/^[-+]/.test(before)) lines.add(Math.max(1, line - 1));
    else if (line > 0 && text.startsWith(" ")) line++;
    before = text;
  }
  return lines;
}
