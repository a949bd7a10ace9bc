/** Tells values that a statement gives as examples of a rule from values that the rule itself is about. Pure. */
import type { ValueKey } from "../texts/value-keys.ts";
import { isNamed, readNamed } from "./named-values.ts";

/** A sentence about what one input gives. */
const observed =
  /\be\.g\.|\b(?:for (?:example|instance)|such as|gets?|got|gives?|gave|returns?|returned|yields?|costs?|prints?|printed|shows?|results? in|comes? out|instead of|expected|but|now|currently|actual(?:ly)?)\b/i;
/** "Each kilogram has to cost 3", not "every other parcel is right". */
const many =
  /\b(?:each|every|all|any|always|never|both|more than|less than|at least|at most)\b(?!\s+(?:the\s+)?others?\b)/i;
const asked = /\b(?:must|should|needs? to|ha(?:s|ve) to|(?:is|are) to|ought to)\b/i;

/**
 * True if each sentence that names the value tells what it gives, and another sentence of the statement asks for a rule
 * about many inputs.
 */
export function isOnlyExample(key: ValueKey, prose: string, statement: string): boolean {
  const naming = sentencesOf(prose).filter((sentence) => isNamed(key, sentence));
  const isRule = (sentence: string): boolean =>
    many.test(sentence) && asked.test(sentence) && !isNamed(key, sentence);
  return (
    naming.length > 0 &&
    naming.every((sentence) => observed.test(sentence)) &&
    sentencesOf(readNamed(statement).prose).some(isRule)
  );
}

/** Words that single out one number, and nouns that make it a name. */
const singledOut =
  /\b(?:only|exact(?:ly)?|just|special(?:ly)?|magic|reserved|sentinel|except\w*|apart from|constant|default|code|status|port|error|errno|type|kind|id|version|signal|level|mode|month|day|year|opcode|tag|protocol|bit|byte)s?\b/i;

/**
 * True if a sentence singles the number out ("exactly 100"), or uses it as a name ("status 404"). Otherwise the number is
 * a sample: "a parcel of 7 kilograms costs 10, and should cost 15".
 */
export function isSingledOut(key: ValueKey, prose: string): boolean {
  return sentencesOf(prose).some((sentence) => isNamed(key, sentence) && singledOut.test(sentence));
}

function sentencesOf(prose: string): string[] {
  return prose.split(/(?<=[.!?;])\s+|\n\s*\n/);
}
