/**
 * Converts text to search terms in lower case. Splits identifiers by case, underscore and digits, and also keeps them
 * whole.
 */

const word = /[\p{L}_$][\p{L}\p{N}_$]*|\p{N}+/gu;
const longest = 64;

/** Returns every term of the text, in order, with repetitions. Skips words of more than 64 characters. */
export function splitTerms(text: string): string[] {
  const terms: string[] = [];
  for (const [found] of text.matchAll(word)) pushTerms(found, terms);
  return terms;
}

/**
 * Splits an identifier by case, `_` and `$`, and before digits, in lower case: `parseHTTPUrl2` → parse, http, url, 2.
 */
export function splitIdentifier(identifier: string): readonly string[] {
  return identifier
    .replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2")
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2")
    .replace(/(\p{L})(\p{N})/gu, "$1 $2")
    .toLowerCase()
    .split(/[\s_$]+/)
    .filter((part) => part !== "");
}

/**
 * Appends the parts of an identifier to `into`, in lower case. If it has several parts, also appends the whole. Skips
 * identifiers of more than 64 characters.
 */
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
