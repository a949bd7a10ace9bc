/**
 * Finds values that the statement gives in prose for different cases, if tests or the patch have one of them and nothing
 * has the other. Example: "the default port (80 for http, 443 for https)", and neither the tests nor the patch have 80.
 * Pure.
 */
import type { StatedPart } from "./stated-parts.ts";
import { listRequirements, readProse } from "./stated-requirements.ts";

/** A number, or a text in quotation marks. */
const value = /\d+(?:\.\d+)?|"[^"\n]{1,40}"|`[^`\n]{1,40}`/.source;
const pair = new RegExp(
  `(?<![\\w.])(${value}) (?:for|in|with|if) ([\\w-]+),? (?:and )?(${value}) (?:for|in|with|if) ([\\w-]+)`,
  "giu",
);
/** /A */
const path = /(?<![\w/.`"'~:<])\/[A-Za-z][\w/-]*/g;

/** 1,234.56 */
const amount = /(?<![\w.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])/g;

export interface ShownCode {
  /** The code of all tests that could ask for the values. */
  readonly tests: string;
  /** The lines that the patch adds. */
  readonly added: string;
}

export function findUnshownLiterals(statement: string, { tests, added }: ShownCode): StatedPart[] {
  const isShown = (each: string): boolean => holds(`${tests}\n${added}`, each.replaceAll(/^["`]|["`]$/g, ""));
  const pairs = [...readProse(statement).matchAll(pair)].map(([, one = "", forOne, two = "", forTwo]) => [
    { is: one, text: `${one} for ${forOne}`, isCertain: true },
    { is: two, text: `${two} for ${forTwo}`, isCertain: true },
  ]);
  const written = listRequirements(statement).map((sentence) =>
    [...sentence.matchAll(path), ...sentence.matchAll(amount)].map(([each]) => ({
      ...{ is: each, text: each, isCertain: false },
    })),
  );
  return [...pairs, ...written].flatMap((cases) =>
    cases.some(({ is }) => isShown(is))
      ? cases.filter(({ is }) => !isShown(is)).map(({ text, isCertain }) => ({ text, isCertain }))
      : [],
  );
}

function holds(code: string, text: string): boolean {
  return /^\d/.test(text)
    ? new RegExp(`(?<![\\w.])${text.replace(".", "\\.")}(?![\\w.]*\\d)`).test(
        code.replaceAll(/(?<=\d)_(?=\d)/g, ""),
      )
    : code.includes(text);
}
