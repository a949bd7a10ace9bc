/** Selects the sentences of a statement that demand something, without code, quotations and addresses. Pure. */
import { statedSubjects } from "./stated-subjects.ts";

const noProse =
  /^[ \t]*(```|~~~)[\s\S]*?(?:^[ \t]*\1|(?![\s\S]))|^(?: {4}|\t)[^\n]*$|^[ \t]*>[^\n]*$|<!--[\s\S]*?-->|\bhttps?:\/\/\S+/gm;
const end =
  /(?<=[.!?])["')\]*_]*\s+(?=[\p{Lu}\p{N}`"'(*_-])|\n[ \t]*\n|\n(?=[ \t]*(?:[-*•#]|\d{1,2}[.)])[ \t])/u;
const demands =
  /\b(?:must|should|shall|ought to|ha(?:s|ve) to|needs? to|(?:is|are) (?:still )?(?:an? )?errors?|also|too|as well|the same (?:goes|holds|applies)|even (?:when|if)|may (?:not )?(?:be|have|contain|change)|(?:no|neither|nothing)\b[^.]{0,40}\bmay)\b/i;
/** A sentence without a demand: a question, a step, the reporter's own work, or a plan. */
const noDemand =
  /\?\s*$|\b(?:reproduc\w*|steps?|workarounds?|I (?:also|have|had|tried|think|am|was)|I'm|I've|we (?:also|have|had|tried)|this (?:commit|patch|pull request|PR|change) also|we (?:\w+ )?later|some ?day)\b/i;
/** A plan. "A date in the future must be refused" demands something: a duty that no plan precedes. */
const later = /\bin (?:the )?future\b/i;
const duty =
  /(?<!\b(?:will|would|may|might|could|we) )\b(?:must|shall|ha(?:s|ve) to|needs? to|(?:is|are) an error)\b/i;

/** Words that oblige. Weaker words ("also", "too slow") are frequent in reports. */
const obliging =
  /\b(?:must|should|shall|ought to|ha(?:s|ve) to|needs? to|no \w+ may|too(?=[.,;]|$)|(?:is|are) an error as before|the same (?:goes|holds|applies))\b/i;
/** Words of a sentence that demands nothing here: no duty, work that is done, another case or another change. */
const noDuty =
  /(?:\b(?:not|no|never)|n't) (?:need|have)\b|\b(?:need not|already|only|unlike|except|other than|apart from|affect\w*|docs|documentation|out of scope|not part of|left for|(?:separate|another|other|own|follow-?up|later|next) (?:PR|pull request|issue|change|commit|release|version))\b/i;

/** True if the sentence obliges the patch. */
export function obliges(sentence: string): boolean {
  return obliging.test(sentence) && !noDuty.test(sentence);
}

/** True if the sentence about something that stays is a question, a step, a plan, or about another change. */
export function demandsNothing(sentence: string): boolean {
  const plain = sentence.replaceAll(/\bonly\b|\bnot affected\b/gi, "");
  return noDemand.test(plain) || noDuty.test(plain) || later.test(plain);
}

/** Reads the statement's sentences in plain English. */
export function readProse(statement: string): string {
  return statedSubjects(statement).replaceAll(noProse, " ");
}

/** Lists the sentences in plain English, each on one line. */
export function listSentences(statement: string): string[] {
  return readProse(statement)
    .split(end)
    .map((sentence) => sentence.replaceAll(/\s+/g, " ").trim());
}

/** Lists the sentences that demand something, each on one line. */
export function listRequirements(statement: string): string[] {
  return listSentences(statement).filter(
    (sentence) =>
      demands.test(sentence) && !noDemand.test(sentence) && !(later.test(sentence) && !duty.test(sentence)),
  );
}
