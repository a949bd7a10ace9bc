/** Finds an earlier attempt inside a statement's text. USEbench has partial fixes in this form. */

/** A unified diff from a statement, and the rest of the statement. */
export interface StatedAttempt {
  readonly patch: string;
  readonly statement: string;
}

const diff =
  /^(?:diff --git .*\n(?:.+\n)*?)?--- .+\n\+\+\+ .+\n@@ .*@@.*\n(?:[ +\-\\].*\n|\n(?=[ +\-\\@\n]|diff ))*(?:(?:diff --git .*\n(?:.+\n)*?)?--- .+\n\+\+\+ .+\n|@@ .*@@.*\n|[ +\-\\].*\n)*/m;
const tried =
  /\b(?:attempt\w*|partial(?:ly)?|incomplete|tried|unsuccessful|candidate (?:patch|fix)|(?:previous|earlier|first|failed|given|following|promising) (?:patch|fix|solution))\b/i;
const failed =
  /\b(?:fail(?:s|ed)?|incomplete|partial(?:ly)?|(?:does|did|do)(?: not|n't)|not (?:yet )?(?:enough|correct|complete|sufficient|right)|unsuccessful|still|wrong|insufficient|in vain)\b/i;

/**
 * Finds a diff that the statement calls a failed attempt; undefined if there is none. `isKnown`: the task is known to
 * be a partial fix, so any diff counts.
 */
export function attemptIn(statement: string, isKnown = false): StatedAttempt | undefined {
  const text = statement.endsWith("\n") ? statement : `${statement}\n`;
  const found = diff.exec(text);
  if (found === null) return undefined;
  const around = text.slice(0, found.index) + text.slice(found.index + found[0].length);
  const isTold = around
    .split(/\n\s*\n|(?<=[.!?])\s+/)
    .some((sentence) => tried.test(sentence) && failed.test(sentence));
  if (!isTold && !isKnown) return undefined;
  const rest = around.replaceAll(/^(`{3,}|~{3,})\w*\n\s*\1[ ]*$/gm, "").trim();
  return { patch: `${found[0].trimEnd()}\n`, statement: rest };
}
