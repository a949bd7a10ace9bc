import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { z } from "zod";
import { writeFileAtomically } from "../../base/atomic-file.ts";
import { isSystemError, MillwrightError } from "../../base/errors.ts";
import { hashData, hashText } from "../../base/hash.ts";
import { openJsonlWriter, readJsonl } from "../../base/jsonl.ts";
import { createRedactor, type Redactor } from "../../base/redact.ts";
import { largestText, readRegularFile } from "../../base/regular-file.ts";
import { type NewRunEvent, type RunEvent, runEventSchema } from "../../domain/run-event.ts";
import { type CallRecord, createCallRecord } from "./call-record.ts";
import { type Outputs, openOutputs } from "./outputs.ts";
import type { Pace } from "./pace.ts";
import { redactEvent, redactResult } from "./redact-record.ts";

export interface StepOptions<T> {
  /** The step's key: a name and the step's inputs, such as `try:<tree>`. A resumed run has the same keys. */
  readonly key: string;
  readonly title: string;
  readonly schema: z.ZodType<T>;
  /** Stores the result in a separate file, for results of more than a few kilobytes. */
  readonly large?: boolean;
  /**
   * Returns false for a recorded result to compute again, such as one that a limit cut. Absent: each result is final.
   * `last`: in a replay, the last timing decision if the recorded run did not compute the result again.
   */
  readonly isFinal?: (recorded: T, last: unknown) => boolean;
  /**
   * For a repeated run: returns the part of the result that must equal the original's. If this part is equal, the run
   * takes the original's result, whose texts may differ (times, addresses, temporary names). "nothing": takes the
   * original's result without executing the step. "clock": the same, and also in a run that replays only recorded
   * calls, because time decided the result. Absent: never takes the original's result.
   */
  readonly decides?: ((result: T) => unknown) | "nothing" | "clock";
  /**
   * For a repeated run that takes the original's result: replaces the parts that this run decides, such as time limits.
   * Absent: the original's result stays unchanged.
   */
  readonly withOwn?: ((recorded: T, own: T) => T) | undefined;
  /**
   * Returns the part of the result that depends on time, as JSON. Undefined without such a part. In a replay, `execute`
   * gets this part.
   */
  readonly timed?: (result: T) => unknown;
}

/** The only writer of a run's `events.jsonl`. */
export interface Recorder {
  /** All events so far, including those of earlier processes. */
  readonly events: readonly RunEvent[];
  /** Long texts, stored whole in the run's folder. */
  readonly outputs: Outputs;
  /** Calls of models and tools. */
  readonly calls: CallRecord;
  /** The strategy that writes to this view of the record, in a run of several strategies. "" for the run itself. */
  readonly arm: string;
  /** Working time of the run's earlier processes in milliseconds. */
  readonly usedMs: number;
  append(event: NewRunEvent): void;
  /**
   * Executes a step once per run, even if the run is resumed. Writes the step's intent to disk before its start, and
   * its result afterwards. If the step has a recorded result that is final (`isFinal`), returns it without execution.
   * If `execute` throws, records nothing, and a resumed run repeats the step. Returns the written result, without the
   * user's secrets. `execute` gets the `timed` part of the recording that the run replays, if any.
   */
  step<T>(options: StepOptions<T>, execute: (decided?: unknown) => Promise<T>): Promise<T>;
  /** True if a step with this key has a result. */
  has(key: string): boolean;
  /** The progress of this process: the number of requested steps, and whether one of them was executed. */
  progress(): Progress;
  /** Timing decisions for work outside steps, such as a check. Absent: keeps no decisions. */
  readonly clock?: Clock;
  /** Numbers the resources opened under this name: 1, 2 …. A resumed run gives the same numbers. */
  number(name: string): number;
  close(): void;
}

export interface Clock {
  /** True if the run replays a recording. Work without a recorded decision then ended within its limit. */
  readonly isReplay: boolean;
  /** The recorded decision; undefined without one. */
  recall(key: string): unknown;
  /** Keeps a decision for replays. Throws MillwrightError("disk") if it cannot be written. */
  keep(key: string, decided: unknown): void;
}

