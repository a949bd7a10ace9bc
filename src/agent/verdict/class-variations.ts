/**
 * Chooses other inputs of the class of a deciding test's input: other signs, tags, units and fractions. If a patch
 * handles only its tests' inputs, its results for other inputs equal the base's results. Pure.
 */
import { literally } from "../../base/literal-pattern.ts";
import { readPlainString, type WrittenLiteral } from "../../judging/vary-tests.ts";
import type { NewValues } from "../review/special-cases/new-values.ts";
import { isNamed } from "../review/statement/named-values.ts";
import { type OtherTexts, shiftText } from "./other-values.ts";

/**
 * The changed inputs. `class`: other signs. `tag`: other tags. `fault`: other units, for which the patch and the base
 * fail alike. `type`: fractions.
 */
export type ClassKind = "class" | "tag" | "fault" | "type";

interface ClassVariation extends OtherTexts {
  readonly kind: ClassKind;
}

interface ClassesOf {
  readonly values: NewValues & { readonly statement: string };
  /**
   * The literals of the deciding test. If the patch names members of a class that the test lacks, the patch treats more
   * than the test's input.
   */
  readonly test: string;
}

/** Marks between words. A rule about punctuation treats all of them alike. */
const marks = [";", ":", "!", "?", ","];
const names: Readonly<Record<string, RegExp>> = {
  ",": /\bcommas?\b/i,
  ";": /\bsemicolons?\b/i,
  ":": /(?<!semi)colons?\b/i,
  "!": /\bexclamation\b/i,
  "?": /\bquestion marks?\b/i,
};
const accented = [..."éèüöàñôîçáûëÉÜÖÀ"];
/** `<b>`, `{{name}}`: a word between signs. */
const enclosed = /^[^\p{L}\p{N}\s]+\p{L}{1,12}[^\p{L}\p{N}\s]+$/u;
const shifts = [1, 2, 3, 5];

/**
 * Lists the variations of a literal. Those of a number are fractions. Those of a text contain other members of a class
 * instead of the members that the patch names.
 */
export function listClassVariations(
  { role, written }: Pick<WrittenLiteral, "role" | "written">,
  { values, test }: ClassesOf,
): ClassVariation[] {
  if (role === "number") return listFractions(written, values);
  const plain = readPlainString(written);
  if (plain === undefined) return [];
  const { open, inner } = plain;
  const listed = (kind: ClassKind, texts: readonly string[]): ClassVariation[] => {
    const replacements = [...new Set(texts)].filter((text) => text !== inner);
    return replacements.length < 2
      ? []
      : [{ kind, from: open.length, to: open.length + inner.length, replacements }];
  };
  return [
    ...listed("class", withOtherSigns(inner, values, test)),
    ...listed("tag", withOtherTags(inner, values, test)),
    ...listed("fault", withOtherUnits(inner, values)),
  ];
}

/**
 * Changes whole numbers to fractions, if the patch requires a whole number, and the statement says nothing about whole
 * numbers, fractions or types.
 */
function listFractions(written: string, { asksWhole, statement }: ClassesOf["values"]): ClassVariation[] {
  const isAsked = asksWhole && /^\d{1,9}$/.test(written) && !aboutWhole.test(statement);
  const value = Number(written);
  const replacements = [0.5, 1.5, 2.25, 0.25].map((more) => String(value + more));
  return isAsked ? [{ kind: "type", from: 0, to: written.length, replacements }] : [];
}
const aboutWhole = /\b(?:int(?:eger)?s?|whole|isinstance|floats?|fractions?|decimals?|types?)\b/i;

/**
 * Replaces marks, and letters with accents. Returns none if the statement names one of them, or if the patch names one
 * that the test lacks. A mark that only separates the parts of a text does not belong to a class.
 */
