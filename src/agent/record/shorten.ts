/**
 * Shortens a text of more than `most` characters to its two ends. States the number of omitted characters, and cuts
 * between lines if possible. `where`: tells readers where the whole text is.
 */
export function shorten(text: string, most: number, where = ""): string {
  if (text.length <= most) return text;
  const head = cutAtLine(text.slice(0, Math.floor(most * 0.6)), false);
  const tail = cutAtLine(text.slice(text.length - Math.floor(most * 0.3)), true);
  const lost = text.length - head.length - tail.length;
  return `${head}\n… ${lost} characters are omitted${where} …\n${tail}`;
}

function cutAtLine(text: string, fromStart: boolean): string {
  const at = fromStart ? text.indexOf("\n") : text.lastIndexOf("\n");
  if (at < 0) return text;
  return fromStart ? text.slice(at + 1) : text.slice(0, at);
}

/** Returns the first sentence of the first line, without its last punctuation mark. */
export function firstSentence(text: string): string {
  const line = text.trim().split("\n", 1)[0] ?? "";
  return (/^.*?[^.\s](?=[.!?](?:\s|$))/.exec(line)?.[0] ?? line).replace(/\.\s*$/, "");
}
