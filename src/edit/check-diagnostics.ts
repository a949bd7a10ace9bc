/** Checks new texts of files for errors that a compiler or language server does not report for the old texts. */
import type { CodeDiagnostic } from "../domain/code-intelligence.ts";
import { extractSymbols } from "../syntax/symbols/extract-symbols.ts";
import { findNewErrors, type SeenDiagnostic } from "./compare-diagnostics.ts";
import type { EditProblem, FileChange } from "./contract.ts";
import { doubtError, kindOfError, type SeenFiles } from "./doubt-errors.ts";

/** Returns the problems that a checker, usually a language server, would report for files with these texts. */
export type SeeProblems = (
  files: readonly { readonly path: string; readonly text: string }[],
) => Promise<readonly CodeDiagnostic[]>;

/** An error that did not exist before the edits. */
export type NewError = Omit<EditProblem, "edit"> & {
  /** A key that errors of one kind share. */
  readonly errorKind: string;
  /** A reason to doubt that the edit causes the error. */
  readonly doubt?: string;
};

/**
 * Finds the new errors that the changes would cause, before any file is written. `see`: usually asks a language server.
 * Ignores warnings and old errors. Finds none if the changes only remove files.
 */
export async function checkDiagnostics(
  changes: readonly FileChange[],
  see: SeeProblems,
): Promise<NewError[]> {
  const old = new Map<string, string>();
  const fresh = new Map<string, string>();
  const renames = new Map<string, string>();
  for (const { path, from = path, before, after } of changes) {
    if (before !== undefined) old.set(from, before);
    if (after !== undefined) fresh.set(path, after);
    if (from !== path) renames.set(from, path);
  }
  if (fresh.size === 0) return [];
  // Sequential: a server has one text of a file at a time.
  const before = old.size === 0 ? [] : await withSymbols(await see(listTexts(old)), old);
  const after = await withSymbols(await see(listTexts(fresh)), fresh);
  return findNewErrors(before, after, renames).map((seen) => ({
    ...describe(seen),
    ...doubtOf(seen, { before, after, texts: fresh }),
  }));
}

function listTexts(texts: ReadonlyMap<string, string>): { path: string; text: string }[] {
  return [...texts].map(([path, text]) => ({ path, text }));
}

/** Adds the names of the enclosing definitions to each diagnostic. */
async function withSymbols(
  diagnostics: readonly CodeDiagnostic[],
  texts: ReadonlyMap<string, string>,
): Promise<SeenDiagnostic[]> {
  const seen: SeenDiagnostic[] = [];
  for (const diagnostic of diagnostics) {
    const symbol = await symbolAt(diagnostic, texts.get(diagnostic.path));
    seen.push({ diagnostic, ...(symbol === undefined ? {} : { symbol }) });
  }
  return seen;
}

async function symbolAt(
  { path, range }: CodeDiagnostic,
  text: string | undefined,
): Promise<string | undefined> {
  const symbols = text === undefined ? undefined : await extractSymbols(path, text);
  const around = symbols?.definitions.filter(
    ({ startLine, endLine }) => startLine <= range.start.line && range.start.line <= endLine,
  );
  return around === undefined || around.length === 0 ? undefined : around.map(({ name }) => name).join(".");
}

function doubtOf({ diagnostic }: SeenDiagnostic, files: SeenFiles): Pick<NewError, "errorKind" | "doubt"> {
  const doubt = doubtError(diagnostic, files);
  return { errorKind: kindOfError(diagnostic), ...(doubt === undefined ? {} : { doubt }) };
}

function describe({ diagnostic, symbol }: SeenDiagnostic): Omit<EditProblem, "edit"> {
  const { path, message, range, source } = diagnostic;
  const { line } = range.start;
  const place = symbol === undefined ? "" : `, in ${symbol}`;
  return {
    kind: "diagnostics",
    path,
    message: `${path}:${line}${place}: ${message}${source === undefined ? "" : ` (${source})`}`,
    places: [{ path, startLine: line, endLine: Math.max(line, range.end.line) }],
  };
}