export interface Progress {
  readonly steps: number;
  /** False while a resumed run only repeats recorded steps. */
  readonly isNew: boolean;
}

/**
 * Events that need not wait for the disk, because they are frequent. A crash of the machine may lose the last of them,
 * and a resumed run writes these again.
 */
const loose: ReadonlySet<RunEvent["event"]> = new Set([
  "call-started",
  "tool-started",
  "tool-ended",
  "candidate-judged",
]);

/**
 * Opens the record of a run directory. `onEvent` gets each new event after it is on disk, in its stored form. Throws
 * MillwrightError("disk") if the record is damaged or not writable. `original`: the folder of the run that this run
 * repeats; see `decides`. `pace`: stores timing decisions, and recalls the recorded ones.
 */
export async function openRecorder(
  runDirectory: string,
  onEvent: (event: RunEvent) => void,
  redactor: Redactor = createRedactor(),
  { original, pace }: { readonly original?: string | undefined; readonly pace?: Pace | undefined } = {},
): Promise<Recorder> {
  const path = join(runDirectory, "events.jsonl");
  const artifacts = join(runDirectory, "artifacts");
  mkdirSync(artifacts, { recursive: true, mode: 0o700 });
  const events = await readEvents(path);
  const finished = new Map<string, unknown>();
  /** Number of executions of each step. */
  const times = new Map<string, number>();
  const finish = (key: string, result: unknown): void => {
    finished.set(key, result);
    times.set(key, (times.get(key) ?? 0) + 1);
  };
  for (const event of events) if (event.event === "step-finished") finish(event.step, event.result);
  const recall = original === undefined ? undefined : await openOriginal(original);
  const writer = openJsonlWriter(path);

  function append(event: NewRunEvent): void {
    const clean = event.event === "step-finished" ? event : redactEvent(redactor, event);
    const complete = { ...clean, at: Date.now() } as RunEvent;
    try {
      writer.append(complete, loose.has(complete.event));
    } catch (error) {
      throw diskError(`Millwright could not write the event to ${path}`, error);
    }
    events.push(complete);
    onEvent(complete);
  }

  function keep(key: string, time: number, decided: unknown): void {
    try {
      pace?.keep(key, time, decided);
    } catch (error) {
      throw diskError(
        `Millwright could not write the timing decisions beside the calls of ${runDirectory}`,
        error,
      );
    }
  }

  async function step<T>(options: StepOptions<T>, execute: (decided?: unknown) => Promise<T>): Promise<T> {
    const { title, schema } = options;
    const key = redactor.known(options.key);
    if (finished.has(key)) {
      const recorded = await loadResult(artifacts, finished.get(key));
      const parsed = recorded === undefined ? undefined : schema.safeParse(recorded);
      const last = pace?.recall(key, times.get(key) ?? 1);
      const decidedLast = last?.isLast === true ? last.decided : undefined;
      if (parsed?.success && options.isFinal?.(parsed.data, decidedLast) !== false) return parsed.data;
    }
    append({ event: "step-started", step: key, title });
    const time = (times.get(key) ?? 0) + 1;
    const decided = pace?.recall(key, time)?.decided;
    const result = await recallOr(recall, { ...options, key }, decided, async () =>
      redactResult(redactor, await execute(decided)),
    );
    const kept = options.decides === "clock" ? result : options.timed?.(result);
    if (kept !== undefined) keep(key, time, kept);
    const stored = options.large ? await storeArtifact(artifacts, result) : result;
    append({ event: "step-finished", step: key, result: stored });
    finish(key, stored);
    return result;
  }

  const outputs = openOutputs(join(runDirectory, "outputs"), redactor);
  const calls = createCallRecord({ events, append, outputs });
  const has = (key: string): boolean => finished.has(redactor.known(key));
  return {
    ...{ events, outputs, calls, arm: "", usedMs: timeUsed(events), append, has },
    clock: clockOf(pace, keep),
    ...countProgress({ step, has }),
    close() {
      writer.close();
      pace?.close();
    },
  };
}

