/**
 * Recognises requirements that the code can meet before a feature is written: an absence ("emits no such warning"), or
 * behaviour that stays. Tests of such requirements guard the new code, and need not fail without it.
 */
import type { Requirement } from "../state/task-state.ts";

/**
 * True if the unchanged code already meets the requirement, according to the author or to each clause of the
 * requirement. Ignores the author's `false`, which models often set by default.
 */
export function isMetBefore({ kept, text }: Pick<Requirement, "kept" | "text">): boolean {
  if (kept === true) return true;
  if (changes.test(text)) return false;
  const clauses = mainSentence(text)
    .split(/[;:]|,? (?:and|but) |, /i)
    .filter((clause) => /\w/.test(clause));
  return clauses.some(isMet) && clauses.every((clause) => isMet(clause) || hasNoSubject.test(clause));
}

/** Words about a change: the code does not meet such a requirement yet. */
const changes = /\b(?:no longer|no more|any ?more|stops?|instead|rather than|refuse[sd]?|reject(?:s|ed)?)\b/i;
/**
 * Words of an absence. Other prohibitions ("must not be empty", "are never logged") ask for code that enforces them.
 */
const absence =
  /\b(?:do|does|did) ?(?:not|n['’]t)\b|\b(?:must|should|may|can|shall|will) ?(?:not|never) (?:raise|fail|warn|throw|panic|crash)\b|\b(?:emits?|prints?|raises?|gives?|shows?|throws?|reports?|logs?|returns?|writes?) no\b/i;
const stays = /\b(?:still|as before|unchanged|untouched|continues? to)\b/i;
/** A clause without a subject: the rest of an absence ("and collects from the matching paths only") or of a list. */
const hasNoSubject = /^\s*\w+s?\b.* only\s*\.?\s*$/i;

function isMet(clause: string): boolean {
  return absence.test(clause) || stays.test(clause);
}

const condition =
  /^\s*(?:(?:and|or) )?(?:if|when|whenever|where|unless|while|for|with|without|after|before|given)\b/i;

/** Removes the sentence's conditions, because a negation in a condition says nothing about the result. */
function mainSentence(text: string): string {
  const pieces = text.split(",");
  while (pieces.length > 1 && condition.test(pieces[0] ?? "")) pieces.shift();
  return pieces
    .join(",")
    .replace(
      /\b(?:even |only )?(?:if|when|whenever|unless|while|because|that|which|who|whose|where|without)\b.*$/is,
      "",
    );
}
