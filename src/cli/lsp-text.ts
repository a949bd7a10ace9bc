/** Renders a language server's answer for people. */
import { countOf } from "../base/count.ts";
import { sanitizeForTerminal } from "../base/terminal-text.ts";
import type {
  CodeCall,
  CodeDiagnostic,
  CodeFileEdit,
  CodeLocation,
  CodeSymbol,
} from "../domain/code-intelligence.ts";
import type { PositionCandidate, RoughPosition } from "../lsp/identifiers.ts";
import type { TypeFamily } from "../lsp/questions.ts";

export type QuestionName =
  | "definition"
  | "references"
  | "hover"
  | "symbols"
  | "diagnostics"
  | "callers"
  | "callees"
  | "types"
  | "rename"
  | "project-symbols";

/** The JSON document of `--json`, without its field `seconds`. */
export type LspDocument = {
  readonly schema: "millwright.lsp/1";
  readonly question: QuestionName;
  readonly at: RoughPosition & { readonly path: string };
  readonly sandbox: string;
} & (
  | { readonly ok: false; readonly kind: string; readonly message: string }
  | {
      readonly ok: true;
      /** The server with its version, or the code graph. */
      readonly by: string;
      readonly position?: PositionCandidate;
      readonly isWhole: boolean;
      readonly caution?: string;
      /** If the code graph answered: the reason why no server answered. */
      readonly because?: string;
      /** The answer; its form depends on the question. */
      readonly answer: unknown;
      /** The edits of a rename, as a unified diff. */
      readonly diff?: string;
      /** Unchanged files in which the code graph knows uses of a renamed name. */
      readonly untouched?: readonly string[];
    }
);

const originWords = {
  exact: "exactly there",
  line: "on that line",
  near: "near that line",
  opened: "in a file opened before",
} as const;

/** Renders a language server's answer for a terminal. `lines`: the answer, rendered by `tellAnswer`. */
export function renderLspAnswer(document: LspDocument, lines: readonly string[]): string {
  return sanitizeForTerminal(`${linesOf(document, lines).join("\n")}\n`);
}

function linesOf(document: LspDocument, lines: readonly string[]): string[] {
  if (!document.ok) return [document.message];
  const { caution, diff } = document;
  if (diff !== undefined) return [diff.trimEnd()];
  const warning = caution === undefined ? [] : [`The server warns: ${caution}`];
  return [headOf(document), ...warning, ...lines];
}

/**
 * Returns the first line of an answer: the question, the used position, and the server. Adds a note if the answer may
 * be incomplete, or if it comes from the code graph.
 */
export function headOf(document: LspDocument & { readonly ok: true }): string {
  const { by, position, isWhole, because, question } = document;
  const where =
    position === undefined
      ? document.at.path
      : `${position.name} at ${position.path}:${position.line}:${position.column + 1} (${originWords[position.origin]})`;
  const gap =
    because !== undefined
      ? `: ${because}`
      : isWhole
        ? ""
        : "; the server was still indexing, so the answer may be incomplete";
  return `${question} of ${where}, by ${by}${gap}`;
}

/** Functions that render an answer as lines for people, one for each form of answer. */
export const tellAnswer = {
  text: (answer: string) => [answer],
  locations: (answer: readonly CodeLocation[]) => orNone(answer.map(locationLine)),
  edits: (answer: readonly CodeFileEdit[]) =>
    orNone(answer.map(({ path, edits }) => `${path}: ${countOf(edits.length, "edit")}`)),
  symbols: (answer: readonly CodeSymbol[]) => orNone(answer.map(symbolLine)),
  symbolTree: (answer: readonly CodeSymbol[]) => orNone(answer.flatMap((symbol) => symbolLines(symbol, ""))),
  calls: (answer: readonly CodeCall[]) => orNone(answer.map(callLine)),
  types: ({ supertypes, subtypes }: TypeFamily) =>
    orNone([
      ...supertypes.map((type) => `above: ${symbolLine(type)}`),
      ...subtypes.map((type) => `below: ${symbolLine(type)}`),
    ]),
  diagnostics: (answer: readonly CodeDiagnostic[]) => orNone(answer.map(diagnosticLine)),
};

function orNone(lines: string[]): string[] {
  return lines.length === 0 ? ["none"] : lines;
}

function locationLine({ path, range, text, outside }: CodeLocation): string {
  const note = outside ? " (not the repository's own)" : "";
  return `${path}:${range.start.line}:${range.start.column + 1}${note}${text === undefined ? "" : `\n    ${text.trim()}`}`;
}

/** Renders a caller or callee. The places are lines of the caller's file. */
function callLine({ symbol, places }: CodeCall): string {
  const lines = [...new Set(places.map(({ start }) => start.line))];
  return `${symbolLine(symbol)}${lines.length === 0 ? "" : `, call at line ${lines.join(", ")}`}`;
}

function symbolLine({ kind, name, location, at }: CodeSymbol): string {
  return `${kind} ${name} ${location.path}:${at.line}`;
}

function symbolLines(symbol: CodeSymbol, indent: string): string[] {
  const own = `${indent}${symbol.kind} ${symbol.name} ${symbol.location.range.start.line}-${symbol.location.range.end.line}`;
  return [own, ...(symbol.children ?? []).flatMap((child) => symbolLines(child, `${indent}  `))];
}

function diagnosticLine({ path, range, severity, code, message }: CodeDiagnostic): string {
  return `${path}:${range.start.line}:${range.start.column + 1} ${severity}${code === undefined ? "" : ` ${code}`}: ${message}`;
}
