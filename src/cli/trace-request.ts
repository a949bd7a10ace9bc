/** What the flags of `trace` ask for. */
import { realpathSync } from "node:fs";
import { isAbsolute, posix, relative, resolve, sep } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import type { TraceSpec } from "../instrument/tracer.ts";
import { findProjectRoot } from "../trace/project-root.ts";
import { parseInstrument } from "../trace/trace-spec.ts";
import { findRepository } from "./task-arguments.ts";

export interface TraceFlags {
  readonly target: string;
  readonly workspace?: string;
  readonly instrument: readonly string[];
  readonly spec?: string;
  readonly depth: number;
  readonly maxRecords: number;
  readonly maxBytes: number;
  /** Milliseconds. */
  readonly timeout: number;
  readonly output?: string;
  readonly format: "tree" | "json" | "html";
  readonly json?: boolean;
  /** Tokens. */
  readonly budget: number;
  readonly [setting: string]: unknown;
}

export interface TraceRequest {
  /** The folder that is copied: the project that the target belongs to. */
  readonly repository: string;
  /** The target in it, "" for the whole; specs are relative to the repository. */
  readonly directory: string;
  readonly specs: readonly TraceSpec[];
  readonly command: readonly string[];
}

export function readTraceRequest(flags: TraceFlags, command: readonly string[]): TraceRequest {
  const target = findRepository(flags.target);
  const repository = findProjectRoot(target);
  const directory = relative(repository, target).replaceAll(sep, "/");
  if (command.length === 0) {
    throw new MillwrightError("usage", "There is no command to run", {
      hint: "It comes last, after two dashes: millwright trace --instrument 'src/a.py:*' -- python -m pytest",
    });
  }
  const specs = flags.instrument.map((text) => placeSpec(parseInstrument(text), repository, directory));
  return { repository, directory, specs, command };
}

/** A path as the user wrote it, absolute or relative to the target, as one of the repository's. */
function placeSpec({ path, names }: TraceSpec, repository: string, directory: string): TraceSpec {
  if (!isAbsolute(path)) return { path: posix.normalize(posix.join(directory, path)), names };
  const inside = relative(repository, realPathOf(path));
  if (inside !== "" && !inside.startsWith("..")) return { path: inside.replaceAll(sep, "/"), names };
  throw new MillwrightError("usage", `${path} is not in ${repository}`, {
    hint: "Paths of --instrument are relative to the target.",
  });
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
