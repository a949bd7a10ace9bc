/** Makes nouns that agree with their number, and shortens lists. */

/**
 * Renders the number and its noun: `1 test`, `3 tests`, `2 processes`. Pass `many` for an irregular plural, or for a
 * longer phrase: `1 test passes`, `2 tests pass`.
 */
export function countOf(count: number, one: string, many = pluralOf(one)): string {
  return `${count} ${wordFor(count, one, many)}`;
}

/** Renders all of several things, or the only one: `each of 3 mutants`, `the only mutant`. Zero counts as several. */
export function eachOf(count: number, one: string, many = pluralOf(one)): string {
  return count === 1 ? `the only ${one}` : `each of ${countOf(count, one, many)}`;
}

/** Returns the word that agrees with a number, without the number: `wordFor(2, "is", "are")` is `are`. */
export function wordFor(count: number, one: string, many = pluralOf(one)): string {
  return count === 1 ? one : many;
}

/** Renders the first `most` names, and the number of the others: `a, b and 3 more`. */
export function nameFirst(names: readonly string[], most: number): string {
  const more = names.length > most ? ` and ${names.length - most} more` : "";
  return `${names.slice(0, most).join(", ")}${more}`;
}

function pluralOf(one: string): string {
  if (/(?:s|x|z|ch|sh)$/.test(one)) return `${one}es`;
  return /[^aeiou]y$/.test(one) ? `${one.slice(0, -1)}ies` : `${one}s`;
}
