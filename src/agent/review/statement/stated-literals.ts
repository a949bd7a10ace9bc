/**
 * Finds pairs of values that the statement gives in prose for different cases. Tests or the patch have one value, and
 * nothing has the other. Example: "the default port (80 for http, 443 for https)", but neither the tests nor the patch
 * have 80. Pure.
 */
import { literally } from "../../../base/literal-pattern.ts";
import type { StatedPart } from "./stated-parts.ts";
import { listRequirements, listSentences, obliges } from "./stated-requirements.ts";

/** A number, or a text in quotation marks. */
const value = /\d+(?:\.\d+)?|"[^"\n]{1,40}"|`[^`\n]{1,40}`/.source;
const pair = new RegExp(
  `(?<![\\w.])(${value}) (?:for|in|with|if) ([\\w-]+),? (?:and )?(${value}) (?:for|in|with|if) ([\\w-]+)`,
  "giu",
);
/** Matches "The default port (" before a pair. */
const ofDefault = /\bdefaults?(?: [\w-]+){0,2}(?: \(|:| is| are| to) ?$/i;
/** Words for the reporter. A sentence about the reporter describes what happens, unless a word says what is wanted. */
const reporter = /\b(?:I|[Ww]e)\b/;
const wanted = /\b(?:must|should|shall|ought to|expect|want|need)/i;

/** Matches an absolute path: `/A`. */
const path = /(?<![\w/.`"'~:<])\/[A-Za-z][\w/-]*/g;

/** Matches a number with separated thousands: 1,234.56. */
const amount = /(?<![\w.,])\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\w,])/g;

export interface ShownCode {
  /** The code of all tests that could check the values. */
  readonly tests: string;
  /** The lines that the patch adds. */
  readonly added: string;
}

export function findUnshownLiterals(statement: string, { tests, added }: ShownCode): StatedPart[] {
  const isShown = (each: string): boolean => holds(`${tests}\n${added}`, each.replaceAll(/^["`]|["`]$/g, ""));
  const requirements = listRequirements(statement);
  const pairs = listSentences(statement)
    .filter((sentence) => !reporter.test(sentence) || wanted.test(sentence))
    .flatMap((sentence) => listPairs(sentence, requirements.includes(sentence) && obliges(sentence)));
  const written = requirements.map((sentence) => [
    // A path may describe a place. An amount in a demand is a result.
    ...[...sentence.matchAll(path)].map(([each]) => ({ is: each, text: each, isCertain: false })),
    ...[...sentence.matchAll(amount)].map(([each]) => ({
      is: each,
      text: each,
      isCertain: obliges(sentence),
    })),
  ]);
  return [...pairs, ...written].flatMap((cases) =>
    cases.some(({ is }) => isShown(is))
      ? cases.filter(({ is }) => !isShown(is)).map(({ text, isCertain }) => ({ text, isCertain }))
      : [],
  );
}

/**
 * Lists the pairs of a sentence. A pair is certain in a requirement or as a default. Other pairs may describe what
 * happens.
 */
function listPairs(sentence: string, isRequired: boolean) {
  return [...sentence.matchAll(pair)].map((found) => {
    const [, one = "", forOne, two = "", forTwo] = found;
    const isCertain =
      isRequired || ofDefault.test(sentence.slice(Math.max(0, found.index - 80), found.index));
    return [
      { is: one, text: `${one} for ${forOne}`, isCertain },
      { is: two, text: `${two} for ${forTwo}`, isCertain },
    ];
  });
}

/** True if the code has the text as a whole word: "pipeline" does not contain the word "pip". */
function holds(code: string, text: string): boolean {
  return /^\d/.test(text)
    ? new RegExp(`(?<![\\w.])${literally(text)}(?![\\w.]*\\d)`).test(code.replaceAll(/(?<=\d)_(?=\d)/g, ""))
    : new RegExp(`${/^\w/.test(text) ? "\\b" : ""}${literally(text)}${/\w$/.test(text) ? "\\b" : ""}`).test(
        code,
      );
}
