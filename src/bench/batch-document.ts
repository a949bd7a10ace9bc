/** Reads the `report.json` of a batch, which `bench run` writes, for reports and comparisons. */

import { existsSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { z } from "zod";
import { describeReadError, MillwrightError } from "../base/errors.ts";
import { parseJson } from "../base/parse-json.ts";
import { readGivenFile } from "../base/regular-file.ts";
import { outcomeSchema, statedUsageSchema } from "../domain/solve-report.ts";
import { extraVerdictSchema } from "./protocols/contract.ts";
import { editSizeSchema, taskFactsSchema } from "./task-facts.ts";
import { hashRecord } from "./work/record-hash.ts";
import { type Replayed, replayedFileSchema, replayedSchema } from "./work/replayed.ts";
import { runWorkSchema } from "./work/run-work.ts";

const armSchema = z.object({ strategy: z.string(), model: z.string().nullable() });

const gradeOutcomeSchema = z.enum(["resolved", "unresolved", "agent-error", "infrastructure-error"]);

const trySchema = armSchema.extend({
  id: z.string(),
  attempt: z.int().positive(),
  outcome: gradeOutcomeSchema,
  /** Outcomes by the benchmark's further rules; absent in older documents and if nothing was graded. */
  otherRules: z.array(z.object({ rule: z.string(), outcome: gradeOutcomeSchema })).optional(),
  /** Partial scores from 0 to 1, by name. */
  measures: z.record(z.string(), z.number()).optional(),
  /** The result of the task's extra tests, if the task has them and the attempt resolves it. */
  extra: extraVerdictSchema.optional(),
  reason: z.string(),
  verdict: outcomeSchema.nullable(),
  /** The number of lines, hunks and files that the attempt's patch edits; absent in older documents. */
  edited: editSizeSchema.optional(),
  run: z.string(),
  /** The name of the try's worker; absent in older documents and without a queue. */
  worker: z.string().optional(),
  /** Absent in older documents, and if the attempt has no record. */
  work: runWorkSchema.optional(),
  /** The replayed reproduction, from the file of `bench replay-reproductions` beside the batch's report. */
  replayed: replayedSchema.optional(),
  agentSeconds: z.number(),
  gradingSeconds: z.number(),
  usage: statedUsageSchema,
});

const batchSchema = z.object({
  schema: z.literal("millwright.bench-run/1"),
  version: z.string(),
  tasks: z.object({
    ...{ file: z.string(), sha256: z.string(), count: z.int() },
    /** Facts about the tasks; absent in older documents. */
    facts: z.array(taskFactsSchema).optional(),
  }),
  rules: z.array(z.string()),
  sandbox: z.string(),
  /** The arms. `settings`: as given, in the form of a settings file; absent in older and imported documents. */
  arms: z.array(armSchema.extend({ settings: z.record(z.string(), z.unknown()).optional() })),
  /** Flags that all arms share, as text; absent in older and imported documents. */
  settings: z.record(z.string(), z.string()).optional(),
  /** Disabled features of all arms, in words; absent if there are none. */
  off: z.array(z.string()).optional(),
  /** The folder of the attempts' runs; absent in older documents. */
  runs: z.string().optional(),
  /**
   * Set if the batch ended early, because the sequential test had decided between the arms; see `sequential-test.ts`.
   */
  stopped: z
    .object({ tasks: z.int(), evidence: z.number(), error: z.number(), better: armSchema })
    .optional(),
  /** Set if somebody cancelled the batch. Its tries are then only a part of the planned tries. */
  cancelled: z
    .object({ planned: z.int(), missing: z.array(armSchema.extend({ tries: z.int() })) })
    .optional(),
  tries: z.array(trySchema),
});

export type BatchArm = z.infer<typeof armSchema>;
export type BatchTry = z.infer<typeof trySchema>;
export type BatchDocument = z.infer<typeof batchSchema>;

/**
 * Reads a batch's report. `path`: the report, or the folder with its `report.json`. Throws MillwrightError("usage") if
 * the report is missing or invalid, or if the replayed reproductions beside it are invalid.
 */
export function readBatch(path: string): BatchDocument {
  const file =
    statSync(path, { throwIfNoEntry: false })?.isDirectory() === true ? join(path, "report.json") : path;
  const hint =
    "Give the folder or the report.json of a batch; the last line of `bench run` names the report.";
  if (!existsSync(file)) throw new MillwrightError("usage", `There is no ${file}`, { hint });
  const parsed = batchSchema.safeParse(parseJson(readText(file)));
  if (parsed.success) return withReplayed(parsed.data, dirname(file));
  const [wrong] = parsed.error.issues;
  const why = wrong === undefined ? "" : ` (${[...wrong.path, wrong.message].join(": ")})`;
  throw new MillwrightError("usage", `${file} is not a batch report${why}`, { hint });
}

/** The file of the replayed reproductions in a batch's folder. */
export const replayedFile = "reproductions.json";

/**
 * Adds the replayed reproductions in the batch's folder, except those of records that a later run replaced. Throws
 * MillwrightError("usage") like `readBatch`.
 */
function withReplayed(batch: BatchDocument, folder: string): BatchDocument {
  const file = join(folder, replayedFile);
  if (!existsSync(file)) return batch;
  const parsed = replayedFileSchema.safeParse(parseJson(readText(file)));
  if (!parsed.success) throw new MillwrightError("usage", `${file} is not a file of replayed reproductions`);
  const isCurrent = ({ run, record }: Replayed): boolean => {
    const now = batch.runs === undefined ? undefined : hashRecord(join(batch.runs, run));
    return now === undefined || now === record;
  };
  const known = new Map(parsed.data.rows.filter(isCurrent).map((row) => [row.run, row]));
  const tries = batch.tries.map((each) => {
    const replayed = known.get(each.run);
    return replayed === undefined ? each : { ...each, replayed };
  });
  return { ...batch, tries };
}

function readText(file: string): string {
  try {
    return readGivenFile(file).toString("utf8");
  } catch (cause) {
    throw new MillwrightError("usage", `${file} cannot be read: ${describeReadError(cause)}`, { cause });
  }
}
