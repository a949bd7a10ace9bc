/**
 * Finds what a statement wants to stay as it is, and no test shows. Example: "The path and the query must stay as they
 * are", but the tests contain no path. A careless patch also changes it. Pure.
 */
import type { StatedPart } from "./stated-parts.ts";
import { demandsNothing, listSentences } from "./stated-requirements.ts";

const duty = String.raw`\b(?:must|should|shall|ha(?:s|ve) to|needs? to)\s+(?:(?:still|also|always|all|both|otherwise)\s+)*`;
/** The words of a sentence that oblige: "must stay". */
const obliged = new RegExp(
  String.raw`${duty}(?:(?:stay|remain)\b(?!\s+(?:in|on|at|within|below|above|under)\b)|be (?:left|kept) (?:as|alone|un)|keep working|not (?:change|be (?:changed|altered|touched|affected|modified))\b)`,
  "i",
);
/** Words that describe a rule, but in a report also what the reporter saw. */
const described =
  /\b(?:is|are|remains?|stays?)\s+(?:(?:still|therefore|thus|otherwise|left|not)\s+)*(?:unaffected|affected|unchanged|untouched|intact|as (?:it|they) (?:is|are|was|were)\b|as (?:before|now)\b)|\bstays? whole\b/i;
/** An old refusal that must stay. */
const refused =
  /\b(?:is|are)\s+still\s+(?:refused|rejected|invalid|an? error|errors)\b|\bstill\s+(?:raises?|throws?|fails?)\b|\bstill (?:does|do) not\b/i;
/** A subject that is set apart from the fault: "other cells", "non-fusing fields". */
const contrast =
  /\b(?:others?|rest|remaining|every(?:thing|body) else|single|plain|existing|without|only)\b|\b(?:non|un)-|\bno\b/i;
