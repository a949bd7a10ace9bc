/**
 * Computes the properties of tasks by which reports group the results. They contain the size of the known fix, but none
 * of its content.
 */
import { z } from "zod";
import { taskKindSchema } from "../domain/task.ts";
import { languageOf } from "../languages/source-files.ts";
import type { GradedTask } from "./graded-task.ts";
import type { Discussion } from "./task.ts";
import { filesOf, type PatchFile } from "./trajectories/patch-files.ts";

export const editSizeSchema = z.object({
  files: z.int(),
  hunks: z.int(),
  /** Number of added and removed lines. */
  lines: z.int(),
});
export type EditSize = z.infer<typeof editSizeSchema>;

export const taskFactsSchema = z.object({
  id: z.string(),
  kind: taskKindSchema,
  /** The dataset's name; absent in older documents. */
  dataset: z.string().optional(),
  /** The types of the issue, if the row has them. */
  issueTypes: z.array(z.string()).optional(),
  repository: z.string(),
  /** The language of most edited lines; null if none is known, or the task has no known fix. */
  language: z.string().nullable(),
  /** The known fix; null if the task has none. */
  fix: editSizeSchema.nullable(),
  /** Days from the opening of the issue to the merge of the known fix, if known. */
  days: z.number().nonnegative().optional(),
  /** Comments on the issue, if known. */
  comments: z.int().nonnegative().optional(),
  /** Set if the task has extra tests, which reveal overfitted patches. */
  hasExtraTests: z.literal(true).optional(),
});
export type TaskFacts = z.infer<typeof taskFactsSchema>;

export function factsOf({ task, dataset, hidden }: GradedTask): TaskFacts {
  const { goldPatch, discussion, extra, issueTypes } = hidden;
  const { id, kind, repository } = task;
  const fix = goldPatch.trim() === "" ? null : sizeOfPatch(goldPatch);
  const { comments } = discussion ?? {};
  return {
    ...{ id, kind, dataset, repository, language: languageOfPatch(goldPatch), fix },
    ...(discussion === undefined ? {} : { days: daysOf(discussion) }),
    ...(comments === undefined ? {} : { comments }),
    ...(issueTypes === undefined ? {} : { issueTypes: [...issueTypes] }),
    ...(extra === undefined ? {} : { hasExtraTests: true }),
  };
}

/** Returns the days from the opening of the issue to the merge of the fix; 0 for an earlier merge. */
export function daysOf({ opened, merged }: Discussion): number {
  return Math.max(0, (Date.parse(merged) - Date.parse(opened)) / (24 * 3600 * 1000));
}

/**
 * Counts the edited files, hunks and lines of a patch. `patch`: a unified diff in git's format. `isCounted`: selects
 * files by path; default: every file.
 */
export function sizeOfPatch(patch: string, isCounted: (path: string) => boolean = () => true): EditSize {
  const files = filesOf(patch).filter(({ path }) => isCounted(path));
  const sum = (of: (file: PatchFile) => number): number => files.reduce((all, file) => all + of(file), 0);
  return {
    files: files.length,
    hunks: sum(({ hunks }) => hunks),
    lines: sum(({ added, removed }) => added + removed),
  };
}

function languageOfPatch(patch: string): string | null {
  const lines = new Map<string, number>();
  for (const { path, added, removed } of filesOf(patch)) {
    const name = languageOf(path)?.name;
    if (name !== undefined) lines.set(name, (lines.get(name) ?? 0) + added + removed);
  }
  return [...lines].sort(([, a], [, b]) => b - a)[0]?.[0] ?? null;
}
