/**
 * Infers the executed units from the mutants that a run noticed. If a statement runs, the earlier statements of its
 * block and the statements around it have run too. Pure.
 */
import { languageOf } from "../../languages/source-files.ts";
import { childOf, parentsOf, type SyntaxNode, walk } from "../../syntax/node.ts";
import { readSource } from "../../syntax/read-source.ts";
import { roleOf, type Source } from "../../syntax/reading.ts";
import { isFunction, isStatement, statementsOf } from "../../syntax/statements.ts";
import type { ExecutedCode, Unit } from "../measure/executable-lines.ts";
import type { Mutant } from "./list-mutants.ts";

export type NoticedPlace = Pick<Mutant, "line" | "start" | "end">;

/**
 * Finds the units that ran, from the mutants that tests noticed. All units on a noticed mutant's line count as run. So
 * do the statements that must run before it, and code that runs when the file is loaded. A mutant outside of functions
 * shows only that the file was loaded, not that its functions were called.
 */
export async function unitsRun(
  { file, text, units }: ExecutedCode,
  noticed: readonly NoticedPlace[],
): Promise<Unit[]> {
  const source = await readSource(file, text, languageOf);
  if (source === undefined || noticed.length === 0) return [];
  const bodies = [...walk(source.tree.root)].flatMap((node) =>
    isFunction(source, node) ? [childOf(node, "body") ?? node] : [],
  );
  const isCalled = ({ start, end }: NoticedPlace): boolean =>
    bodies.some((body) => body.start <= start && end <= body.end);
  const called = new Set(noticed.filter(isCalled).map(({ line }) => line));
  const loaded = new Set(noticed.map(({ line }) => line));
  const statements = statementsOf(source);
  const ran = new Set(walk(source.tree.root, (node) => runsOnLoading(source, node)));
  for (const line of called) {
    const first = statements.find(({ ownLines }) => ownLines.includes(line));
    if (first !== undefined) for (const node of runBefore(source, first.node)) ran.add(node);
  }
  const spans = new Set(statements.filter(({ node }) => ran.has(node)).map(({ node }) => spanOf(node)));
  return units.filter(
    (unit) =>
      unit.own.some((line) => (unit.at === "load" ? loaded : called).has(line)) ||
      (unit.at !== "both" && spans.has(spanOf({ startLine: unit.line, endLine: unit.endLine }))),
  );
}

function spanOf({ startLine, endLine }: Pick<SyntaxNode, "startLine" | "endLine">): string {
  return `${startLine}-${endLine}`;
}

/** True if the children run whenever the file is loaded. */
function runsOnLoading(source: Source, node: SyntaxNode): boolean {
  const role = roleOf(source, node);
  if (role === "module" || role === "class" || /^(?:export|decorated)_/.test(node.kind)) return true;
  return role === "block" && node.parent !== undefined && roleOf(source, node.parent) === "class";
}

/** The statement, its enclosing statements within its function, and the statements before each of these. */
function* runBefore(source: Source, statement: SyntaxNode): Generator<SyntaxNode> {
  for (const node of [statement, ...parentsOf(statement)]) {
    if (isFunction(source, node)) return;
    if (!isStatement(source, node)) continue;
    yield node;
    if (node.parent !== undefined && roleOf(source, node.parent) === "block") yield* before(node);
  }
}

/** Kinds of statements that a jump can reach without running the statements before them. */
const jumpedTo = /label|case|default|rescue|catch|except/;

function before(node: SyntaxNode): SyntaxNode[] {
  if (jumpedTo.test(node.kind)) return [];
  const earlier = (node.parent?.children ?? []).filter(({ end }) => end <= node.start);
  return earlier.slice(earlier.findLastIndex(({ kind }) => jumpedTo.test(kind)) + 1);
}
