/**
 * Finds uses of the standard library that give a wrong result for some inputs. Linters of the languages know them.
 * Works on the text. Pure.
 */
import { literally } from "../../../base/literal-pattern.ts";
import { joinCode } from "../texts/code-lines.ts";
import { addedIn, addedLinesOf, type Careless, type Changed, indentOf, ownerOf } from "./careless-form.ts";

interface DatePattern {
  /** Calls that take the pattern of a date. */
  readonly call: RegExp;
  /** Texts that can be patterns. A call may also take a language's name (`"hi"`). */
  readonly pattern: RegExp;
  /** Fields that are right only next to another field. */
  readonly fields: readonly { readonly form: RegExp; readonly beside: RegExp; readonly says: string }[];
}
const ofWeek = "gives the year of the calendar week, which can differ from the date's year around New Year";
const ofHalfDay = "gives hours from 1 to 12 (or 0 to 11) without AM or PM";
const strftime: DatePattern = {
  call: /\b(?:strftime|strptime|gmstrftime)\b/,
  pattern: /%/,
  fields: [
    { form: /%-?G/, beside: /%-?[Vu]/, says: ofWeek },
    { form: /%-?[Il]/, beside: /%-?[pPrX]/, says: ofHalfDay },
  ],
};
const datePatterns: Readonly<Record<string, DatePattern>> = {
  python: strftime,
  ruby: strftime,
  java: {
    call: /\b(?:ofPattern|SimpleDateFormat|appendPattern)\b/,
    pattern: /^[^a-zA-Z]*(?:[ABDEFGHKLMNOQSVWXYZacdehkmnpqsuvwxyz][^a-zA-Z]*)+$/,
    fields: [
      { form: /Y/, beside: /[we]/, says: ofWeek },
      { form: /D/, beside: /^[^M]*$/, says: "gives the day of the year in place of the day of the month" },
      { form: /[hK]/, beside: /[aB]/, says: ofHalfDay },
    ],
  },
};
const aboutDates = /\bweek|\b12[- ]hours?\b|\bhalf[- ]day|\bam\/pm\b|\bday of (?:the )?year/i;

/** `ofPattern("YYYY-MM-dd")` gives the next year on some days of December. */
function findDatePatterns({ code, added, subjects }: Changed): Careless[] {
  const known = datePatterns[code.language];
  if (known === undefined || aboutDates.test(subjects)) return [];
  return code.lines.flatMap(({ code: line, strings }, index): Careless[] => {
    if (!added.has(index + 1) || !known.call.test(line)) return [];
    // Quoted letters of Java's patterns are no fields.
    const fields = strings
      .map((each) => each.replaceAll(/'[^']*'/g, ""))
      .filter((each) => known.pattern.test(each));
    const found = known.fields.find(({ form, beside }) =>
      fields.some((each) => form.test(each) && !beside.test(each)),
    );
    return found === undefined ? [] : [{ line: index + 1, text: found.says }];
  });
}

/** Methods of Ruby that return `nil` if they change nothing. */
const changing = String.raw`\.(?:uniq|compact|flatten|reject|select|filter|gsub|sub|strip|lstrip|rstrip|chomp|squeeze|capitalize|upcase|downcase|swapcase|tr|delete)!`;
const argument = String.raw`(?:\([^()\n]*\)|\s*\{[^{}\n]*\})?`;
const assigned = new RegExp(
  String.raw`(?:(?<![=!<>])=(?![=~>])|\breturn\b)[^\n]*${changing}${argument}\s*$|${changing}${argument}\.(?!nil\?)\w`,
);
/** A change of an object that only this expression has. */
const ofTemporary = new RegExp(String.raw`[)\]}]\s*(?:\.\w+)*${changing}${argument}\s*$`);

/** `tags = text.scan(form).uniq!` is `nil` if no tag is repeated. */
function findMissingResults(change: Changed): Careless[] {
  if (change.code.language !== "ruby") return [];
  return addedLinesOf(change).flatMap(({ code: line, line: at }): Careless[] => {
    // A here-document ends with a line break, so `<<TEXT.strip!` always changes it.
    if (/<<[~-]?["'`]?[A-Z]/.test(line)) return [];
    const own = ownerOf(change.code, at);
    const next = own?.lines.slice(at - own.startLine + 1).find((each) => each.trim() !== "") ?? "";
    const isLast = own !== undefined && /^\s*end\b/.test(next) && indentOf(next) < indentOf(line);
    return assigned.test(line) || (isLast && ofTemporary.test(line))
      ? [{ line: at, text: "uses the result of a method that returns `nil` if it changes nothing" }]
      : [];
  });
}

const boxed =
  "(?:Integer|Long|Short|Character|Float|Double|BigDecimal|BigInteger|String|LocalDate|LocalDateTime|LocalTime|Instant|Duration|UUID)";
const operand = String.raw`((?:\w+\.)*(\w+))`;
const compared = new RegExp(String.raw`(?<![\w.)\]])${operand}\s*[!=]=\s*${operand}(?![\w.([])`, "g");

/** `id == other.id` of two `Long` is true for 127, and false for 128. */
function findBoxedIdentities(change: Changed): Careless[] {
  const { code } = change;
  if (code.language !== "java") return [];
  const file = joinCode(code.lines.map((line) => line.code));
  const isDeclared = (type: string, name: string): boolean =>
    new RegExp(String.raw`\b${type}\s+${literally(name)}\s*(?:[;,)]|=(?!=))`).test(file);
  const isValue = (name: string): boolean =>
    isDeclared(boxed, name) &&
    !isDeclared(String.raw`(?!(?:${boxed}|return|throw|else)\b)\w+(?:<[^\n;]{0,80}>)?(?:\[\])?`, name);
  return addedLinesOf(change).flatMap(({ code: line, line: at }): Careless[] => {
    const own = ownerOf(code, at);
    // `a == b || a.equals(b)` saves a comparison.
    if (/\b(?:equals|compareTo|compare)\(/.test(joinCode(own?.lines ?? [line]))) return [];
    return [...line.matchAll(compared)].flatMap(([text, , left = "", , right = ""]) =>
      isValue(left) && isValue(right)
        ? [{ line: at, text: `compares the identity of objects, not their values: \`${text}\`` }]
        : [],
    );
  });
}

/** `$given == $token` of two texts is true for `0e1` and `0e2`, because PHP compares them as numbers. */
function findLooseTexts({ code, added }: Changed): Careless[] {
  if (code.language !== "php") return [];
  return code.functions.flatMap((own) => {
    const isText = (name: string): boolean =>
      new RegExp(String.raw`[(,]\s*\??string\s+\$${literally(name)}\b`).test(own.signature);
    return addedIn({ added }, own).flatMap(({ code: line, line: at }) =>
      [...line.matchAll(/(?<![\w$>\])])\$(\w+)\s*[!=]=\s*\$(\w+)(?![\w[(]|->)/g)].flatMap(
        ([text, left = "", right = ""]) =>
          isText(left) && isText(right)
            ? [{ line: at, text: `compares two texts as numbers if both look like numbers: \`${text}\`` }]
            : [],
      ),
    );
  });
}

export const librarySlips: readonly ((change: Changed) => Careless[])[] = [
  findDatePatterns,
  findMissingResults,
  findBoxedIdentities,
  findLooseTexts,
];
