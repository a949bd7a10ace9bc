/**
 * Checks that the tests of a feature show each result that the statement requires ("`total([3, 7])` must return 18"). A
 * test must compare with the result, pass the stated number of arguments, and assign none of the patch's names. Works
 * on the text. Pure.
 */
import { argumentsAt } from "../../state/assertion-text.ts";
import { listAskedNames } from "../statement/stated-names.ts";
import {
  comparesWith,
  findUnasked,
  readStatedResults,
  type StatedResult,
} from "../statement/stated-results.ts";
import type { OwnTest } from "../texts/own-tests.ts";

/**
 * Describes a stated result that no test shows, or that the tests show only with further arguments or with a setting
 * that the patch adds. Returns undefined if there is none. `brought`: the names that the patch adds.
 */
export function tellUnshown(
  tests: readonly OwnTest[],
  statement: string,
  brought: Iterable<string>,
): string | undefined {
  const asked = new Set(listAskedNames(statement));
  const stated = readStatedResults(statement, true).filter(({ name }) => asked.has(name));
  const unasked = findUnasked(stated, tests);
  if (unasked !== undefined)
    return `The statement says that \`${unasked.call}\` must return ${unasked.value}, but no new test compares with this result.`;
  const words = new Set(statement.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []);
  const settings = [...brought].filter((name) => !asked.has(name) && !words.has(name));
  for (const result of stated) {
    const showing = tests.filter((test) => comparesWith(test, result));
    const [first] = showing;
    if (first === undefined) continue;
    if (showing.every((test) => passesMore(test, result)))
      return `${first.name} passes arguments to \`${result.name}\` that the statement's \`${result.call}\` lacks.`;
    const set = showing.map((test) => settings.find((name) => sets(test, name)));
    if (set.every((name) => name !== undefined))
      return `${first.name} sets \`${set[0]}\`, which the patch adds and the statement does not mention: without it, no test shows the stated result.`;
  }
  return undefined;
}

/** True if each call on a line with the stated value has more arguments than the stated call. */
function passesMore({ body }: OwnTest, { name, call, value, parts }: StatedResult): boolean {
  const [had = []] = argumentsAt(call, [call.indexOf("(")]);
  const counts = body
    .split("\n")
    .filter((line) => line.includes(parts?.[0] ?? value))
    .flatMap((line) => {
      const opens = [...line.matchAll(new RegExp(`(?<![\\w$])${escapeName(name)}\\(`, "g"))];
      return argumentsAt(
        line,
        opens.map(({ 0: { length }, index }) => index + length - 1),
      ).map(({ length }) => length);
    });
  return counts.length > 0 && counts.every((count) => count > had.length);
}

/**
 * True if the test assigns the name: `shipping.RATES = fee`, `Cost = Fee` in Go, `$totals = true`, `ON.store(true)`.
 * False for a variable of the test, and for a field of an object that the test made.
 */
function sets({ body, around, file }: OwnTest, name: string): boolean {
  const own = escapeName(name);
  const plain = file.endsWith(".go") ? `|${own}` : "";
  const places = String.raw`\$${own}|\$GLOBALS\[["']${own}["']\]|([\p{L}_$][\w$]*)(?:::|\.)${own}${plain}`;
  const assigned = new RegExp(`^\\s*(?:${places})(?:\\.\\w+)?\\s*=(?![=>~])`, "mu");
  const stored = new RegExp(`(?<![\\w$])${own}\\s*\\.\\s*(?:store|set|swap|replace)\\(`, "u");
  const [whole, owner = ""] = assigned.exec(body) ?? [];
  const isMade =
    owner !== "" && new RegExp(`(?<![\\w$.])${escapeName(owner)}\\s*(?::\\s*\\w+\\s*)?:?=(?!=)`).test(body);
  const isReceiver = /^(?:self|this|cls)$/.test(owner);
  return (whole !== undefined && !isMade && !isReceiver) || stored.test(`${around}\n${body}`);
}

function escapeName(name: string): string {
  return name.replaceAll("$", String.raw`\$`);
}
