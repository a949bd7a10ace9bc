/**
 * Recognises requirements that the code can meet before a feature is written: an absence ("emits no such warning"), or
 * behaviour that stays. Their tests guard the new code. They need not fail without it.
 */
import type { Requirement } from "../state/task-state.ts";

/** True if the author said so. Without an opinion of the author, the requirement's main clause decides. */
export function isMetBefore({ kept, text }: Pick<Requirement, "kept" | "text">): boolean {
  return kept ?? (!changes.test(text) && (absence.test(mainClause(text)) || stays.test(mainClause(text))));
}

/** Words about a change: the code does not meet such a requirement yet. */
const changes = /\b(?:no longer|no more|any ?more|stops?|instead|rather than)\b/i;
const absence =
  /\b(?:(?:do|does|is|are|was|were|must|may|can|should|shall|will|has|have|did|need) ?(?:not|n['’]t|never)|cannot|never)\b|\b[a-z]+ (?:no|nothing|none|neither)\b/i;
const stays =
  /\b(?:still|as before|unchanged|untouched|stays?|remains?|keeps? (?:its|their|the)|continues? to|already)\b/i;

/** The sentence without its conditions, in which a negation says nothing about the result. */
function mainClause(text: string): string {
  return text
    .replace(
      /^\s*(?:if|when|whenever|where|unless|while|for|with|without|after|before|given)\b[^,]*,(?:[^,]*,)*/i,
      "",
    )
    .replace(
      /\b(?:even |only )?(?:if|when|whenever|unless|while|because|that|which|who|whose|where|without)\b.*$/is,
      "",
    );
}
