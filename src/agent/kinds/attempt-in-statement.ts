/** Finds an earlier attempt inside a statement's text. USEbench has partial fixes in this form. */

/** A unified diff from a statement, and the rest of the statement. */
export interface StatedAttempt {
  readonly patch: string;
  readonly statement: string;
}

/** The head of a file's diff, up to its first hunk. */
const head = String.raw`(?:diff --git .*\n(?:(?!diff --git |--- ).+\n)*)?--- .+\n\+\+\+ .+\n(?=@@ -\d)`;
const firstHead = new RegExp(`^${head}`, "m");
const parts = {
  head: new RegExp(`\\n*${head}`, "y"),
  hunk: /\n*@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@.*\n/y,
  line: /[ +\-\\].*\n/y,
  // Editors remove the space of an empty line.
  blank: /\n/y,
};

/** Returns the end of the diff that begins at this offset. Reads as many lines of a hunk as its first line states. */
function endOfDiff(text: string, start: number): number {
  let at = start;
  const find = (part: RegExp): RegExpExecArray | null => {
    part.lastIndex = at;
    return part.exec(text);
  };
  const take = (part: RegExp): RegExpExecArray | null => {
    const found = find(part);
    at += found?.[0].length ?? 0;
    return found;
  };
  for (;;) {
    if (take(parts.head) !== null) continue;
    const stated = take(parts.hunk);
    if (stated === null) return at;
    let [before, after] = [Number(stated[1] ?? 1), Number(stated[2] ?? 1)];
    while (before > 0 || after > 0) {
      const mark = (take(parts.line) ?? take(parts.blank))?.[0][0];
      if (mark === undefined) break;
      if (mark !== "+" && mark !== "\\") before -= 1;
      if (mark !== "-" && mark !== "\\") after -= 1;
    }
    // The stated numbers may be too small.
    while (find(parts.head) === null && take(parts.line) !== null);
  }
}

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
  const start = firstHead.exec(text)?.index;
  if (start === undefined) return undefined;
  const patch = text.slice(start, endOfDiff(text, start));
  const around = text.slice(0, start) + text.slice(start + patch.length);
  const isTold = around
    .split(/\n\s*\n|(?<=[.!?])\s+/)
    .some((sentence) => tried.test(sentence) && failed.test(sentence));
  if (!isTold && !isKnown) return undefined;
  const rest = around.replaceAll(/^(`{3,}|~{3,})\w*\n\s*\1[ ]*$/gm, "").trim();
  return { patch, statement: rest };
}