const exact = /\(no (?:extra|additional|further|change)|,\s*(?:also|including|such as|e\.g\.)\s/i;
/** Subjects that no test of the project can show: other programs, versions and people. */
const foreign =
  /\b(?:versions?|releases?|browsers?|platforms?|systems?|windows|linux|mac(?:os)?|chrome|firefox|safari|python|node|java|ruby|php|rust|users?|people|tests?|docs?|documentation|coverage|performance|benchmarks?|licen[cs]es?|branch(?:es)?|API|public|wire|PRs?|callers?|consumers?|packages?|projects?|repos\w*|builds?|CI)\b|\d+\.\d+/i;
const symptom =
  /\b(?:instead|although|even (?:though|if)|despite|but|currently|actual(?:ly)?|wrong(?:ly)?|incorrect(?:ly)?|yet|bug|after|when I|unexpected\w*|problem|issue|fails to)\b/i;

/** Words without a meaning of their own. */
const generic =
  /^(?:(?:an?|the|all|any|each|every|its?|their|this|that|these|those|there|which|who|with|without|and|or|of|in|for|from|to|by|as|is|are|be|not|no|non|only|both|such|also|still|than|where|when|while|since|so|if|they|them|one|two|other|others|rest|remaining|existing|everything|anything|else|plain|single)|(?:value|item|thing|case|input|output|result|text|string|line|field|cell|behaviou?r|element|entr(?:y|ie)|call|code|name|part)s?)$/;
/** Words of tests about something that stays. */
const tells =
  /unaffect|unchang|untouch|stay|keep|kept|still|remain|preserv|intact|same|leave|left|alone|without|never|only|plain|other|ignor|(?:^|[\W_])(?:not?|non)(?:[\W_]|$)|(?:Not|No|Non)[A-Z]/i;
const errors =
  /raise|throw|reject|panic|error|exception|fail|invalid|refuse|\bErr\b|is_err|_err\(|\berr\b|\bcatch\b/i;
/** Number of lines around a word that count as its test. */
const near = 4;
const longestTold = 160;

/** Words that end the part of a sentence that tells the value: "must stay 30, since 10 is too short". */
const ends = /[,;]|\b(?:after|because|but|by|for|if|in|of|since|so|unless|until|when|where|while|with)\b/i;

/** Finds the stated absences that the code of the tests does not show. Empty without code. */
export function findUnshownAbsences(statement: string, tests: string): StatedPart[] {
  if (tests.trim() === "") return [];
  const sentences = listSentences(statement);
  return sentences.flatMap((sentence): StatedPart[] => {
    const subject = readSubject(sentence);
    if (subject === undefined) return [];
    const others = sentences.filter((each) => each !== sentence).join("\n");
    return isShown(sentence, subject, others, tests)
      ? []
      : [{ text: `something that stays: ${shorten(sentence)}`, isCertain: true }];
  });
}

/** Returns what the sentence wants to stay; undefined if it wants nothing of this kind. */
function readSubject(sentence: string): string | undefined {
  if (demandsNothing(sentence) || symptom.test(sentence)) return undefined;
  const [own, rule] = [obliged.exec(sentence), described.exec(sentence) ?? refused.exec(sentence)];
  const found = own ?? rule;
  if (found === null) return undefined;
  const before = sentence.slice(0, found.index);
  const subject = before.split(/[;:]\s|,\s+(?:and|while|so)\s+|\s+(?:while|because)\s+/).at(-1) ?? "";
  const isOld = refused.test(sentence);
  // "It still does not cover …" names a limit of the patch.
  const isRefusal = isOld && !/\bdo(?:es)? not\b/.test(sentence);
  const isNamed = isRefusal || readWords(subject).length > 0 || listValues(sentence).length > 0;
  if (foreign.test(subject) || !isNamed) return undefined;
  const isRule = own !== null || isOld || contrast.test(subject) || exact.test(sentence);
  return isRule ? subject : undefined;
}

function isShown(sentence: string, subject: string, others: string, tests: string): boolean {
  if (refused.test(sentence) && !/\bdo(?:es)? not\b/.test(sentence)) return errors.test(tests);
  const values = listValues(sentence);
  if (values.length > 0) return values.some((value) => value.test(tests));
  if (listStated(sentence).some((value) => value.test(tests))) return true;
  const known = new Set(readWords(others));
  const parts = subject.split(/\s+and\s+|\s+or\s+|,\s+/).filter((part) => readWords(part).length > 0);
  const shown = parts.map((part) => {
    const all = readWords(part);
    const rare = all.filter((word) => !known.has(word));
    return (rare.length > 0 ? rare : all).some((word) => tellsOf(word, tests));
  });
  const isApart = parts.map((part) => /\bnon-|\bwithout\b|\bnot?\b/i.test(part));
  return isApart.includes(true) ? parts.every((_, at) => !isApart[at] || shown[at]) : shown.includes(true);
}

/** Values that a sentence adds as examples: "also 0, false and null". */
const values: ReadonlyMap<string, RegExp> = new Map([
  ["0", /(?<![\w.])0(?![\w.])/],
  ["zero", /(?<![\w.])0(?:\.0*)?(?![\w.])|zero/i],
  ["false", /\bfalse\b/i],
  ["null", /\bnull\b/],
  ["none", /\bNone\b/],
  ["nil", /\bnil\b/],
  ["undefined", /\bundefined\b/],
]);

/** Lists the patterns of the values that the sentence adds. */
function listValues(sentence: string): RegExp[] {
  const [, tail = ""] = /,\s*(?:also|including|even|such as|e\.g\.)\s(.*)$/i.exec(sentence) ?? [];
  return [...new Set(tail.toLowerCase().match(/\w+/g))].flatMap((word) => values.get(word) ?? []);
}

/**
 * Lists the patterns of the values after "must stay": numbers, quotations and code. In the subject, only a long number
 * is a value: "The limit of 100 must stay".
 */
function listStated(sentence: string): RegExp[] {
  const found = obliged.exec(sentence);
  if (found === null || !/(?:stay|remain)$/i.test(found[0])) return [];
  const [tail = ""] = sentence.slice(found.index + found[0].length).split(ends);
  const long = sentence.slice(0, found.index).match(/(?<![\w.])\d{2,}(?:\.\d+)?/g) ?? [];
  const stated = [...long, tail]
    .join(" ")
    .matchAll(/`([^`]*\w[^`]*)`|"([^"]*\w[^"]*)"|(?<![\w.])(\d+(?:\.\d+)?)/g);
  return [...stated].map(([, code, quoted, number]) => {
    const value = code ?? quoted ?? number ?? "";
    return new RegExp(`(?<![\\w.])${value.replaceAll(/[^\w\s]/g, String.raw`\$&`)}(?!\\w)`);
  });
}

/** True if the tests contain the word near words that tell what stays. */
function tellsOf(word: string, tests: string): boolean {
  if (/^numbers?$/.test(word) && /[[(,:] ?-?\d/.test(tests)) return true;
  const stem = word.replace(/(?:ings?|ed|es|s)$/, "");
  const lines = tests.split("\n");
  return lines.some(
    (line, at) =>
      line.toLowerCase().includes(stem) && lines.slice(Math.max(0, at - near), at + near).some(isTelling),
  );
}

const isTelling = (line: string): boolean => tells.test(line);

function readWords(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_]{2,}/gu) ?? [];
  return words.filter((word) => !generic.test(word));
}

function shorten(text: string): string {
  return text.length <= longestTold ? text : `${text.slice(0, longestTold).replace(/\s\S*$/, "")} …`;
}
