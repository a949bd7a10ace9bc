/** Distinguishes values that a statement gives as examples of a rule from values in the rule itself. Pure. */
import { isCommonKey, type ValueKey } from "../texts/value-keys.ts";
import { numeralsOf } from "./meant-numbers.ts";
import { isNamed, readNamed } from "./named-values.ts";

/** A sentence about the result of one input. */
const observed =
  /\be\.g\.|\b(?:for (?:example|instance)|such as|gets?|got|gives?|gave|returns?|returned|yields?|costs?|prints?|printed|shows?|results? in|comes? out|instead of|expected|but|now|currently|actual(?:ly)?)\b/i;
/** A sentence about many inputs: "Each kilogram has to cost 3", not "every other parcel is right". */
const many =
  /\b(?:each|every|all|any|always|never|both|more than|less than|at least|at most)\b(?!\s+(?:the\s+)?others?\b)/i;
const asked = /\b(?:must|should|needs? to|ha(?:s|ve) to|(?:is|are) to|ought to)\b/i;
/** Words that single out one value. */
const single = /\b(?:special(?:ly)?|magic|reserved|sentinel|constant|default|except\w*|apart from)\b/i;
/** Words that single out a value only right before the number: "only 7", not "only 10 for 7". */
const singleBefore = /\b(?:only|just|exact(?:ly)?)\b[^\d,;]{0,25}$/i;
/** A sentence that asks to leave inputs unchanged. */
const unchanged = /\b(?:stays?|keeps?|kept|remains?|unchanged|still|except\w*|apart from)\b/i;
const others = /\b(?:others?|the rest|everything else|elsewhere)\b/i;

interface Asked {
  /** The number that the code returns for this input. A number that depends on a number follows a rule. */
  readonly result?: ValueKey | undefined;
  /** True if the code computes with the input, or compares by order: it is a quantity, not a name. */
  readonly isQuantity?: boolean;
  /** The input's name in the code: "weight 7" then only repeats the call. */
  readonly name?: string;
}

/**
 * True if the prose names the value only as an example. Either each sentence that names the value states its result,
 * and another sentence asks for a rule about many inputs. Or the value is an amount ("7 kilograms") with a number as
 * result. Exceptions are a name of a kind ("zone 5", "status 404") or of a list, and a value that a sentence singles
 * out ("exactly 100").
 */
export function isOnlyExample(
  key: ValueKey,
  prose: string,
  statement: string,
  { result = "", isQuantity = false, name = "" }: Asked = {},
): boolean {
  const sentences = sentencesOf(prose);
  const naming = sentences.filter((sentence) => isNamed(key, sentence));
  const isNumber = [key, result].every((each) => each.startsWith("n:") && !isCommonKey(each));
  const before = key.startsWith("n:") ? textsBefore(key, prose) : [];
  const isSingle =
    naming.some((sentence) => single.test(sentence)) || before.some((text) => singleBefore.test(text));
  if (naming.length === 0 || isSingle) return false;
  if (isNumber && !sentences.some((sentence) => unchanged.test(sentence) && others.test(sentence))) {
    const nouns = before.map(nounBefore);
    const isReport = naming.some((sentence) => contrast.test(sentence));
    const isName = (noun: string): boolean =>
      kinds.test(noun)
        ? !isQuantity || isListed(noun, key, prose)
        : !isReport && noun.toLowerCase() !== name.toLowerCase() && isListed(noun, key, prose);
    if (nouns.length === 0 || !nouns.every((noun) => noun !== undefined && isName(noun))) return true;
  }
  const isRule = (sentence: string): boolean =>
    many.test(sentence) && asked.test(sentence) && !unchanged.test(sentence) && !isNamed(key, sentence);
  return (
    naming.every((sentence) => observed.test(sentence)) &&
    sentencesOf(readNamed(statement).prose).some(isRule)
  );
}

/**
 * Nouns with which a number is a name, such as "zone". Other nouns need a second number: "pizza 5 costs 7, pizza 6
 * costs 9".
 */
const kinds =
  /^(?:codes?|status|ports?|errors?|errno|types?|kinds?|ids?|versions?|signals?|levels?|modes?|months?|days?|years?|opcodes?|tags?|protocols?|bits?|bytes?|http|zones?|tiers?|grades?|class(?:es)?|categor(?:y|ies)|groups?|rows?|columns?|plans?|regions?|channels?|priorit(?:y|ies)|rooms?|pages?)$/i;
/** A sentence with both a wrong and the right result: a sample of the fault. */
const contrast = /\b(?:instead of|rather than|should|expected|but|now|currently|actual(?:ly)?)\b/i;

/** Words before an amount, and words that stand for any input. */
const functionWord =
  /^(?:an?|the|this|that|these|those|it|we|you|i|of|for|with|without|in|on|at|by|to|from|than|over|under|above|below|about|up|per|between|through|until|since|like|as|and|or|but|if|then|when|while|where|is|are|was|were|be|been|has|have|had|do|does|did|not|no|each|every|any|all|some|both|inputs?|values?|arguments?|args?|parameters?|numbers?|integers?|given|pass(?:ed|es|ing)?|call(?:ed|s|ing)?)$/i;

const longestBefore = 60;

/** Returns the text before each occurrence of the number, in digits or as a word (`7`, `seven`). */
function textsBefore(key: ValueKey, prose: string): string[] {
  const written = numeralsOf(Math.abs(Number(key.slice(2)))).join("|");
  const numbers = prose.matchAll(new RegExp(`(?<![\\w.])(?:${written})(?![\\w]|\\.\\d)`, "gi"));
  return [...numbers].map(({ index }) => prose.slice(Math.max(0, index - longestBefore), index));
}

/** Returns the noun that makes the number after it a name: "zone 5", "zone is 5". */
function nounBefore(text: string): string | undefined {
  const [, noun = ""] = /([\p{L}_]+)[`"'\s:#=-]{0,4}(?:\b(?:is|are|equals?)\s+)?-?$/iu.exec(text) ?? [];
  return noun === "" || functionWord.test(noun) ? undefined : noun;
}

/** True if the prose names another number in the same way, as the rows of a table: "zone 5 costs 7, zone 6 costs 9". */
function isListed(noun: string, key: ValueKey, prose: string): boolean {
  return [...prose.matchAll(new RegExp(`\\b${noun}s?[\\s:#=-]{1,3}(\\d+)\\b`, "gi"))].some(
    ([, other]) => Number(other) !== Number(key.slice(2)),
  );
}

function sentencesOf(prose: string): string[] {
  return prose.split(/(?<=[.!?;])\s+|\n\s*\n/);
}
