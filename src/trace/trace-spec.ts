/**
 * Reads trace requests in the form `PATH:NAMES`: a path or glob, and a list of names. Finds the files of a tree to
 * which a request refers.
 */

import { posix } from "node:path";
import picomatch from "picomatch";
import { countOf } from "../base/count.ts";
import { MillwrightError } from "../base/errors.ts";
import { nearestNames } from "../base/nearest-names.ts";
import type { TraceSpec } from "../instrument/tracer.ts";

const maxSuggestions = 3;

/**
 * Parses `src/a.rs:parse,Usage::*`. A path alone selects all functions of the file. Throws MillwrightError("usage") for
 * a text without a path or a name.
 */
export function parseInstrument(text: string): TraceSpec {
  // The first colon outside `::`.
  const [, path = text, names = "*"] = /^((?:[^:]|::)+?):(?!:)(.*)$/s.exec(text) ?? [];
  const asked = splitNames(names);
  if (path.trim() === "" || path.startsWith(":") || asked.length === 0) {
    throw new MillwrightError("usage", `--instrument takes PATH:NAME,NAME, not ${JSON.stringify(text)}`, {
      hint: "Examples: `src/parser.rs:parse,Usage::*`, or `**/*.py:*` for every function.",
    });
  }
  return { path: path.trim().replace(/^\.\//, ""), names: asked };
}

/** Splits a list of names at commas outside brackets: `<Map<K, V> as Read>::get` is one name. */
function splitNames(text: string): string[] {
  const names: string[] = [];
  let depth = 0;
  let current = "";
  for (const character of text) {
    if ("<([{".includes(character)) depth += 1;
    else if (">)]}".includes(character)) depth -= 1;
    if (character === "," && depth <= 0) {
      names.push(current);
      current = "";
    } else current += character;
  }
  return [...names, current].map((name) => name.trim()).filter((name) => name !== "");
}

export function isGlob(path: string): boolean {
  return /[*?[\]{}!]/.test(path);
}

/**
 * Replaces globs with the files that match them, and joins the names requested for each file. Throws
 * MillwrightError("usage") if no file matches a path or glob. For a path, the error names the nearest files.
 */
export function resolveSpecs(specs: readonly TraceSpec[], files: readonly string[]): TraceSpec[] {
  const known = new Set(files);
  const found = new Map<string, Set<string>>();
  for (const { path, names } of specs) {
    const matched = known.has(path) ? [path] : filesOfGlob(path, files);
    if (matched.length === 0) throw noSuchFile(path, files);
    for (const file of matched) {
      const all = found.get(file) ?? new Set();
      for (const name of names) all.add(name);
      found.set(file, all);
    }
  }
  return [...found].map(([path, names]) => ({ path, names: [...names] }));
}

function filesOfGlob(path: string, files: readonly string[]): readonly string[] {
  if (!isGlob(path)) return [];
  const fits = picomatch(path);
  return files.filter((file) => fits(file));
}

/** True if a path or glob matches any of the files. */
export function matchesFile(path: string, files: readonly string[]): boolean {
  return files.includes(path) || filesOfGlob(path, files).length > 0;
}

function noSuchFile(path: string, files: readonly string[]): MillwrightError {
  if (isGlob(path)) {
    return new MillwrightError("usage", `None of the target's files (${files.length}) matches ${path}`, {
      hint: "Globs are relative to the target: 'src/**/*.rs:*'.",
    });
  }
  const inIt = files.filter((file) => file.startsWith(`${path.replace(/\/$/, "")}/`)).length;
  if (inIt > 0) {
    return new MillwrightError("usage", `${path} is a folder of the target, with ${countOf(inIt, "file")}`, {
      hint: `To trace the files in it, use a glob: '${path.replace(/\/$/, "")}/**:NAMES'.`,
    });
  }
  const near = nearestFiles(path, files);
  return new MillwrightError("usage", `The target (${countOf(files.length, "file")}) has no file ${path}`, {
    hint: near.length === 0 ? "Paths are relative to the target." : `Nearest: ${near.join(", ")}`,
  });
}

/**
 * Files with the same module name (`parse.py` and `parse/__init__.py` count as equal), or else files with similar
 * names.
 */
function nearestFiles(path: string, files: readonly string[]): string[] {
  const module = moduleOf(path);
  const weigh = (file: string): number =>
    (moduleOf(file) === module ? 2 : 0) + (posix.extname(file) === posix.extname(path) ? 1 : 0);
  const sameName = files
    .filter((file) => posix.basename(moduleOf(file)) === posix.basename(module) || file.endsWith(`/${path}`))
    .sort((a, b) => weigh(b) - weigh(a));
  return sameName.length > 0 ? sameName.slice(0, maxSuggestions) : nearestNames(path, files, maxSuggestions);
}

/** The path without its extension; for a folder's own file such as `__init__.py`, the folder. */
function moduleOf(path: string): string {
  return path.replace(/\.\w+$/, "").replace(/\/(__init__|mod|index)$/, "");
}
