/**
 * Finds lines that contain a text or match a regular expression, in the given files. The result says which limit
 * stopped the search, if any.
 */

import { createContext, Script } from "node:vm";
import { MillwrightError } from "../../base/errors.ts";
import { fieldOf } from "../../base/fields.ts";
import { literally } from "../../base/literal-pattern.ts";
import { readSource } from "../build/read-source.ts";
import type { CodeGraph } from "../contract.ts";
import { type FileKind, fileKindOf } from "../forms/file-kind.ts";

export interface GrepOptions {
  readonly repository: string;
  /** Paths relative to the repository, in the order of the search. */
  readonly paths: readonly string[];
  readonly pattern: string;
  /** True if the pattern is a JavaScript regular expression instead of a text. */
  readonly isRegex?: boolean;
  readonly ignoreCase?: boolean;
  readonly limit: number;
  readonly limitPerFile?: number;
  /** Milliseconds, by default 5,000; also stops a pattern that backtracks without end. */
  readonly timeMs?: number;
}

export interface GrepLine {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface GrepResult {
  readonly lines: readonly GrepLine[];
  readonly filesSearched: number;
  /**
   * The reason why the search ended early; undefined if all files were searched, even if `limitPerFile` dropped lines.
   */
  readonly stopped: "limit" | "time" | undefined;
}

const longestShown = 300;
const longestSearched = 2000;
const defaultTimeMs = 5000;

/**
 * Returns the paths to search: the indexed files that the index did not skip, code before documents. `folder`:
 * restricts them to a folder or file.
 */
export function searchedPaths(graph: Pick<CodeGraph, "files">, folder = ""): string[] {
  const inside = folder.replace(/^\.\/|\/$/g, "");
  return graph
    .files()
    .filter(({ skipped }) => skipped === undefined)
    .map(({ path }) => path)
    .filter((path) => inside === "" || path === inside || path.startsWith(`${inside}/`))
    .map((path) => ({ path, rank: rankOf(path) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ path }) => path);
}

const kinds: readonly FileKind[] = ["source", "test", "example", "configuration", "document", "generated"];
const history = /(?:^|\/)(?:change(?:s|log)|history|news|releases?)(?:[._-][^/]*)?$/i;

function rankOf(path: string): number {
  return history.test(path) ? kinds.length : kinds.indexOf(fileKindOf(path));
}

export function formatLine({ path, line, text }: GrepLine): string {
  return `${path}:${line}: ${text.trim()}`;
}

/**
 * Searches files for a pattern, within limits on results and time. Searches only the first 2,000 characters of a line,
 * and returns only its first 300. Throws MillwrightError("usage") for an invalid pattern.
 */
export function grep(options: GrepOptions): GrepResult {
  const deadline = performance.now() + (options.timeMs ?? defaultTimeMs);
  const match = createMatcher(options, deadline);
  const lines: GrepLine[] = [];
  let filesSearched = 0;
  for (const path of options.paths) {
    if (performance.now() > deadline) return { lines, filesSearched, stopped: "time" };
    const source = readSource(`${options.repository}/${path}`, path);
    if (source?.kind !== "text") continue;
    filesSearched++;
    const found = match(source.text);
    if (found === undefined) return { lines, filesSearched, stopped: "time" };
    for (const { line, text } of found.slice(0, options.limitPerFile)) {
      if (lines.length === options.limit) return { lines, filesSearched, stopped: "limit" };
      lines.push({ path, line, text: text.slice(0, longestShown) });
    }
  }
  return { lines, filesSearched, stopped: undefined };
}

type Match = (text: string) => readonly { readonly line: number; readonly text: string }[] | undefined;

const program = new Script(
  "lines.reduce((found, text, at) => { if (pattern.test(text)) found.push(at); return found; }, [])",
);

/** Runs the pattern in a context with a time limit, because a regular expression may take arbitrarily long. */
function createMatcher({ pattern, isRegex, ignoreCase }: GrepOptions, deadline: number): Match {
  const regex = compile(isRegex === true ? pattern : literally(pattern), ignoreCase);
  return (text) => {
    const lines = text.split("\n");
    const context = createContext({
      lines: lines.map((line) => line.slice(0, longestSearched)),
      pattern: regex,
    });
    try {
      const timeout = Math.max(1, Math.round(deadline - performance.now()));
      const found: number[] = program.runInContext(context, { timeout });
      return [...found].map((at) => ({ line: at + 1, text: lines[at] ?? "" }));
    } catch (error) {
      if (isTimeout(error)) return undefined;
      throw error;
    }
  };
}

function isTimeout(error: unknown): boolean {
  return fieldOf(error, "code") === "ERR_SCRIPT_EXECUTION_TIMEOUT";
}

function compile(source: string, ignoreCase: boolean | undefined): RegExp {
  try {
    return new RegExp(source, ignoreCase === true ? "iu" : "u");
  } catch (error) {
    throw new MillwrightError("usage", `${source} is not a regular expression: ${String(error)}`, {
      cause: error,
    });
  }
}
