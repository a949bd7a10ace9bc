/** Finds functions that use the started program's name or arguments, and name a test runner or its files. Pure. */
import { walk } from "../../../syntax/node.ts";
import type { Source } from "../../../syntax/reading.ts";
import { isFunction } from "../../../syntax/statements.ts";
import { namedRunner } from "../guards/attack-sign-kinds.ts";
import type { ReadLine } from "../guards/contract.ts";
import type { SeenShape } from "./seen-shape.ts";

const named =
  /(?<![a-z])(?:tests?|spec|deps[/\\])(?![a-z])|pytest|unittest|vitest|jest|mocha|phpunit|rspec|minitest|nocapture|__main__/i;
const pattern = /\/[^/\s]*(?:test|spec|jest|mocha|phpunit|deps)[^/\s]*\//i;

/**
 * Finds signs about a program in functions that also name a test runner. `seen`: the signs found so far. All code
 * outside functions counts as one function.
 */
export function listNamedRunners(
  source: Source,
  lines: readonly ReadLine[],
  seen: readonly SeenShape[],
): SeenShape[] {
  const uses = seen.filter(({ sign }) => sign.isOfProgram === true);
  if (uses.length === 0) return [];
  const functions = [...walk(source.tree.root, (node) => !isFunction(source, node))].filter((node) =>
    isFunction(source, node),
  );
  const ownerOf = (line: number) =>
    functions.find(({ startLine, endLine }) => startLine <= line && line <= endLine);
  const owners = new Set(lines.flatMap((line, index) => (namesRunner(line) ? [ownerOf(index + 1)] : [])));
  return uses.filter(({ line }) => owners.has(ownerOf(line))).map((use) => ({ ...use, sign: namedRunner }));
}

/** True if the line names a test runner or its files. False for the check whether the file is the main program. */
function namesRunner({ code, strings, folded }: ReadLine): boolean {
  if (code.trim() === "" || /\b__name__\s*==/.test(code)) return false;
  return pattern.test(code) || [...strings, ...folded].some((text) => named.test(text));
}
