/** "by `withdraw` and by `transfer` alike": a statement that speaks of two names at once asks for both. Pure. */
import type { OwnTest } from "./own-tests.ts";

const name = /(?:by\s+|in\s+|with\s+|for\s+)?`([^`\n]{2,80})`/.source;
const both = new RegExp(
  [
    `\\bboth\\s+(?:of\\s+)?${name}\\s+and\\s+${name}`,
    `${name}\\s+and\\s+${name}\\s*,?\\s+(?:alike|both|as well|too|each)\\b`,
    `${name}\\s*,?\\s+as well as\\s+${name}`,
    `\\bneither\\s+${name}\\s+nor\\s+${name}`,
  ].join("|"),
  "giu",
);
const isName = /^[\p{L}_$][\p{L}\p{N}_$.:]*(?:\([^)\n]*\))?$/u;

/** Of two that the statement speaks of at once: the one that no test names, where one names the other. */
export function findLeftOut(
  statement: string,
  tests: readonly OwnTest[],
): { readonly asked: string; readonly leftOut: string } | undefined {
  const text = tests.map(({ body, around }) => `${around}\n${body}`).join("\n");
  for (const [, ...found] of statement.matchAll(both)) {
    const names = found.filter((each) => each !== undefined).filter((each) => isName.test(each));
    const [named, others] = [
      names.filter((each) => holds(text, each)),
      names.filter((each) => !holds(text, each)),
    ];
    if (names.length === 2 && named[0] !== undefined && others[0] !== undefined)
      return { asked: named[0], leftOut: others[0] };
  }
  return undefined;
}

function holds(text: string, name: string): boolean {
  const word = name.replace(/\(.*$/, "").split(/\.|::/).at(-1) ?? "";
  return new RegExp(`(?<![\\w$])${word.replaceAll("$", String.raw`\$`)}(?![\\w$])`).test(text);
}
