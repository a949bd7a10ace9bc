import { mkdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { z } from "zod";
import { writeFileAtomically } from "../../base/atomic-file.ts";
import { isSystemError, MillwrightError } from "../../base/errors.ts";
import { hashText } from "../../base/hash.ts";
import { openJsonlWriter, readJsonl } from "../../base/jsonl.ts";
import { createRedactor, type Redactor } from "../../base/redact.ts";
import { type NewRunEvent, type RunEvent, runEventSchema } from "../../domain/run-event.ts";
import { type Outputs, openOutputs } from "../think/outputs.ts";
import { redactEvent, redactResult } from "./redact-record.ts";

export interface StepOptions<T> {
  /** The same in the resumed run as in the first: name and what the step depends on, e.g. `try:<tree>`. */
  readonly key: string;
  readonly title: string;
  readonly schema: z.ZodType<T>;
  /** Keep the result in a file of its own: for results of more than a few kilobytes. */
  readonly large?: boolean;
}

/** The one writer of a run's `events.jsonl`. */
export interface Recorder {
  /** All events so far, of earlier processes too. */
  readonly events: readonly RunEvent[];
  /** Long texts, kept whole in the run's folder. */
  readonly outputs: Outputs;
  append(event: NewRunEvent): void;
  /**
   * Executes a step once in the life of the run: the intent is on disk before it starts and the result after it; a step
   * that has a result, in this process or an earlier one, returns it without being executed. When `execute` throws, nothing
   * is recorded and the step is done again on resume. What it returns is what was written: without the user's secrets.
   */
  step<T>(options: StepOptions<T>, execute: () => Promise<T>): Promise<T>;
  close(): void;
}

/**
 * Opens the record of a run directory. `onEvent` sees each new event after it is on disk, as it is there. Throws MillwrightError("disk")
 * when the record is damaged or cannot be written.
 */
export async function openRecorder(
  runDirectory: string,
  onEvent: (event: RunEvent) => void,
  redactor: Redactor = createRedactor(),
): Promise<Recorder> {
  const path = join(runDirectory, "events.jsonl");
  const artifacts = join(runDirectory, "artifacts");
  mkdirSync(artifacts, { recursive: true });
  const events = await readEvents(path);
  const finished = new Map<string, unknown>();
  for (const event of events) if (event.event === "step-finished") finished.set(event.step, event.result);
  const writer = openJsonlWriter(path);

  function append(event: NewRunEvent): void {
    const clean = event.event === "step-finished" ? event : redactEvent(redactor, event);
    const complete = { ...clean, at: Date.now() } as RunEvent;
    try {
      writer.append(complete);
    } catch (error) {
      throw diskError(`The event could not be written to ${path}`, error);
    }
    events.push(complete);
    onEvent(complete);
  }

  async function step<T>(options: StepOptions<T>, execute: () => Promise<T>): Promise<T> {
    const { title, schema } = options;
    const key = redactor.known(options.key);
    if (finished.has(key)) {
      const recorded = await loadResult(artifacts, finished.get(key));
      const parsed = recorded === undefined ? undefined : schema.safeParse(recorded);
      if (parsed?.success) return parsed.data;
    }
    append({ event: "step-started", step: key, title });
    const result = redactResult(redactor, await execute());
    const stored = options.large ? await storeArtifact(artifacts, result) : result;
    append({ event: "step-finished", step: key, result: stored });
    finished.set(key, stored);
    return result;
  }

  const outputs = openOutputs(join(runDirectory, "outputs"), redactor);
  return { events, outputs, append, step, close: () => writer.close() };
}

/** The events of a run directory, in order. Throws MillwrightError("disk") when the file is damaged. */
export async function readEvents(path: string): Promise<RunEvent[]> {
  let records: unknown[];
  try {
    records = await readJsonl(path);
  } catch (error) {
    throw diskError(`The record ${path} is damaged`, error);
  }
  return records.flatMap((record) => {
    const parsed = runEventSchema.safeParse(record);
    return parsed.success ? [parsed.data] : []; // an event of a newer version
  });
}

async function storeArtifact(folder: string, data: unknown): Promise<{ artifact: string }> {
  const text = JSON.stringify(data);
  const name = hashText(text);
  try {
    await writeFileAtomically(join(folder, `${name}.json`), text);
  } catch (error) {
    throw diskError(`A step's result could not be written to ${folder}`, error);
  }
  return { artifact: name };
}

/** The recorded result, or undefined when its artifact is gone or damaged (the step is done again). */
async function loadResult(folder: string, stored: unknown): Promise<unknown> {
  if (stored === null || typeof stored !== "object" || !("artifact" in stored)) return stored;
  try {
    const text = await readFile(join(folder, `${stored.artifact}.json`), "utf8");
    return hashText(text) === stored.artifact ? JSON.parse(text) : undefined;
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    throw error;
  }
}

function diskError(message: string, cause: unknown): MillwrightError {
  const reason = cause instanceof Error ? `: ${cause.message}` : "";
  return new MillwrightError("disk", `${message}${reason}`, {
    cause,
    hint: "Free some space or give another folder with --runs-dir, then run `millwright resume`.",
  });
}
