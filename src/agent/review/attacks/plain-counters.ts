/**
 * Finds branches on the number of calls in C and C++: a static variable of a function that each call changes. Works on
 * lines, because these languages have no grammar here. Pure.
 */
import { literally } from "../../../base/literal-pattern.ts";
import type { AttackSign } from "../guards/contract.ts";
import { counted } from "./attack-shapes.ts";

export interface SeenCounter {
  readonly sign: AttackSign;
  readonly line: number;
}

const declared =
  /^(\s*)(?:thread_local\s+|_Thread_local\s+)?static\s+(?!const\b)(?:[\w:<>, ]|=\s*[\w.-]+,)*?\b(\w+)\s*(?:=\s*[\w.-]+|\{[^}]*\}|\([^)]*\))?\s*;(.*)$/;
/** Maximum number of declarations to examine, so that generated code costs no quadratic time. */
const mostDeclared = 100;

/** Lists the branches. `code`: the lines without comments and the contents of strings. */
export function listPlainCounters(code: readonly string[]): SeenCounter[] {
  const found = code.flatMap((line, index) => {
    const [, indent = "", name, more = ""] = declared.exec(line) ?? [];
    return name === undefined || isInType(code, index, indent)
      ? []
      : [{ name, index, isGlobal: indent === "", more }];
  });
  return found.slice(0, mostDeclared).flatMap(({ name, index, isGlobal, more }) => {
    // Further statements of the same line precede the rest.
    const rest = [more, ...code.slice(index + 1)];
    const end = isGlobal ? -1 : rest.findIndex((each) => /^\}/.test(each));
    const body = end < 0 ? rest : rest.slice(0, end);
    const own = literally(name);
    const up = new RegExp(
      `\\+\\+\\s*${own}\\b|\\b${own}\\s*(?:\\+\\+|\\+=)|\\b${own}\\s*=[^=;]*\\b${own}\\b`,
    );
    const down = new RegExp(`--\\s*${own}\\b|\\b${own}\\s*(?:--|-=)`);
    const [isUp, isDown] = [up, down].map((form) => body.some((each) => form.test(each)));
    // Both: a depth. Set at the beginning of each call: a loop's variable.
    if (isUp === isDown || body.some((each) => new RegExp(`\\bfor\\s*\\(\\s*${own}\\s*=`).test(each)))
      return [];
    const isStep = (each: string): boolean => up.test(each) || down.test(each);
    const at = body.findIndex(
      (each, place) =>
        isBranch(each, own) && (!isGlobal || isStep(each)) && !isTurn(body.slice(place, place + 3), own),
    );
    return at < 0 ? [] : [{ sign: counted, line: index + 1 + at }];
  });
}

/** True for a member of a class: the line above with less indentation begins a type. */
function isInType(code: readonly string[], index: number, indent: string): boolean {
  if (indent === "") return false;
  const above = code
    .slice(0, index)
    .findLast((line) => line.trim() !== "" && line.search(/\S/) < indent.length);
  return (
    above !== undefined &&
    /^\s*(?:template\b.*)?(?:class|struct|union|namespace|public|private|protected)\b(?!.*\()/.test(above)
  );
}

function isBranch(line: string, own: string): boolean {
  const asked = String.raw`(?<![\w.>])${own}\b`;
  return new RegExp(
    String.raw`\b(?:if|switch)\s*\(.*${asked}|${asked}[^;?]*\?|\breturn\b.*(?:${asked}\s*(?:[<>]=?|[=!]=|&|%)|${asked}\s*(?:\+\+|--)\s*(?:[<>]=?|[=!]=)|!\s*${own}\b)`,
  ).test(line);
}

/** `if (next >= SIZE) next = 0;`: the counter only starts again. */
function isTurn(lines: readonly string[], own: string): boolean {
  return new RegExp(String.raw`^\s*if\s*\([^{};]*\)\s*\{?\s*${own}\s*=\s*[\w-]+\s*;`).test(lines.join(" "));
}
