/**
 * Tells when the lines of a file run: while the file is loaded, or while a function is called. In languages that
 * execute definitions, a one-line function shares its line with its definition. Loading alone marks this line as
 * executed. Pure.
 */
import type { Language } from "../../languages/contract.ts";
import { languages } from "../../languages/languages.generated.ts";
import { childOf, namedChildren, type SyntaxNode, walk } from "../../syntax/node.ts";
import type { Source } from "../../syntax/reading.ts";
import { isFunction } from "../../syntax/statements.ts";

interface Lines {
  readonly startLine: number;
  readonly endLine: number;
}

export type RunsAt = "load" | "call" | "both";

const all: readonly Language[] = languages;

/** True if a line tracer also reports definitions, because the language executes them as statements. */
export function definesByRunning(language: string): boolean {
  return all.some((one) => one.name === language && one.definesByRunning === true);
}

/**
 * Returns a function that says when given lines run: on loading, in calls, or both. `counted`: the lines with counters;
 * undefined if a tracer reports lines.
 */
export function readTimes(source: Source, counted: readonly Lines[] | undefined): (unit: Lines) => RunsAt {
  const functions = outermostFunctions(source);
  const starts = Map.groupBy(counted ?? [], ({ startLine }) => startLine);
  const isShared = (line: number): boolean =>
    counted === undefined ? definesByRunning(source.dialect.language) : (starts.get(line)?.length ?? 0) > 1;
  const short = new Set(functions.filter((node) => bodyLine(node) === node.startLine).map(lineOf));
  return ({ startLine, endLine }) => {
    if (short.has(startLine)) return isShared(startLine) ? "both" : "call";
    const isInside = functions.some((node) => node.startLine < startLine && node.endLine >= endLine);
    return isInside ? "call" : "load";
  };
}

function lineOf({ startLine }: SyntaxNode): number {
  return startLine;
}

function outermostFunctions(source: Source): SyntaxNode[] {
  const around = (node: SyntaxNode): boolean => !isFunction(source, node);
  return [...walk(source.tree.root, around)].filter((node) => isFunction(source, node));
}

/** The line of the first statement in the definition's body. */
function bodyLine(node: SyntaxNode): number | undefined {
  const body = childOf(node, "body");
  if (body === undefined || !/block|body/.test(body.kind)) return body?.startLine;
  return namedChildren(body)[0]?.startLine;
}