function clockOf(pace: Pace | undefined, keep: (key: string, time: number, decided: unknown) => void): Clock {
  return {
    isReplay: pace?.isReplay === true,
    recall: (key) => pace?.recall(key, 1)?.decided,
    keep: (key, decided) => keep(key, 1, decided),
  };
}

/** A step's result in another run, by its key. */
type Recall = (key: string) => Promise<unknown>;

async function openOriginal(directory: string): Promise<Recall> {
  const results = new Map<string, unknown>();
  for (const event of await readEvents(join(directory, "events.jsonl")))
    if (event.event === "step-finished") results.set(event.step, event.result);
  return async (key) => loadResult(join(directory, "artifacts"), results.get(key));
}

async function recallOr<T>(
  recall: Recall | undefined,
  { key, schema, decides, withOwn = (taken) => taken }: StepOptions<T>,
  decided: unknown,
  execute: () => Promise<T>,
): Promise<T> {
  if (decides === undefined || (recall === undefined && decides !== "clock")) return execute();
  const recorded = schema.safeParse((await recall?.(key)) ?? (decides === "clock" ? decided : undefined));
  if (decides === "nothing" || decides === "clock") return recorded.success ? recorded.data : execute();
  const result = await execute();
  const isSame = recorded.success && hashData(decides(recorded.data)) === hashData(decides(result));
  return isSame ? withOwn(recorded.data, result) : result;
}

/** Counts the requested steps, and numbers the uses of each name: 1, 2 …. */
export function countProgress({
  step,
  has,
}: Pick<Recorder, "step" | "has">): Pick<Recorder, "step" | "progress" | "number"> {
  let steps = 0;
  let isNew = false;
  const opened = new Map<string, number>();
  return {
    step(options, execute) {
      steps += 1;
      if (!has(options.key)) isNew = true;
      return step(options, execute);
    },
    progress: () => ({ steps, isNew }),
    number(name) {
      const next = (opened.get(name) ?? 0) + 1;
      opened.set(name, next);
      return next;
    },
  };
}

/** Returns the working time of the run's processes in milliseconds, without the pauses before each resume. */
export function timeUsed(events: readonly RunEvent[]): number {
  let used = 0;
  let previous: number | undefined;
  for (const event of events) {
    if (previous !== undefined && event.event !== "run-resumed") used += Math.max(0, event.at - previous);
    previous = event.at;
  }
  return used;
}

/**
 * Reads the events in this file, in order. Omits events of newer versions. Throws MillwrightError("disk") if the file
 * is damaged.
 */
export async function readEvents(path: string): Promise<RunEvent[]> {
  let records: unknown[];
  try {
    records = await readJsonl(path);
  } catch (error) {
    throw diskError(
      `The record ${path} is damaged`,
      error,
      "Restore this file from a copy, or start a new run.",
    );
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
    throw diskError(`Millwright could not write a step's result to ${folder}`, error);
  }
  return { artifact: name };
}

/**
 * Loads a step's recorded result. Undefined if its artifact is missing or damaged; the caller then repeats the step.
 */
export async function loadResult(folder: string, stored: unknown): Promise<unknown> {
  if (stored === null || typeof stored !== "object" || !("artifact" in stored)) return stored;
  try {
    const text = readRegularFile(join(folder, `${stored.artifact}.json`), largestText).toString("utf8");
    return hashText(text) === stored.artifact ? JSON.parse(text) : undefined;
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    throw error;
  }
}

function diskError(
  message: string,
  cause: unknown,
  hint = "Free some space, then resume the run. Or start a new run with another folder for runs (runsDir).",
): MillwrightError {
  const reason = cause instanceof Error ? `: ${cause.message}` : "";
  return new MillwrightError("disk", `${message}${reason}`, { cause, hint });
}
