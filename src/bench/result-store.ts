/** Stores each result in its own file, named by a hash of the inputs. Writes files atomically. */

import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { isSystemError, MillwrightError } from "../base/errors.ts";
import { makeFolders } from "../base/make-folders.ts";
import { parseJson } from "../base/parse-json.ts";
import { largestText, readRegularFile } from "../base/regular-file.ts";

/** A kind of result: the name of its schema, which each file contains, and the type of its content. */
export interface ResultKind<T> {
  /** The schema's name, as in `millwright.NAME/1`. */
  readonly schema: string;
  readonly type: z.ZodType<T>;
}

export interface ResultStore {
  readonly directory: string;
  /** True to ignore and replace existing results. */
  readonly isFresh: boolean;
  /**
   * Finds a result. Undefined if there is none, or only one of another kind or version. Throws MillwrightError("disk")
   * if the store cannot be used.
   */
  find<T>(kind: ResultKind<T>, key: string): Promise<T | undefined>;
  /** Stores a result, and returns it. Throws like `find`. */
  keep<T>(kind: ResultKind<T>, key: string, result: T): Promise<T>;
}

export async function openResultStore(directory: string, isFresh = false): Promise<ResultStore> {
  await attempt(directory, () => makeFolders(directory));
  const kept = new Set<string>();
  const pathOf = (key: string): string => join(directory, `${key}.json`);
  return {
    ...{ directory, isFresh },
    async find(kind, key) {
      if (isFresh && !kept.has(key)) return undefined;
      const text = await attempt(directory, () => readIfThere(pathOf(key)));
      return text === undefined ? undefined : parseResult(kind, text);
    },
    async keep(kind, key, result) {
      kept.add(key);
      await attempt(directory, () => writeFileAtomically(pathOf(key), renderResult(kind, key, result)));
      return result;
    },
  };
}

/** Renders the text of a result's file. */
export function renderResult<T>({ schema }: ResultKind<T>, key: string, result: T): string {
  return `${JSON.stringify({ schema, key, result })}\n`;
}

/** Parses the text of a result's file. Undefined if the text is damaged, or has another kind or version. */
export function parseResult<T>({ schema, type }: ResultKind<T>, text: string): T | undefined {
  const fileSchema = z.object({ schema: z.literal(schema), result: type });
  const parsed = fileSchema.safeParse(parseJson(text));
  return parsed.success ? parsed.data.result : undefined;
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return readRegularFile(path, largestText).toString("utf8");
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    throw error;
  }
}

async function attempt<T>(directory: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new MillwrightError("disk", `The folder of results ${directory} cannot be used: ${reason}`, {
      cause,
      hint: "Give another folder for the results.",
    });
  }
}
