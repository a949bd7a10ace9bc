/**
 * Stores the measurement of each patch next to the results. The key covers task, environment and patch, but not the
 * rules and Millwright's version: a later version can judge the same measurement.
 */
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import { z } from "zod";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { describeReadError, MillwrightError } from "../base/errors.ts";
import { makeFolders } from "../base/make-folders.ts";
import { measurementSchema } from "./measurement.ts";

const fileSchema = z.object({
  schema: z.literal("millwright.grading-log/1"),
  /** The task's id, for people. */
  id: z.string(),
  /** The sandbox of the measurement. */
  sandbox: z.string(),
  version: z.string(),
  /** The image of the measurement, with its id then; absent without an image, and in logs of earlier versions. */
  image: z.object({ name: z.string(), id: z.string() }).optional(),
  measurement: measurementSchema,
});
export type GradingLog = Omit<z.infer<typeof fileSchema>, "schema">;

export interface LogStore {
  readonly directory: string;
  /**
   * Finds a log; undefined if there is none, or if it has an unknown form. Throws MillwrightError("disk") if it cannot
   * be read.
   */
  find(key: string): Promise<GradingLog | undefined>;
  /** Stores a log. Throws MillwrightError("disk") if it cannot be written. */
  keep(key: string, log: GradingLog): Promise<void>;
}

export function openLogStore(directory: string): LogStore {
  const pathOf = (key: string): string => join(directory, `${key}.json.gz`);
  return {
    directory,
    async find(key) {
      const path = pathOf(key);
      if (!existsSync(path)) return undefined;
      try {
        const text = (await promisify(gunzip)(await readFile(path))).toString("utf8");
        return fileSchema.safeParse(JSON.parse(text)).data;
      } catch (cause) {
        throw new MillwrightError("disk", `The log ${path} cannot be read: ${describeReadError(cause)}`, {
          cause,
        });
      }
    },
    async keep(key, log) {
      try {
        await makeFolders(directory);
        await writeFileAtomically(pathOf(key), await renderLog(log));
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause);
        throw new MillwrightError("disk", `The logs cannot be written to ${directory}: ${reason}`, { cause });
      }
    },
  };
}

/** Renders a log as its file's content: compressed JSON. */
export function renderLog(log: GradingLog): Promise<Buffer> {
  return promisify(gzip)(JSON.stringify({ schema: "millwright.grading-log/1", ...log }));
}
