/** Reads the definitions of brace languages in one pass over the tokens, by keywords and the forms of statements. */
import { close, endStatement, endsBefore, open } from "./blocks.ts";
import { passAnnotation, passHash } from "./hashes.ts";
import { classify } from "./heads.ts";
import { lineAt, type Reader, whatAt } from "./reader.ts";
import type { Role, Shape } from "./shapes.ts";
import { codes } from "./tokens.ts";
import { isFunctionValue, readOwnField, startTest } from "./values.ts";
import {
  afterAngle,
  afterBracket,
  declares,
  emptyStatement,
  openScope,
  roleAt,
  type Scope,
  scopeOf,
  type Walk,
  type Words,
} from "./walk.ts";

export interface BraceWords {
  readonly roles: readonly (Role | undefined)[];
  readonly words: Words;
}

export function readBraces(reader: Reader, shape: Shape, { roles, words }: BraceWords): void {
  const root: Scope = {
    sort: "file",
    definition: -1,
    isBody: false,
    depth: 0,
    owner: undefined,
    role: undefined,
    around: emptyStatement(),
    goesOn: false,
  };
  const walk: Walk = {
    ...reader,
    shape,
    roles,
    words,
    scopes: [root],
    statement: emptyStatement(),
    brackets: [],
    lastOpen: -1,
    calls: [],
    branches: [],
    fields: new Set(),
  };
  const { tokens } = reader;
  for (let index = 0; index < tokens.count; ) {
    const next = passQuiet(walk, index);
    index = next > index ? next : Math.max(index + 1, step(walk, index));
  }
  endStatement(walk, tokens.count, ";");
}

/** Marks for which `step` does more than add them to a head. */
const telling = new Uint8Array(256);
for (const character of "{}()[];#@") telling[character.charCodeAt(0)] = 1;

/**
 * Skips tokens that `step` would ignore: those in brackets and, inside a function, all that belong to no head or value.
 * This covers most tokens. Counts the brackets among them.
 */
function passQuiet(walk: Walk, index: number): number {
  const { statement, brackets, tokens, words } = walk;
  const { sort, depth } = scopeOf(walk);
  const isInBlock = sort === "block" && !statement.inValue && statement.head.length === 0;
  if (brackets.length === depth && !isInBlock) return index;
  const closesHere = sort !== "group" && walk.calls.length === 0;
  const { what, count } = tokens;
  const names = words.telling;
  let at = index;
  for (; at < count; at++) {
    const code = what[at] ?? 0;
    if (code >= 0) {
      if (code < names.length && names[code] === 1) break;
      continue;
    }
    if (telling[-code] !== 1) continue;
    if (code === codes.openRound || code === codes.openSquare) brackets.push(at);
    else if (closesHere && (code === codes.closeRound || code === codes.closeSquare)) {
      if (brackets.length > depth) walk.lastOpen = brackets.pop() ?? -1;
    } else break;
    if (brackets.length === depth && !isInBlock) return at + 1;
  }
  return at;
}

/** Returns the place of the next token if it is not simply the following one. */
function step(walk: Walk, index: number): number {
  const { statement, brackets } = walk;
  const scope = scopeOf(walk);
  const what = whatAt(walk, index);
  const isOutside = brackets.length === scope.depth;
  if (walk.shape.lines && isOutside && isBegun(walk) && endsBefore(walk, index))
    endStatement(walk, index, "\n");
  if (what >= 0) return passName(walk, index, isOutside);
  switch (what) {
    case codes.openBrace:
      open(walk, index, isOutside);
      return 0;
    case codes.closeBrace:
      close(walk, index);
      return 0;
    case codes.openRound:
    case codes.openSquare:
      return openBracket(walk, index, isOutside);
    case codes.closeRound:
    case codes.closeSquare:
      closeBracket(walk, index);
      return 0;
    case codes.semicolon:
      if (isOutside) endStatement(walk, index, ";");
      if (isOutside && scope.sort === "enum") scope.sort = "type";
      return 0;
    case codes.hash:
      return passHash(walk, index);
    case codes.at:
      return isOutside ? passAnnotation(walk, index) : 0;
  }
  if (!isOutside || (statement.head.length === 0 && !statement.inValue)) return 0;
  return passMark(walk, index, what);
}

function isBegun({ statement }: Walk): boolean {
  return statement.inValue || statement.head.length > 0;
}

