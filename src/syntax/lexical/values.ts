/** Recognises JavaScript functions and classes as values, tests written as calls, and fields that methods assign. */
import { lineAt, whatAt } from "./reader.ts";
import { codes, marks } from "./tokens.ts";
import { addDefinition, afterAngle, afterBracket, type Walk } from "./walk.ts";

/**
 * True if a function or class value begins at `index`: `function`, `class`, `async (a) =>`, `a =>`. With `before`, the
 * value must begin after the next `=`; that `=` must be at most 30 tokens and two lines away.
 */
export function isFunctionValue(walk: Walk, index: number, before = false): boolean {
  let at = index;
  if (before) {
    for (let seen = 0; whatAt(walk, at) !== codes.equals; at++, seen++)
      if (seen > 30 || whatAt(walk, at) === codes.semicolon || lineAt(walk, at) > lineAt(walk, index) + 2)
        return false;
    at++;
  }
  const { of } = walk.words;
  if (whatAt(walk, at) === of.async) at++;
  const what = whatAt(walk, at);
  if (what === of.function || what === of.class) return true;
  if (what >= 0) return isArrow(walk, at + 1);
  if (what === codes.less) at = afterAngle(walk, at);
  if (whatAt(walk, at) !== codes.openRound) return false;
  const after = afterBracket(walk, at);
  if (after === at) return false;
  return isArrow(walk, after) || (whatAt(walk, after) === codes.colon && hasArrow(walk, after));
}

function isArrow(walk: Walk, index: number): boolean {
  return whatAt(walk, index) === codes.equals && whatAt(walk, index + 1) === codes.more;
}

/** Skips an arrow function's return type. */
function hasArrow(walk: Walk, index: number): boolean {
  for (let at = index; at < index + 40; at++) {
    const what = whatAt(walk, at);
    if (isArrow(walk, at)) return true;
    if (
      what === codes.semicolon ||
      what === codes.equals ||
      what === codes.comma ||
      what === codes.closeRound
    )
      return false;
  }
  return false;
}

/**
 * Adds a definition if a call at `index` begins a test or a suite, as in `it("does", …)`. Returns true if it added one.
 * The caller has checked that the word at `index` can begin a test.
 */
export function startTest(walk: Walk, index: number): boolean {
  if (whatAt(walk, index + 1) !== codes.openRound || whatAt(walk, index + 2) !== marks.string) return false;
  if (whatAt(walk, index + 3) !== codes.comma || whatAt(walk, index - 1) === codes.dot) return false;
  const isSuite = /describe|suite|context/.test(walk.names.textOf(whatAt(walk, index)));
  const definition = addDefinition(walk, {
    kind: "test",
    name: index + 2,
    headEnd: index + 3,
    isTest: !isSuite,
  });
  walk.calls.push({ definition, depth: walk.brackets.length });
  return true;
}

/** Adds a field to the enclosing class for a method's `this.name = …`. Adds each name only once. */
export function readOwnField(walk: Walk, index: number): void {
  const name = index + 2;
  if (whatAt(walk, index + 1) !== codes.dot || whatAt(walk, name) < 0) return;
  if (whatAt(walk, name + 1) !== codes.equals || whatAt(walk, name + 2) === codes.equals) return;
  const type = walk.scopes.findLast(({ sort }) => sort === "type")?.definition ?? -1;
  const key = `${type} ${whatAt(walk, name)}`;
  if (walk.fields.has(key)) return;
  walk.fields.add(key);
  const field = addDefinition(walk, { kind: "field", name, headEnd: name + 1 });
  const added = walk.found[field];
  if (added !== undefined) walk.found[field] = { ...added, container: type, first: index };
}
