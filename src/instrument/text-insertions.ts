/** A text to insert without moving a line. Counters, selectors and probes use such insertions. */

export interface Insertion {
  /** Offset in UTF-16 units; the text is inserted before it. */
  readonly at: number;
  readonly text: string;
  /** Whether the text opens or closes code around a node. At one offset, closing texts come before opening ones. */
  readonly side: "open" | "close";
  /** The node's number in the order of the text, outer nodes first. Inner nodes close first and open last. */
  readonly order: number;
}

/** Returns the text with all insertions. Throws RangeError for an insertion that would move lines. */
export function insertAll(text: string, insertions: readonly Insertion[]): string {
  const sorted = [...insertions].sort(
    (a, b) =>
      a.at - b.at ||
      (a.side === b.side ? 0 : a.side === "close" ? -1 : 1) ||
      (a.side === "close" ? b.order - a.order : a.order - b.order),
  );
  const parts: string[] = [];
  let done = 0;
  for (const insertion of sorted) {
    if (/[\r\n]/.test(insertion.text)) throw new RangeError("an inserted text has a line break");
    parts.push(text.slice(done, insertion.at), insertion.text);
    done = insertion.at;
  }
  parts.push(text.slice(done));
  return parts.join("");
}
