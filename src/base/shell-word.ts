/** Quotes a text as one word of a POSIX shell; returns it unchanged if it needs no quotes. */
export function quoteWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
