/** Opens and closes scopes and ends statements, for the reader of brace languages. */
import { classify } from "./heads.ts";
import { lineAt, whatAt } from "./reader.ts";
import { codes, mark } from "./tokens.ts";
import { type End, emptyStatement, openScope, type Scope, scopeOf, type Walk } from "./walk.ts";

export function endStatement(walk: Walk, index: number, end: End): void {
  const { statement, found } = walk;
  if (!statement.inValue && statement.head.length > 0) classify(walk, end, index);
  else if (statement.valueOf >= 0) {
    const definition = found[statement.valueOf];
    if (definition !== undefined) definition.endLine = Math.max(definition.endLine, lineAt(walk, index - 1));
  }
  walk.statement = emptyStatement();
}

export function open(walk: Walk, index: number, isOutside: boolean): void {
  const { statement, brackets } = walk;
  const scope = scopeOf(walk);
  const around = statement;
  const body =
    isOutside && statement.head.length > 0 && !statement.inValue ? classify(walk, "{", index) : undefined;
  const next: Pick<Scope, "sort" | "definition" | "isBody" | "owner"> = body ?? {
    ...sortOfBraces(walk, index, isOutside),
    owner: undefined,
  };
  openScope(walk, {
    ...next,
    depth: brackets.length,
    role: undefined,
    around,
    goesOn: !isOutside || statement.inValue || body?.goesOn === true,
  });
  if (next.sort === "module" && next.definition === -1 && !next.isBody) scopeOf(walk).sort = scope.sort;
  walk.statement = emptyStatement();
}

/** The sort of braces that are not the body of a head: part of a value, or a block. */
function sortOfBraces(
  walk: Walk,
  index: number,
  isOutside: boolean,
): Pick<Scope, "sort" | "definition" | "isBody"> {
  const { statement, shape, found } = walk;
  const scope = scopeOf(walk);
  const holder = statement.valueOf;
  const definition = holder >= 0 ? holder : scope.definition;
  const before = whatAt(walk, index - 1);
  if (shape.members === "lines" && (before === walk.words.of.struct || before === walk.words.of.interface))
    return { sort: "type", definition: scope.definition, isBody: false };
  if (holder >= 0 && (isOutside || shape.hasObjects)) {
    const kind = found[holder]?.kind;
    if (kind === "type") return { sort: "type", definition, isBody: true };
    if (kind === "function" || kind === "method") return { sort: "block", definition, isBody: isOutside };
    if (kind === "class") return { sort: "type", definition, isBody: true };
  }
  if (isAnonymousClass(walk, index)) return { sort: "type", definition: scope.definition, isBody: false };
  if (shape.hasObjects && (beforeObjects.has(before) || before === walk.words.of.return))
    return { sort: "object", definition, isBody: holder >= 0 };
  return { sort: "block", definition: scope.definition, isBody: false };
}

const beforeObjects: ReadonlySet<number> = new Set(["(", ",", "=", ":", "[", "?", "|", "&"].map(mark));

/** True at the `{` of an anonymous class: `new Type(…) {`, `object : Type {`. */
function isAnonymousClass(walk: Walk, index: number): boolean {
  const { words, lastOpen, shape } = walk;
  if (shape.hasObjects || shape.declaratorsInFiles || shape.lines !== (shape.members === "none"))
    return false;
  if (shape.members === "none") return false;
  if (whatAt(walk, index - 1) !== codes.closeRound || lastOpen < 1) return false;
  for (let back = lastOpen - 1; back > lastOpen - 12 && back >= 0; back--) {
    const what = whatAt(walk, back);
    if (what === words.of.new) return true;
    if (
      what < 0 &&
      what !== codes.less &&
      what !== codes.more &&
      what !== codes.dot &&
      what !== codes.comma &&
      what !== codes.question
    )
      return false;
  }
  return false;
}

export function close(walk: Walk, index: number): void {
  const { scopes, brackets, found } = walk;
  if (brackets.length <= scopeOf(walk).depth) endStatement(walk, index, "}");
  if (scopeOf(walk).sort === "group") scopes.pop();
  if (scopes.length === 1) {
    walk.statement = emptyStatement();
    return;
  }
  const scope = scopes.pop();
  if (scope === undefined) return;
  brackets.length = Math.min(brackets.length, scope.depth);
  const owner = scope.isBody ? found[scope.definition] : undefined;
  if (owner !== undefined) owner.endLine = lineAt(walk, index);
  walk.statement = scope.goesOn ? scope.around : emptyStatement();
}

/**
 * True if the current statement ends before the token at `index`. The token must be on a new line. Neither this token
 * nor the token before it may continue the statement.
 */
export function endsBefore(walk: Walk, index: number): boolean {
  if (lineAt(walk, index) === lineAt(walk, index - 1)) return false;
  const [before, what] = [whatAt(walk, index - 1), whatAt(walk, index)];
  if (continuesAfter.has(before) || walk.words.continues.has(what)) return false;
  return !continuesBefore.has(what);
}

const continuesAfter: ReadonlySet<number> = new Set(
  [",", ".", "=", "+", "-", "/", ":", "&", "|", "("].map(mark),
);

const continuesBefore: ReadonlySet<number> = new Set(
  [".", "?", ":", "=", "+", "/", "&", "|", ")", "]", ",", "{", "}", "<"].map(mark),
);
