/** Stores the settings, candidates and reports of a dataset, from which rechecks and refreshes start. */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../../base/atomic-file.ts";
import { MillwrightError } from "../../base/errors.ts";
import { parseJson } from "../../base/parse-json.ts";
import { commitSchema } from "../../bench/task.ts";
import { changeSchema, reviewSchema, splitSchema, validationSchema } from "../contract.ts";
import { issueSchema } from "../issues.ts";
import type { MineSettings } from "../settings.ts";
import { stepReportSchema } from "../step-report.ts";

const settingsSchema = z.object({
  repository: z.string(),
  mostFiles: z.int(),
  mostLines: z.int(),
  linkedOnly: z.boolean(),
  given: z.object({ setup: z.string().optional(), testCommand: z.string().optional() }),
  suiteLimitMs: z.number(),
  sampleSize: z.int(),
  seed: z.int(),
  splitDate: z.string().optional(),
  cutoffs: z.array(z.object({ model: z.string(), date: z.string() })).default([]),
  issues: z.array(issueSchema),
  forge: z.object({ host: z.string(), url: z.string() }).optional(),
});

const publishedSchema = z.object({
  schema: z.literal("millwright.mine-published/1"),
  /** The newest commit that Millwright read. */
  head: commitSchema,
  settings: settingsSchema,
  candidates: z.array(
    z.object({
      change: changeSchema,
      split: splitSchema,
      validation: validationSchema,
      review: reviewSchema,
    }),
  ),
  /** Changes that ended in an infrastructure error. */
  unfinished: z.array(changeSchema).default([]),
  reports: z.array(stepReportSchema),
});
export type Published = z.infer<typeof publishedSchema>;

const fileName = "published.json";

export async function writePublished(
  folder: string,
  settings: MineSettings,
  rest: Pick<Published, "head" | "candidates" | "unfinished" | "reports">,
): Promise<void> {
  const { splitDate, issues, ...plain } = settings;
  const published: Published = {
    schema: "millwright.mine-published/1",
    ...rest,
    settings: settingsSchema.parse({ ...plain, splitDate, issues: [...issues.values()] }),
  };
  await writeFileAtomically(join(folder, fileName), `${JSON.stringify(published)}\n`, 0o666);
}

export function hasPublished(folder: string): boolean {
  return existsSync(join(folder, fileName));
}

/** Reads a published dataset. Throws MillwrightError("usage") if the folder has no dataset, or a damaged one. */
export async function readPublished(folder: string): Promise<Published> {
  const path = join(folder, fileName);
  const parsed = hasPublished(folder)
    ? publishedSchema.safeParse(parseJson(await readFile(path, "utf8")))
    : undefined;
  if (parsed?.success === true) return parsed.data;
  const reason = parsed === undefined ? "does not exist" : "is damaged";
  throw new MillwrightError("usage", `${path} ${reason}`, {
    hint: "Publish the dataset: millwright bench mine CLONE --out DIR",
  });
}

/**
 * Combines the dataset's settings with this command's settings, which describe the clone. The dataset's settings take
 * precedence, with two exceptions. New issues are added to the dataset's issues. A new host or new cut-off dates
 * replace the dataset's.
 */
export function settingsOf({ settings }: Published, now: MineSettings): MineSettings {
  const { issues, splitDate, given, cutoffs, forge, ...rest } = settings;
  return {
    ...now,
    ...rest,
    splitDate,
    forge: now.forge ?? forge,
    cutoffs: now.cutoffs.length > 0 ? now.cutoffs : cutoffs,
    given: {
      ...(given.setup === undefined ? {} : { setup: given.setup }),
      ...(given.testCommand === undefined ? {} : { testCommand: given.testCommand }),
    },
    issues: new Map([...issues.map((issue) => [issue.number, issue] as const), ...now.issues]),
  };
}
