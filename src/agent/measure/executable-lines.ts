/**
 * Lists the executable lines in a file's spans, as the tracer or the counters of its language would report them. Pure.
 */
import { countOf, nameFirst } from "../../base/count.ts";
import { countedPlaces } from "../../instrument/counted-places.ts";
import { languageOf } from "../../languages/source-files.ts";
import { namedChildren, type SyntaxNode, walk } from "../../syntax/node.ts";
import { readSource } from "../../syntax/read-source.ts";
import { roleOf, type Source } from "../../syntax/reading.ts";
import { isFunction, type Statement, statementsOf } from "../../syntax/statements.ts";
import { unreachableLines } from "../../syntax/unreachable.ts";
import { definesByRunning, type RunsAt, readTimes } from "./when-lines-run.ts";

/** A range of lines, which count from 1. Both ends belong to it. */
export interface Span {
  readonly startLine: number;
  readonly endLine: number;
}

/** A unit of executable code: a statement, or an expression that is executed separately. */
export interface Unit {
  readonly line: number;
  readonly endLine: number;
  readonly text: string;
  /** The unit's lines that begin with its own code. */
  readonly own: readonly number[];
  /** The unit ran if all, or any, of `lines` ran. */
  readonly lines: readonly number[];
  readonly takes: "all" | "any";
  readonly at: RunsAt;
  /** True if the syntax tree proves that the unit never runs. */
  readonly isUnreachable?: true;
}

export interface ExecutedCode {
  readonly file: string;
  readonly text: string;
  readonly units: readonly Unit[];
}

/** The executed lines of a file, by the time of execution. */
export interface RunLines {
  /** Lines that ran during one of the tests. */
  readonly executed: ReadonlySet<number>;
  /** Lines that ran while modules were loaded, outside any test. */
  readonly loaded: ReadonlySet<number>;
}

export interface UnitRequest {
  readonly file: string;
  readonly text: string;
  readonly spans: readonly Span[];
  /** True if `pragma: no cover` and similar comments exclude a statement. */
  readonly pragmas: boolean;
}

/** Returns the executable units of a file; undefined for a language without a dialect. */
export async function executableUnits(request: UnitRequest): Promise<readonly Unit[] | undefined> {
  const { file, text, spans, pragmas } = request;
  const source = await readSource(file, text, languageOf);
  if (source === undefined) return undefined;
  const left = pragmas ? excludedSpans(source) : [];
  const isWanted = (unit: Span): boolean =>
    spans.some((span) => holds(span, unit) && !surrounds(unit, span)) &&
    !left.some((span) => unit.startLine >= span.startLine && unit.startLine <= span.endLine);
  const counted = countedPlaces(source.dialect.language, source.tree);
  const lines = text.split("\n");
  const timeOf = readTimes(source, counted);
  const unreachable = unreachableLines(source);
  const unitOf = (place: Traced, takes: Unit["takes"]): Unit => {
    const { startLine: line, endLine, own, lines: proof } = place;
    return {
      line,
      endLine,
      text: lines[line - 1]?.trim() ?? "",
      own,
      lines: proof,
      takes,
      at: timeOf(place),
      ...(unreachable.some((span) => holds(span, place)) ? { isUnreachable: true } : {}),
    };
  };
  if (counted !== undefined)
    return counted.filter(isWanted).map((place) => unitOf({ ...place, own: place.lines }, "all"));
  // In other languages, code outside of functions (packages, imports, types) leaves no trace.
  const hasTrace = ({ at }: Unit): boolean => at !== "load" || definesByRunning(source.dialect.language);
  return tracedStatements(source)
    .filter(isWanted)
    .map((place) => unitOf(place, "any"))
    .filter(hasTrace);
}

/** Leaves out units that never run. Only Millwright's own rules leave them out, not those of benchmarks. */
export function reachableUnits(units: readonly Unit[]): Unit[] {
  return units.filter(({ isUnreachable }) => isUnreachable !== true);
}

/** Describes the unreachable lines of units as a list of one clause; empty without such lines. */
export function tellUnreachable(units: readonly Unit[], file?: string): string[] {
  const lines = linesOf(units.filter(({ isUnreachable }) => isUnreachable === true));
  if (lines.length === 0) return [];
  const place = file === undefined ? "" : `${file}:`;
  return [`${countOf(lines.length, "line is", "lines are")} proven unreachable: ${place}${listLines(lines)}`];
}

/**
 * True if a test executed the unit. A line that ran while its module was loaded counts too. If `at` is "both", the line
 * contains a definition and its body. It must then run at load time and again in a test.
 */
export function isExecuted({ lines, takes, at }: Unit, { executed, loaded }: RunLines): boolean {
  const ran = (line: number): boolean =>
    at === "both" ? executed.has(line) && loaded.has(line) : executed.has(line) || loaded.has(line);
  return takes === "all" ? lines.every(ran) : lines.some(ran);
}

export interface Counted {
  readonly executed: number;
  readonly all: number;
  /** The units that did not run. */
  readonly left: readonly Unit[];
  /** For people: a clause about lines that run whenever their file is loaded. Empty without such lines. */
  readonly loading: string;
}

/** Counts units as `countUnits` does. A unit counts as executed if the lines of `run` say so (`isExecuted`). */
export function countLines(units: readonly Unit[], run: RunLines): Counted {
  return countUnits(units, (unit) => isExecuted(unit, run));
}

/**
 * Counts the lines that run when a function is called. Only mentions the number of lines that run when a file is loaded
 * (`loading`), because tests do not call them.
 */