function withOtherSigns(
  inner: string,
  { signs, separators, statement, prose }: ClassesOf["values"],
  test: string,
): string[] {
  const isOfClass = (sign: string): boolean => marks.includes(sign) && !separators.includes(sign);
  return [marks, accented].flatMap((known) => {
    const isMark = known === marks;
    const own = signs.filter((sign) => (isMark ? isOfClass(sign) : /\p{L}/u.test(sign)));
    const isAsked = own.some((sign) =>
      isMark
        ? isQuoted(sign, statement) || names[sign]?.test(statement) === true
        : isNamed(`t:${sign}`, prose),
    );
    if (isAsked || !own.every((sign) => test.includes(sign)) || !own.some((sign) => inner.includes(sign)))
      return [];
    const others = known.filter((sign) => !own.includes(sign) && !inner.includes(sign));
    if (others.length < 2) return [];
    return others
      .slice(0, shifts.length)
      .map((_, at) =>
        [...inner]
          .map((sign) =>
            own.includes(sign) ? (others[(own.indexOf(sign) + at) % others.length] ?? sign) : sign,
          )
          .join(""),
      );
  });
}

/** True if the statement quotes the sign: "','" or "`!`". */
function isQuoted(sign: string, statement: string): boolean {
  const quoted = String.raw`(?<=^|[\s(=])(["'\x60])[^\p{L}\p{N}\s]?${literally(sign)}[^\p{L}\p{N}]?\1`;
  return new RegExp(quoted, "mu").test(statement);
}

function withOtherTags(inner: string, { keys, prose }: ClassesOf["values"], test: string): string[] {
  const tags = keys.flatMap((key) =>
    key.startsWith("t:") && enclosed.test(key.slice(2)) ? [key.slice(2)] : [],
  );
  const own = tags.filter((tag) => inner.includes(tag));
  const isAsked = tags.some((tag) => isNamed(`t:${tag}`, prose) || !test.includes(tag));
  if (own.length === 0 || isAsked) return [];
  return shifts.map((by) => own.reduce((text, tag) => text.replaceAll(tag, () => shiftText(tag, by)), inner));
}

/**
 * Replaces units beside numbers with other units of a table, if the patch adds all units of the text, but not all of
 * the table.
 */
function withOtherUnits(inner: string, { keys, prose, tables }: ClassesOf["values"]): string[] {
  const unit = /(?<=\d)\s?\p{L}{1,3}(?!\p{L})/gu;
  const units = [...inner.matchAll(unit)].map(([found]) => found.trim());
  const isNew = (text: string): boolean => keys.includes(`t:${text}`) && !isNamed(`t:${text}`, prose);
  if (units.length < 2 || !units.every(isNew)) return [];
  const table = tables.find((all) => units.every((each) => all.includes(each)));
  const others = (table ?? []).filter((text) => /^\p{L}{1,3}$/u.test(text) && !keys.includes(`t:${text}`));
  if (others.length === 0) return [];
  const place = (choose: (at: number) => string): string => {
    let at = -1;
    return inner.replaceAll(unit, (found) => {
      at += 1;
      return found.replace(/\p{L}+/u, () => choose(at));
    });
  };
  const last = units.length - 1;
  return [
    place((at) => others[at % others.length] ?? ""),
    place((at) => others[(at + 1) % others.length] ?? ""),
    place((at) => (at === 0 ? (others[0] ?? "") : (units[at] ?? ""))),
    place((at) => (at === last ? (others[0] ?? "") : (units[at] ?? ""))),
  ];
}

/** Words of a request about a whole class of inputs. */
const general: Readonly<Record<ClassKind, RegExp>> = {
  class:
    /\b(?:punctuation|accents?|diacritics?|special characters|(?:each|every|any|all|neither)\s+(?:\w+\s+){0,2}(?:characters?|signs?|marks?|letters?|symbols?))\b/i,
  tag: /\b(?:tags|special characters|(?:each|every|any|all|neither)\s+(?:\w+\s+){0,2}(?:characters?|signs?|tags?|symbols?))\b/i,
  fault: /\b(?:several|multiple|many|combin\w+|units|each|every|any|all)\b/i,
  type: /\b(?:each|every|any|all|always|both)\b/i,
};
/** A request about the format of a number: whole numbers often have another format. */
const aboutForm =
  /\b(?:zero(?:e?s)?\s+(?:cents?|digits?|decimals?|fractions?)|trailing|digits?|round(?:s|ed|ing)?|format\w*|display\w*)\b/i;

/** True if the statement asks for the whole class. Otherwise the base's results for its other inputs may be right. */
export function asksForClass(kind: ClassKind, statement: string): boolean {
  return general[kind].test(statement) && !(kind === "type" && aboutForm.test(statement));
}
