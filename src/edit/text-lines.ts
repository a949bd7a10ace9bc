/** A text as lines, with the data to write exactly the same bytes again. */

export interface TextLines {
  /** The byte order mark U+FEFF, or "". */
  readonly mark: string;
  /** The lines without their line breaks. Only "\n" and "\r\n" end a line. */
  readonly lines: readonly string[];
  /** The line break after each line; "" after the last line if the text does not end with a line break. */
  readonly ends: readonly string[];
  /** The line ending of most lines. */
  readonly end: "\n" | "\r\n";
}

/** Replaces lines `start` … `start + count - 1` with `lines`. Lines count from 0. */
export interface Splice {
  readonly start: number;
  readonly count: number;
  readonly lines: readonly string[];
}

const byteOrderMark = "\ufeff";

export function splitText(text: string): TextLines {
  const mark = text.startsWith(byteOrderMark) ? byteOrderMark : "";
  const lines: string[] = [];
  const ends: string[] = [];
  let start = mark.length;
  while (start < text.length) {
    const next = text.indexOf("\n", start);
    const stop = next === -1 ? text.length : next;
    const isPair = next > start && text[next - 1] === "\r";
    lines.push(text.slice(start, isPair ? stop - 1 : stop));
    ends.push(next === -1 ? "" : isPair ? "\r\n" : "\n");
    start = next === -1 ? text.length : next + 1;
  }
  const pairs = ends.filter((end) => end === "\r\n").length;
  const single = ends.filter((end) => end === "\n").length;
  return { mark, lines, ends, end: pairs > single ? "\r\n" : "\n" };
}

/** Splits an author's text at `\n` and `\r\n`. */
export function linesOf(text: string): string[] {
  return [...splitText(text).lines];
}

/**
 * Applies splices, and returns the new text. The splices must be in order and must not overlap. Unchanged lines keep
 * their line ends; new lines get the file's usual line end. The new text ends with a line break if the old text did, or
 * was empty.
 */
export function spliceText(text: TextLines, splices: readonly Splice[]): string {
  const parts: { line: string; end: string }[] = [];
  let at = 0;
  const keep = (stop: number): void => {
    for (; at < stop; at++) parts.push({ line: text.lines[at] ?? "", end: text.ends[at] || text.end });
  };
  for (const splice of splices) {
    keep(splice.start);
    for (const line of splice.lines) parts.push({ line, end: text.end });
    at += splice.count;
  }
  keep(text.lines.length);
  const last = parts.at(-1);
  if (last !== undefined && text.ends.at(-1) === "") last.end = "";
  return text.mark + parts.map(({ line, end }) => line + end).join("");
}

export function isBlank(line: string): boolean {
  return line.trim() === "";
}

export function indentOf(line: string): string {
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

/** Returns the text without any whitespace. */
export function squeeze(text: string): string {
  return text.replace(/\s+/g, "");
}
