/**
 * Finds the cases that a statement counts or lists, because it asks for each of them. Example: "There are two entrances
 * to the loop: a seek past the end, and a negative `rel_seek`". Pure.
 */
import { wordsOf } from "../../state/statement-signature.ts";
import type { OwnTest } from "../texts/own-tests.ts";
import { statedSubjects } from "./stated-subjects.ts";

export interface StatedPart {
  /** The case, as the statement writes it. */
  readonly text: string;
  /** True if the statement counts its cases, or names functions together. A list may have items other than cases. */
  readonly isCertain: boolean;
}

const numbers: Readonly<Record<string, number>> = {
  ...{ two: 2, three: 3, four: 4, five: 5 },
  ...{ "2": 2, "3": 3, "4": 4 },
};
const cases =
  "entrances|entries|cases|places|ways|bugs|faults|problems|issues|errors|mistakes|functions|methods|inputs|" +
  "situations|causes|conditions|reasons|things|defects|crashes|spots|forms|kinds|variants|options|arguments|" +
  "parameters|operators|values|symptoms|paths|calls|commands";
const counted = new RegExp(
  `\\b(two|three|four|five|[234])\\s+(?:[\\p{L}-]+\\s+){0,3}?(?:${cases})\\b[^.:;\\n]{0,80}:[ \\t]*`,
  "giu",
);
const item = /^[ \t]*(?:[-*•]|\(?(?:\d|[a-e])[.)])[ \t]+(?!\[[ xX]\])(?=\S)/;
/** Words before a list of things other than cases. */
const otherList =
  /\b(?:steps?|reproduc\w*|versions?|environment|checklist|see also|links?|references?|changes?|todo)\b/i;
const mostItems = 5;

/**
 * Lists the two to five cases that the statement counts or enumerates, such as "two bugs: A, and B". Empty if none are
 * found.
 */
export function listStatedParts(statement: string): StatedPart[] {
  const text = statedSubjects(statement);
  for (const { 0: intro, 1: count = "", index } of text.matchAll(counted)) {
    const rest = text.slice(index + intro.length);
    const wanted = numbers[count.toLowerCase()] ?? 0;
    const parts = /^\s*\n/.test(rest) ? readList(rest) : splitSentence(rest, wanted);
    if (parts.length === wanted) return parts.map((part) => ({ text: part, isCertain: true }));
  }
  const { intro, list } = findIntroducedList(text);
  const items = otherList.test(intro) ? [] : readList(list);
  const isOfCases = items.length > 1 && items.length <= mostItems;
  return isOfCases ? items.map((part) => ({ text: part, isCertain: false })) : [];
}

/**
 * Finds the first line that ends with a colon before a list, and the text from the list on. Both are "" without a list.
 */
function findIntroducedList(text: string): { readonly intro: string; readonly list: string } {
  const lines = text.split("\n");
  for (const [at, line] of lines.entries()) {
    if (!line.trimEnd().endsWith(":")) continue;
    const first = lines[at + 1]?.trim() === "" ? at + 2 : at + 1;
    if (/^[ \t]*[-*•]/.test(lines[first] ?? "")) return { intro: line, list: lines.slice(first).join("\n") };
  }
  return { intro: "", list: "" };
}

/** Reads the items of a list, each with its further lines. */
function readList(text: string): string[] {
  const items: string[] = [];
  for (const line of text.replace(/^(?:[ \t]*\n)+/, "").split("\n")) {
    const [mark] = item.exec(line) ?? [];
    if (mark !== undefined) items.push(line.slice(mark.length).trim());
    else if (items.length === 0) break;
    else if (/^[ \t]+\S/.test(line)) items.push(`${items.pop()} ${line.trim()}`);
    else if (line.trim() !== "") break;
  }
  return items;
}

const marks: readonly RegExp[] = [
  /\s*\(?\b(?:\d|[a-e])\)\s+/g,
  /\s*;\s*(?:and\s+)?/g,
  /\s*,\s+and\s+|\s+and\s+|\s*,\s+/g,
  /\s*,?\s+and\s+/g,
];

/** Splits a sentence into its parts: "A (such as B, C), and D", "(1) A, (2) B", "A; B". */
function splitSentence(text: string, wanted: number): string[] {
  const blanked = text.replaceAll(/\([^()\n]{2,}\)|`[^`\n]*`|"[^"\n]*"/g, (inner) =>
    "_".repeat(inner.length),
  );
  const [sentence = ""] = blanked.split(/(?<=[^\d\s])\.(?=\s|$)|\n[ \t]*\n/);
  for (const mark of marks) {
    const ends = [...sentence.matchAll(mark)];
    const starts = [0, ...ends.map(({ 0: found, index }) => index + found.length)];
    const parts = starts
      .map((start, at) =>
        text
          .slice(start, ends[at]?.index ?? sentence.length)
          .replaceAll(/\s+/g, " ")
          .trim(),
      )
      .filter((part) => part !== "");
    if (parts.length === wanted) return parts;
  }
  return [];
}

/** A part with this many words may share one with a test by chance. A shared name of the code is never chance. */
const manyWords = 4;
/** `tabs`, `key`: other rules ignore words of three letters. */
const shortWord =
  /(?<![a-z])(?!(?:the|and|are|for|not|was|has|had|can|its|one|two|all|any|but|out|now|get|set|you|use|too|via|per|off|may|let|var|def|new|int|str|end)s?(?![a-z]))[a-z]{3}(?=s?(?![a-z]))/g;
const codeName = /(?<![\w$])[A-Za-z_$][\w$]*(?:_|[a-z\d][A-Z])[\w$]*/g;

/** Finds the parts whose distinctive names and words occur in no test. Empty if the tests show none of the parts. */
export function findUnshownParts(statement: string, tests: readonly OwnTest[]): StatedPart[] {
  const parts = listStatedParts(statement);
  const names = parts.map(({ text }) => text.match(codeName) ?? []);
  const words = parts.map(({ text }) => readWords(text));
  const text = tests.map(({ name, body, around }) => `${name}\n${around}\n${body}`).join("\n");
  const [namesShown, wordsShown] = [new Set(text.match(codeName)), new Set(readWords(text))];
  const isShown = parts.map((_, at) => {
    const [ownNames, ownWords] = [ownOf(names, at), ownOf(words, at)];
    const found = ownWords.filter((word) => wordsShown.has(word)).length;
    return (
      ownNames.some((name) => namesShown.has(name)) ||
      (ownNames.length === 0 && ownWords.length === 0) ||
      (ownWords.length > 0 && found >= (ownWords.length < manyWords ? 1 : 2))
    );
  });
  return isShown.includes(true) ? parts.filter((_, at) => isShown[at] === false) : [];
}

function readWords(text: string): string[] {
  const plain = text.replaceAll(/([a-z\d])([A-Z])/g, "$1 $2").toLowerCase();
  return [...wordsOf(text), ...new Set(plain.match(shortWord))];
}

/** Returns the words of a part that no other part has. */
function ownOf(all: readonly (readonly string[])[], at: number): string[] {
  return (all[at] ?? []).filter((each) => all.every((other, index) => index === at || !other.includes(each)));
}
