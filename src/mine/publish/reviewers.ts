/** Draws the tasks for human reviewers, and computes the share of bad tasks from their verdicts. */
import { existsSync } from "node:fs";
import { z } from "zod";
import { parseRow, type RowProblem, readRows, wrongRows } from "../../bench/rows.ts";
import { cohenKappa, type Interval, wilsonInterval } from "../../bench/statistics.ts";
import { taskIdSchema } from "../../bench/task.ts";

const judgementSchema = z.object({
  id: taskIdSchema,
  reviewer: z.string(),
  verdict: z.enum(["good", "bad"]),
  reason: z.string().default(""),
});
export type Judgement = z.infer<typeof judgementSchema>;

export interface ReviewedSample {
  readonly ids: readonly string[];
  /** Tasks of the sample that a person judged. */
  readonly reviewed: number;
  readonly bad: number;
  /** 95 % interval of the share of bad tasks. */
  readonly interval: Interval;
  /** Cohen's kappa of the first two reviewers by name, over the tasks that both judged; absent if it is undefined. */
  readonly kappa?: number;
}

/** Reads the reviewers' judgements; empty without a file. Throws MillwrightError("usage") if a row is invalid. */
export function readJudgements(path: string): Judgement[] {
  if (!existsSync(path)) return [];
  const problems: RowProblem[] = [];
  const found = readRows(path, problems).flatMap((row) => parseRow(judgementSchema, row, problems) ?? []);
  if (problems.length > 0) throw wrongRows(path, problems);
  return found;
}

/** Counts the bad tasks of a reviewed sample. A task is bad if at least one reviewer calls it bad. */
export function judgeSample(ids: readonly string[], judgements: readonly Judgement[]): ReviewedSample {
  const wanted = new Set(ids);
  const byTask = Map.groupBy(
    judgements.filter(({ id }) => wanted.has(id)),
    ({ id }) => id,
  );
  const bad = [...byTask.values()].filter((own) => own.some(({ verdict }) => verdict === "bad")).length;
  const kappa = agreementOf([...byTask.values()]);
  return {
    ids,
    reviewed: byTask.size,
    bad,
    interval: wilsonInterval(bad, byTask.size),
    ...(kappa === undefined ? {} : { kappa }),
  };
}

function agreementOf(tasks: readonly (readonly Judgement[])[]): number | undefined {
  const [first, second] = [...new Set(tasks.flat().map(({ reviewer }) => reviewer))].sort();
  const isBad = (own: readonly Judgement[], name: string | undefined): boolean | undefined => {
    const found = own.findLast(({ reviewer }) => reviewer === name);
    return found === undefined ? undefined : found.verdict === "bad";
  };
  const pairs = tasks.flatMap((own) => {
    const [a, b] = [isBad(own, first), isBad(own, second)];
    return second === undefined || a === undefined || b === undefined ? [] : [[a, b] as const];
  });
  return cohenKappa(pairs);
}
