/**
 * Records the effects of time in a run with a model. These are parts of steps that ended in time, durations for later
 * choices, and answers of language servers. The file is next to the run's recorded calls. A run that replays these
 * calls makes the same decisions, however fast its machine is.
 */

import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { countOf } from "../../base/count.ts";
import { isSystemError } from "../../base/errors.ts";
import { hashData } from "../../base/hash.ts";
import { type JsonlWriter, openJsonlWriter } from "../../base/jsonl.ts";
import { parseJson } from "../../base/parse-json.ts";
import { largestText, readRegularFile } from "../../base/regular-file.ts";

export interface Pace {
  /**
   * Returns the recorded decision of a step's execution. If the recorded run executed the step less often, returns its
   * last decision. `time`: the execution's number, from 1. Undefined without a decision.
   */
  recall(step: string, time: number): Recalled | undefined;
  keep(step: string, time: number, decided: unknown): void;
  /** True if there is a recording to replay. */
  readonly isReplay: boolean;
  close(): void;
}

export interface Recalled {
  readonly decided: unknown;
  /** True if the recorded run executed the step less often. */
  readonly isLast: boolean;
}

export interface PaceOptions {
  /** The folder of the run's own recording. */
  readonly folder: string;
  /** The folder of the recording that the run replays. */
  readonly replayed?: string | undefined;
  /**
   * Returns the data that distinguish the runs of a folder: task, base and strategy. Called at the first step, when the
   * base is known.
   */
  readonly of: () => unknown;
  /** Called if the recording is damaged, or lacks the timing decisions of this run. */
  readonly warn?: (text: string) => void;
}

/** The suffix of these files' names. */
export const paceEnd = ".pace.jsonl";

/** Maximum executions of a step, so that a damaged number cannot fill the memory. */
const mostTimes = 1_000;
const entrySchema = z.object({ step: z.string(), time: z.int().min(1).max(mostTimes), decided: z.unknown() });

export function openPace({ folder, replayed, of, warn }: PaceOptions): Pace {
  let name: string | undefined;
  const nameOf = (): string => (name ??= `${hashData(of()).slice(0, 24)}${paceEnd}`);
  let recorded: ReadonlyMap<string, readonly unknown[]> | undefined;
  const read = (): ReadonlyMap<string, readonly unknown[]> => {
    if (replayed === undefined) return new Map();
    const path = join(replayed, nameOf());
    const text = readPace(path);
    if (text === undefined) warn?.(describeMissing(replayed));
    const { recorded, damaged } = readDecisions(splitLines(text ?? ""));
    if (damaged > 0)
      warn?.(
        `${countOf(damaged, "line")} of ${path} cannot be read, so results of steps may differ from the recorded ones`,
      );
    return recorded;
  };
  let writer: JsonlWriter | undefined;
  return {
    isReplay: replayed !== undefined,
    recall(step, time) {
      recorded ??= read();
      const known = recorded.get(step);
      if (known === undefined) return undefined;
      return { decided: known[Math.min(time, known.length) - 1], isLast: time >= known.length };
    },
    keep(step, time, decided) {
      if (writer === undefined) mkdirSync(folder, { recursive: true, mode: 0o700 });
      writer ??= openJsonlWriter(join(folder, nameOf()));
      writer.append({ step, time, decided }, true);
    },
    close: () => writer?.close(),
  };
}

/**
 * Joins the decisions of two runs. For each step of the newer run, its decisions replace the older ones, as its answers
 * do for each request. `older` and `newer`: the texts of the files.
 */
export function joinPaces(older: string, newer: string): string {
  const lines = splitLines(newer);
  const { recorded } = readDecisions(lines);
  const left = splitLines(older).filter((line) => {
    const entry = entrySchema.safeParse(parseJson(line)).data;
    return entry !== undefined && !recorded.has(entry.step);
  });
  return [...left, ...lines].map((line) => `${line}\n`).join("");
}

function describeMissing(folder: string): string {
  const names = existsSync(folder) ? readdirSync(folder) : undefined;
  const others = (names ?? []).filter((name) => name.endsWith(paceEnd)).length;
  const why =
    names === undefined
      ? "The folder is gone."
      : others === 0
        ? "Recordings of older versions contain no such decisions."
        : `It has the decisions of ${countOf(others, "other run")}, with another task, kind, base, strategy, switches or version.`;
  return `The recording ${folder} lacks the timing decisions of this run. ${why} The replay follows this machine's clock instead. Models may then see test results that differ from the recorded ones, and requests may have no recorded answer. This run still measures its own verdict`;
}

/** Ignores damaged lines: without a decision, a step follows this machine's clock. */
function readDecisions(lines: readonly string[]): {
  readonly recorded: ReadonlyMap<string, readonly unknown[]>;
  readonly damaged: number;
} {
  const recorded = new Map<string, unknown[]>();
  let damaged = 0;
  for (const line of lines) {
    const entry = entrySchema.safeParse(parseJson(line));
    if (!entry.success) {
      damaged += 1;
      continue;
    }
    const { step, time, decided } = entry.data;
    const known = recorded.get(step) ?? [];
    known[time - 1] = decided;
    recorded.set(step, known);
  }
  return { recorded, damaged };
}

/** Returns the file's text; undefined if there is no file. */
export function readPace(path: string): string | undefined {
  try {
    return readRegularFile(path, largestText).toString("utf8");
  } catch (error) {
    if (isSystemError(error, "ENOENT")) return undefined;
    throw error;
  }
}

function splitLines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}
