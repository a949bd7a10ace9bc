import { lineAt, whatAt } from "./reader.ts";
import { codes } from "./tokens.ts";
import { addDefinition, afterBracket, declares, emptyStatement, scopeOf, type Walk } from "./walk.ts";

/**
 * Skips a Rust attribute or a C directive at `index`; a `#define` with parameters or a value also adds a macro or
 * constant. Returns the index of the next token; 0 if there is no attribute or directive.
 */
export function passHash(walk: Walk, index: number): number {
  const { statement, shape, words, scopes } = walk;
  if (!shape.hasDirectives) {
    const bracket = whatAt(walk, index + 1) === codes.bang ? index + 2 : index + 1;
    if (whatAt(walk, bracket) !== codes.openSquare) return 0;
    if (statement.first < 0 && declares(scopeOf(walk)) && bracket === index + 1) statement.first = index;
    return afterBracket(walk, bracket);
  }
  const { of } = words;
  const directive = whatAt(walk, index + 1);
  if (directive === of.if || directive === of.ifdef || directive === of.ifndef)
    walk.branches.push(scopes.length);
  else if (directive === of.else || directive === of.elif)
    scopes.length = Math.min(scopes.length, Math.max(1, walk.branches.at(-1) ?? 1));
  else if (directive === of.endif) walk.branches.pop();
  const after = afterDirective(walk, index);
  if (directive === of.define && whatAt(walk, index + 2) >= 0) {
    const isMacro = whatAt(walk, index + 3) === codes.openRound && isTight(walk, index + 2);
    const before = walk.statement;
    walk.statement = { ...emptyStatement(), first: index };
    if (isMacro || after > index + 3)
      addDefinition(walk, { kind: isMacro ? "macro" : "constant", name: index + 2, headEnd: after });
    walk.statement = before;
  }
  return after;
}

function isTight({ tokens, names }: Walk, token: number): boolean {
  const length = names.textOf(tokens.what[token] ?? 0).length;
  return (tokens.start[token] ?? 0) + length === tokens.start[token + 1];
}

/** The end of the directive's line, which a backslash continues on the next one. */
function afterDirective(walk: Walk, index: number): number {
  let at = index + 1;
  let line = lineAt(walk, index);
  for (; at < walk.tokens.count; at++) {
    const own = lineAt(walk, at);
    if (own === line) continue;
    if (whatAt(walk, at - 1) !== codes.backslash) break;
    line = own;
  }
  return at;
}

/**
 * Skips an annotation, and returns the index of the next token. An annotation such as `@Name.of(…)` belongs to the
 * statement but not to its head. Returns 0 for Java's `@interface`, which is a keyword.
 */
export function passAnnotation(walk: Walk, index: number): number {
  const { statement, words } = walk;
  if (statement.first < 0) statement.first = index;
  if (whatAt(walk, index + 1) === words.of.interface) return 0;
  let next = index + 2;
  while (whatAt(walk, next) === codes.dot || whatAt(walk, next) === codes.colon) next += 2;
  return whatAt(walk, next) === codes.openRound ? afterBracket(walk, next) : next;
}
