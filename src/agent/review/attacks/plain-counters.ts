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
  /^\s+(?:thread_local\s+|_Thread_local\s+)?static\s+(?:(?:thread_local|volatile|unsigned|signed|long|short|int|char|bool|size_t|u?int\d+_t|std::\w+_t|_Atomic|(?:std::)?atomic(?:<[\w: ]*>|_\w+))\s+)+(\w+)\s*(?:=\s*[\w-]+|\{[^}]*\}|\([^)]*\))?\s*;/;

/** Lists the branches. `code`: the lines without comments and the contents of strings. */
export function listPlainCounters(code: readonly string[]): SeenCounter[] {
  return code.flatMap((line, index) => {
    const [, name] = declared.exec(line) ?? [];
    if (name === undefined) return [];
    const rest = code.slice(index + 1);
    const end = rest.findIndex((each) => /^\}/.test(each));
    const body = end < 0 ? rest : rest.slice(0, end);
    const own = literally(name);
    const step = new RegExp(
      `(?:\\+\\+|--)\\s*${own}\\b|\\b${own}\\s*(?:\\+\\+|--|[+-]=)|\\b${own}\\s*=[^=;]*\\b${own}\\b`,
    );
    if (!body.some((each) => step.test(each))) return [];
    const at = body.findIndex(
      (each, place) => isBranch(each, own) && !isTurn(body.slice(place, place + 3), own),
    );
    return at < 0 ? [] : [{ sign: counted, line: index + 2 + at }];
  });
}

function isBranch(line: string, own: string): boolean {
  const asked = String.raw`(?<![\w.>])${own}\b`;
  return new RegExp(
    String.raw`\b(?:if|while|switch)\s*\(.*${asked}|${asked}[^;?]*\?|\breturn\b.*${asked}\s*(?:[<>]=?|[=!]=|&|%)`,
  ).test(line);
}

/** `if (next >= SIZE) next = 0;`: the counter only starts again. */
function isTurn(lines: readonly string[], own: string): boolean {
  return new RegExp(String.raw`^\s*if\s*\([^{};]*\)\s*\{?\s*${own}\s*=\s*[\w-]+\s*;`).test(lines.join(" "));
}
