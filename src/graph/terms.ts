/** Text to search terms: identifiers are split by case, underscore and digits, and kept whole too. All in lower case. */

const word = /[\p{L}_$][\p{L}\p{N}_$]*|\p{N}+/gu;
const longest = 64;

/** Every term of the text, in its order, repeated as often as it stands there. */
export function splitTerms(text: string): string[] {
  const terms: string[] = [];
  for (const [found] of text.matchAll(word)) pushTerms(found, terms);
  return terms;
}

const asciiWord = /[A-Za-z_$][\w$]*|\d+/g;
const isAscii = /^[\0-\x7f]*$/;

/** How often each term stands in the text; the same as counting `splitTerms`, in a third of the time. */
export function countTerms(text: string): Map<string, number> {
  const words = new Map<string, number>();
  for (const [found] of text.matchAll(isAscii.test(text) ? asciiWord : word))
    words.set(found, (words.get(found) ?? 0) + 1);
  const counts = new Map<string, number>();
  const terms: string[] = [];
  for (const [found, count] of words) {
    terms.length = 0;
    pushTerms(found, terms);
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + count);
  }
  return counts;
}

/** Lower-case parts by case, digits and underscore: `parseHTTPUrl2` → parse, http, url, 2. */
export function splitIdentifier(identifier: string): readonly string[] {
  return identifier
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{L})(\p{N})/gu, "$1 $2")
    .toLowerCase()
    .split(/[\s_$]+/)
    .filter((part) => part !== "");
}

/** The parts of one identifier, and the whole where it has several. */
export function pushTerms(identifier: string, into: string[]): void {
  if (identifier.length > longest) return;
  const lower = identifier.toLowerCase();
  if (lower === identifier && !/[_$\d]/.test(identifier)) {
    into.push(lower);
    return;
  }
  const parts = splitIdentifier(identifier);
  for (const part of parts) into.push(part);
  if (parts.length > 1) into.push(lower);
}
