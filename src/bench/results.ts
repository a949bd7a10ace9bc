/** The file of results: one line a task, on disk as soon as it is known; a later start goes on from there. */
import { z } from "zod";
import { MillwrightError } from "../base/errors.ts";
import { type JsonlWriter, openJsonlWriter, readJsonl } from "../base/jsonl.ts";

export interface ResultsFile<T> {
  /** The result of an earlier process, by the key of what it was computed from. */
  find(key: string): T | undefined;
  add(key: string, result: T): void;
  close(): void;
}

/** `schemaName` stands in each line; lines of another kind, or of a version that has other fields, are passed over. */
export async function openResults<T>(
  path: string,
  schemaName: string,
  schema: z.ZodType<T>,
): Promise<ResultsFile<T>> {
  const lineSchema = z.object({ schema: z.literal(schemaName), key: z.string(), result: schema });
  const found = new Map<string, T>();
  const writer = await withHint(path, async () => {
    for (const line of await readJsonl(path)) {
      const parsed = lineSchema.safeParse(line);
      if (parsed.success) found.set(parsed.data.key, parsed.data.result);
    }
    return openJsonlWriter(path);
  });
  return {
    find: (key) => found.get(key),
    add(key, result) {
      found.set(key, result);
      append(writer, path, { schema: schemaName, key, result });
    },
    close: () => writer.close(),
  };
}

function append(writer: JsonlWriter, path: string, line: unknown): void {
  try {
    writer.append(line);
  } catch (cause) {
    throw diskError(path, cause);
  }
}

async function withHint<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw diskError(path, cause);
  }
}

function diskError(path: string, cause: unknown): MillwrightError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new MillwrightError("disk", `The results cannot be kept in ${path}: ${reason}`, {
    cause,
    hint: "Give another file for the results.",
  });
}
