/** Reads the request for a trace from the flags of `trace`. */
import { realpathSync } from "node:fs";
import { isAbsolute, posix, relative, resolve, sep } from "node:path";
import { MillwrightError } from "../base/errors.ts";
import type { TraceSpec } from "../instrument/tracer.ts";
import { findRepository } from "../session/repository.ts";
import type { TraceRequest } from "../session/trace-session.ts";
import { findProjectRoot } from "../trace/project-root.ts";
import { parseSpecFile } from "../trace/spec-file.ts";
import { parseInstrument } from "../trace/trace-spec.ts";
import type { AskedSpec } from "../trace/two-projects.ts";
import { readText } from "./task-arguments.ts";

export interface TraceFlags {
  readonly target?: string;
  readonly workspace?: string;
  readonly instrument: readonly string[];
  readonly spec?: string;
  readonly depth: number;
  readonly maxRecords: number;
  readonly maxBytes: number;
  /** Time limit of the program, in milliseconds. */
  readonly timeout: number;
  readonly output?: string;
  readonly format: "tree" | "json" | "html";
  readonly json?: boolean;
  /** Maximum size of the trace's text, in tokens. */
  readonly budget: number;
  readonly [setting: string]: unknown;
}

/**
 * Adds the values of the spec file (`--spec`), if the user gave one, to the flags. The flags have priority. However,
 * functions of `--instrument` add to those of the file.
 */
export function withSpecFile(
  flags: TraceFlags,
  words: readonly string[],
): { flags: TraceFlags; words: readonly string[] } {
  if (flags.spec === undefined) return { flags, words };
  const { testProject, targetProject, instrument, output, exec } = parseSpecFile(readText(flags.spec));
  const target = flags.target ?? targetProject;
  const workspace = flags.workspace ?? testProject;
  const file = flags.output ?? output;
  return {
    flags: {
      ...flags,
      ...(target === undefined ? {} : { target }),
      ...(workspace === undefined ? {} : { workspace }),
      ...(file === undefined ? {} : { output: file }),
      instrument: [...instrument, ...flags.instrument],
    },
    words: words.length > 0 || exec === undefined ? words : ["sh", "-c", exec],
  };
}

export function readTraceRequest(flags: TraceFlags, command: readonly string[]): TraceRequest {
  const target = findRepository(flags.target ?? ".");
  const repository = findProjectRoot(target);
  const directory = insideOf(repository, target) ?? "";
  if (command.length === 0) {
    throw new MillwrightError("usage", "The command to run is missing", {
      hint: "Give the command after `--`, at the end: millwright trace --instrument 'src/a.py:*' -- python -m pytest",
    });
  }
  if (flags.instrument.length === 0) {
    throw new MillwrightError("usage", "The functions to trace are missing", {
      hint: "Name functions with --instrument 'PATH:NAME,NAME'; '**/*.rs:*' means all functions of all Rust files.",
    });
  }
  const workspace = flags.workspace === undefined ? target : findRepository(flags.workspace);
  const inside = insideOf(repository, workspace);
  const project = inside === undefined ? findProjectRoot(workspace) : undefined;
  const runDirectory = inside ?? insideOf(project ?? workspace, workspace) ?? "";
  const specs = flags.instrument
    .map(parseInstrument)
    .map((spec) => placeSpec(spec, { repository, directory, project, runDirectory }));
  return { repository, directory, specs, command, project, runDirectory };
}

/** Returns the path relative to the folder: "" for the folder itself, undefined for a path outside. */
function insideOf(folder: string, path: string): string | undefined {
  const found = relative(folder, path).replaceAll(sep, "/");
  return found === ".." || found.startsWith("../") || isAbsolute(found) ? undefined : found;
}

/** Finds a path as the user wrote it: absolute, relative to the target, or else to the workspace. */
function placeSpec(
  { path, names }: TraceSpec,
  {
    repository,
    directory,
    project,
    runDirectory,
  }: Pick<TraceRequest, "repository" | "directory" | "project" | "runDirectory">,
): AskedSpec {
  if (!isAbsolute(path)) {
    const otherwise = posix.normalize(posix.join(runDirectory, path));
    const own = realPathIn(repository, posix.normalize(posix.join(directory, path)));
    return { path: own, names, ...(otherwise === own && project === undefined ? {} : { otherwise }) };
  }
  const inside = insideOf(repository, realPathOf(path));
  if (inside !== undefined && inside !== "") return { path: inside, names };
  const other = project === undefined ? undefined : insideOf(project, realPathOf(path));
  if (other !== undefined && other !== "") return { path, names, otherwise: other };
  throw new MillwrightError("usage", `${path} is not in ${repository}`, {
    hint: "Give paths of --instrument relative to the target or to the workspace.",
  });
}

/** Resolves symbolic links of the repository. Returns the path under which the copy contains the file. */
function realPathIn(repository: string, path: string): string {
  const inside = insideOf(repository, realPathOf(posix.join(repository, path)));
  return inside === undefined || inside === "" ? path : inside;
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
