/**
 * Recognises new errors that a language server may report wrongly. Millwright reports them, but does not refuse an edit
 * because of them.
 */
import type { SeenDiagnostic } from "./compare-diagnostics.ts";

type Seen = SeenDiagnostic["diagnostic"];

/**
 * Returns the kind of an error: the error's source and code. If there is no code, the message without names and numbers
 * replaces it.
 */
export function kindOfError({ source, code, message }: Seen): string {
  const masked = message
    .replace(/(["'`‘“]).*?["'`’”]/g, "_")
    .replace(/\d+/g, "0")
    .replace(/\s+/g, " ")
    .trim();
  return JSON.stringify([source, code ?? masked]);
}

export interface SeenFiles {
  readonly before: readonly SeenDiagnostic[];
  readonly after: readonly SeenDiagnostic[];
  /** The files' new texts, by path. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Returns a reason to doubt that the edit causes the new error; undefined if there is none. */
export function doubtError(error: Seen, { before, after, texts }: SeenFiles): string | undefined {
  if (isUnresolved(error)) return "perhaps the server only lacks the imported package";
  const lines = texts.get(error.path)?.split("\n") ?? [];
  const missing = after
    .map(({ diagnostic }) => diagnostic)
    .filter((each) => each.path === error.path && isUnresolved(each))
    .flatMap(({ range }) => namesIn(linesOf(lines, range)));
  const own = new Set(namesIn(linesOf(lines, error.range)));
  const follows = undefinedName.test(error.message) ? undefined : missing.find((name) => own.has(name));
  if (follows !== undefined) return `the server cannot resolve the import of ${follows}`;
  const kind = kindOfError(error);
  const isKnown = before.some(
    ({ diagnostic }) => diagnostic.severity === error.severity && kindOfError(diagnostic) === kind,
  );
  return isKnown ? "there were errors of this kind before" : undefined;
}

const unresolvedCodes = new Set([
  "reportMissingImports", // Pyright
  "2307", // TypeScript: a module, and its types
  "2792",
  "7016",
  "E0432", // rustc: a `use`, and a path
  "E0433",
  "BrokenImport", // gopls
  "pp_file_not_found", // clangd
]);

const unresolvedWords =
  /\b(?:import|module|package)\b.*\b(?:could not|cannot|can't) be (?:resolved|found)|(?:could not|cannot) (?:import|find (?:module|package))|unresolved import|file not found/i;

/** Messages about undefined names. A failed import on the same line does not explain such an error. */
const undefinedName = /\bis not defined\b|\bundefined:|cannot find (?:name|symbol|value)\b/i;

function isUnresolved({ code, message }: Seen): boolean {
  return (code !== undefined && unresolvedCodes.has(code)) || unresolvedWords.test(message);
}

function linesOf(lines: readonly string[], { start, end }: Seen["range"]): string {
  return lines.slice(start.line - 1, Math.max(start.line, end.line)).join("\n");
}

const importWords = new Set([
  "import",
  "from",
  "as",
  "use",
  "require",
  "const",
  "let",
  "var",
  "type",
  "static",
]);

function namesIn(text: string): string[] {
  return (text.match(/[A-Za-z_]\w*/g) ?? []).filter((name) => name.length > 1 && !importWords.has(name));
}