/** Handles marks that have a meaning in a statement's head. */
function passMark(walk: Walk, index: number, what: number): number {
  const { statement, shape } = walk;
  const scope = scopeOf(walk);
  if (what === codes.comma) {
    if (
      scope.sort === "enum" ||
      scope.sort === "object" ||
      (shape.commas && scope.sort === "type" && !hasRole(walk))
    )
      endStatement(walk, index, ",");
    else if (statement.inValue || !isLongHead(walk)) nextDeclarator(walk, index);
    return 0;
  }
  if (statement.inValue) return 0;
  if (what === codes.equals) {
    const next = whatAt(walk, index + 1);
    if (next === codes.more && shape.members !== "declarators") return index + 2;
    if (next === codes.equals) return index + 2;
    beginValue(walk, index);
    return 0;
  }
  if (what === codes.colon && scope.sort === "object") {
    beginValue(walk, index);
    return 0;
  }
  if (
    what === codes.colon &&
    shape.hasDirectives &&
    statement.head.length === 1 &&
    declares(scope) &&
    whatAt(walk, index + 1) !== codes.colon
  ) {
    if (scope.sort !== "enum") walk.statement = emptyStatement(); // `public:`
    return 0;
  }
  if (what === codes.less) {
    const after = afterAngle(walk, index);
    if (after > index) return after;
  }
  statement.head.push(index);
  return 0;
}

/** True for a head in which a comma does not end a declarator: `class A implements B, C`, `void a() throws B, C`. */
function isLongHead(walk: Walk): boolean {
  return walk.statement.head.some((token) => {
    const role = roleAt(walk, token);
    return (
      whatAt(walk, token) === codes.openRound ||
      (role !== undefined && (role.opens !== "block" || role.kind === "function"))
    );
  });
}

/** True if the head contains a keyword, as before `where A: B, C: D` of a function. */
function hasRole(walk: Walk): boolean {
  return walk.statement.head.some((token) => roleAt(walk, token) !== undefined);
}

function passName(walk: Walk, index: number, isOutside: boolean): number {
  const { statement, shape, words } = walk;
  const what = whatAt(walk, index);
  if (words.tests.has(what) && startTest(walk, index)) return 0;
  if (what === words.of.this && shape.hasObjects) readOwnField(walk, index);
  if (!isOutside || statement.inValue) return 0;
  if (statement.head.length === 0 && !declares(scopeOf(walk)) && !beginsInside(walk, index)) return 0;
  if (statement.first < 0) statement.first = index;
  statement.head.push(index);
  return 0;
}

/** True if a definition begins here. Inside a function, only keywords and values that contain a function begin one. */
function beginsInside(walk: Walk, index: number): boolean {
  const role = roleAt(walk, index);
  if (role === undefined) return false;
  if (role.anywhere === true) return true;
  return walk.shape.hasObjects && whatAt(walk, index + 1) >= 0 && isFunctionValue(walk, index + 2, true);
}

function openBracket(walk: Walk, index: number, isOutside: boolean): number {
  const { statement, shape, brackets } = walk;
  const scope = scopeOf(walk);
  const isRound = whatAt(walk, index) === codes.openRound;
  if (isOutside && !statement.inValue && statement.head.length > 0 && isRound) {
    const role = statement.head.length === 1 ? walk.roles[whatAt(walk, statement.head[0] ?? -1)] : undefined;
    if (
      shape.members === "lines" &&
      role !== undefined &&
      role.kind !== "function" &&
      scope.sort === "file"
    ) {
      openScope(walk, {
        ...scope,
        sort: "group",
        isBody: false,
        depth: brackets.length + 1,
        role,
        around: emptyStatement(),
        goesOn: false,
      });
      walk.statement = emptyStatement();
    } else statement.head.push(index);
  } else if (
    isOutside &&
    statement.head.length === 0 &&
    !isRound &&
    shape.members === "declarators" &&
    declares(scope)
  ) {
    if (statement.first < 0) statement.first = index; // C# attributes
    return afterBracket(walk, index);
  }
  brackets.push(index);
  return 0;
}

function closeBracket(walk: Walk, index: number): void {
  const { brackets, calls } = walk;
  const scope = scopeOf(walk);
  if (scope.sort === "group" && brackets.length === scope.depth) {
    endStatement(walk, index, "\n");
    walk.scopes.pop();
  }
  if (brackets.length > scopeOf(walk).depth || scope.sort === "group") walk.lastOpen = brackets.pop() ?? -1;
  const call = calls.at(-1);
  if (call === undefined || brackets.length > call.depth) return;
  calls.pop();
  const test = walk.found[call.definition];
  if (test !== undefined) test.endLine = lineAt(walk, index);
}

function beginValue(walk: Walk, index: number): void {
  const { statement } = walk;
  const found = classify(walk, whatAt(walk, index) === codes.colon ? ":" : "=", index);
  statement.inValue = true;
  statement.valueOf = found?.isBody === true ? found.definition : -1;
}

/** Begins the next declarator: in `int a = 1, b;` the type or the keyword also applies to `b`. */
function nextDeclarator(walk: Walk, index: number): void {
  const { statement } = walk;
  if (!statement.inValue) classify(walk, ",", index);
  const [type] = statement.head;
  walk.statement = {
    first: statement.first,
    head: type === undefined ? [] : [type],
    inValue: false,
    valueOf: -1,
  };
}