export function countUnits(units: readonly Unit[], isRun: (unit: Unit) => boolean): Counted {
  const left = linesOf(units.filter((unit) => !isRun(unit)));
  const called = linesOf(units.filter(({ at }) => at !== "load"));
  const loading = linesOf(units).length - called.length;
  const missed = left.filter(({ at }) => at !== "load").length;
  const what =
    loading === 1
      ? "one more line runs when its file is loaded"
      : `${countOf(loading, "more line runs", "more lines run")} when their files are loaded`;
  return { executed: called.length - missed, all: called.length, left, loading: loading === 0 ? "" : what };
}

/**
 * Shows a unit's text, such as `return x`. If the line also contains the function's definition, adds why it counts as
 * not executed.
 */
export function tellUnit({ text, at }: Unit): string {
  const why =
    " (this line also contains the definition, so loading the file runs the line: add a test that calls the definition, in a test file that imports the definition at the top)";
  return at === "both" ? `${text}${why}` : text;
}

/** Keeps one unit for each line, and sorts them by line. */
export function linesOf(units: readonly Unit[]): Unit[] {
  const byLine = new Map(units.map((unit) => [unit.line, unit]));
  return [...byLine.values()].sort((a, b) => a.line - b.line);
}

export function listLines(units: readonly Unit[]): string {
  return nameFirst(
    units.map(({ line }) => String(line)),
    20,
  );
}

function holds(span: Span, inner: Span): boolean {
  return inner.startLine >= span.startLine && inner.endLine <= span.endLine;
}

/**
 * True if the unit is the span's whole function, and the function has several lines. The line of its head then does not
 * count as one of its lines.
 */
function surrounds(unit: Span, span: Span): boolean {
  return span.startLine < span.endLine && unit.startLine === span.startLine && unit.endLine === span.endLine;
}

type Traced = Span & Pick<Unit, "own" | "lines">;

/**
 * Statements with the lines that prove their execution: their own, or those of inner statements. Older interpreters
 * report no line for a `try`, or for a loop without a condition.
 */
function tracedStatements(source: Source): Traced[] {
  const statements = statementsOf(source);
  const byNode = new Map(statements.map((statement) => [statement.node, statement]));
  return statements
    .filter((statement) => isTraced(source, statement))
    .map(({ node, ownLines }) => ({
      startLine: node.startLine,
      endLine: node.endLine,
      own: ownLines,
      lines: [...new Set([...ownLines, ...innerLines(source, node, byNode)])],
    }));
}

function innerLines(source: Source, node: SyntaxNode, byNode: ReadonlyMap<SyntaxNode, Statement>): number[] {
  const enter = (one: SyntaxNode): boolean =>
    one === node || (!isFunction(source, one) && roleOf(source, one) !== "class");
  return [...walk(node, enter)].flatMap((one) =>
    one !== node && enter(one) ? [...(byNode.get(one)?.ownLines ?? [])] : [],
  );
}

/**
 * True if a tracer reliably reports the statement. It reports no definitions, documentation, scope declarations and
 * empty statements.
 */
function isTraced(source: Source, { node, role }: Statement): boolean {
  if (role === "function" || role === "class" || role === "pass") return false;
  if (/^(?:global|nonlocal)_statement$/.test(node.kind)) return false;
  const parts = namedChildren(node);
  const [only] = parts;
  if (parts.some((part) => isDefinition(source, part))) return false;
  if (role !== "expression-statement" || parts.length !== 1 || only === undefined) return true;
  return roleOf(source, only) !== "string" && only.kind !== "ellipsis";
}

function isDefinition(source: Source, node: SyntaxNode): boolean {
  const role = roleOf(source, node);
  return role === "function" || role === "class";
}

const excluding = /\bpragma:?\s*no[ -]?cover\b|LCOV_EXCL_LINE|\bcoverage:\s*ignore\b/i;
const excludingNext = /\b(?:istanbul|c8|v8)\s+ignore\s+(?:next|if|else)\b/;

/** Returns the spans of clauses that a comment in their head excludes. */
function excludedSpans(source: Source): Span[] {
  const statements = statementsOf(source);
  return source.tree.text.split("\n").flatMap((text, index) => {
    if (excluding.test(text)) return [clauseAt(source, statements, index + 1)];
    if (!excludingNext.test(text)) return [];
    const isAlone = /^\s*(?:\/\/|\/\*)/.test(text) && !/\*\/\s*\S/.test(text);
    return [clauseAt(source, statements, isAlone ? index + 2 : index + 1)];
  });
}

/** The clause that begins on the line, or the enclosing statement up to the end of its first block. */
function clauseAt(source: Source, statements: readonly Statement[], line: number): Span {
  const text = source.tree.text.split("\n")[line - 1] ?? "";
  const indented = text.length - text.trimStart().length;
  const owner = statements.findLast(({ ownLines }) => ownLines.includes(line))?.node;
  const first = [...walk(source.tree.root)].find(
    (node) =>
      node.named && node.startLine === line && isFirstOn(source, node, indented) && hasBlock(source, node),
  );
  const clause = first ?? owner;
  const body = clause?.children.find((child) => roleOf(source, child) === "block");
  const startLine = first === undefined ? (owner?.startLine ?? line) : line;
  return { startLine, endLine: Math.max(line, (body ?? clause)?.endLine ?? line) };
}

function isFirstOn(source: Source, { start }: SyntaxNode, indented: number): boolean {
  return start - (source.tree.text.lastIndexOf("\n", start - 1) + 1) === indented;
}

function hasBlock(source: Source, node: SyntaxNode): boolean {
  return node.children.some((child) => roleOf(source, child) === "block");
}
