/**
 * Makes the mistakes of authors who recall lines: in spaces, blank lines, words and comments. Never changes new lines.
 */
import type { HunkLine } from "./edit-hunks.ts";
import { pick, type Random, shuffle } from "./edit-random.ts";

export function isFilled(line: HunkLine | undefined): boolean {
  return line !== undefined && line.text.trim() !== "";
}

/** Spaces at the ends of lines or inside of them, a blank line more or less. */
export function respace(lines: readonly HunkLine[], random: Random): HunkLine[] {
  const way = pick(["ends", "inside", "inside", "blank less", "blank more"], random);
  if (way === "ends") {
    return lines.map((line) =>
      line.sign === "+" ? line : { ...line, text: random() < 0.5 ? `${line.text}  ` : line.text.trimEnd() },
    );
  }
  if (way === "inside")
    return lines.map((line) => (line.sign === "+" ? line : { ...line, text: squeezeText(line.text) }));
  if (way === "blank less") {
    const blanks = lines.flatMap((line, index) => (line.sign === " " && !isFilled(line) ? [index] : []));
    const gone = blanks.length === 0 ? -1 : pick(blanks, random);
    return lines.filter((_, index) => index !== gone);
  }
  const kept = lines.flatMap((line, index) => (line.sign === " " ? [index] : []));
  const at = kept.length === 0 ? -1 : pick(kept, random);
  return lines.flatMap((line, index) => (index === at ? [line, { sign: " ", text: "" }] : [line]));
}

/** `f(a, b)` as `f(a,b)`, `x = 1` as `x=1`, outside the indentation. */
function squeezeText(text: string): string {
  const indent = /^\s*/.exec(text)?.[0] ?? "";
  return (
    indent +
    text
      .slice(indent.length)
      .replace(/, /g, ",")
      .replace(/ ([=+*/<>-]+) /g, "$1")
  );
}

/** A word of one or two lines wrong, a comment or a line of the edge left out, a line cut short. */
export function recallBadly(lines: readonly HunkLine[], random: Random): HunkLine[] {
  const known = lines.flatMap((line, index) => (line.sign !== "+" && isFilled(line) ? [index] : []));
  const order = shuffle(known, random);
  const way = pick(["word", "word", "two words", "quotes", "comment", "cut", "inner"], random);
  if (way === "comment" || way === "inner") {
    // One that others surround: without its last line a hunk says something else.
    const filled = lines.flatMap((line, index) => (line.sign !== "+" && isFilled(line) ? [index] : []));
    const inner = filled.slice(1, -1).filter((index) => lines[index]?.sign === " ");
    const comments = inner.filter((index) => /^\s*(?:#|\/\/|\*|\/\*|--)/.test(lines[index]?.text ?? ""));
    const among = way === "comment" ? comments : inner;
    const gone = among.length === 0 ? -1 : pick(among, random);
    return lines.filter((_, index) => index !== gone);
  }
  const touched = new Set(order.slice(0, way === "two words" ? 2 : 1));
  return lines.map((line, index) =>
    touched.has(index) ? { ...line, text: slip(line.text, way, random) } : line,
  );
}

function slip(text: string, way: string, random: Random): string {
  if (way === "quotes") return text.includes('"') ? text.replaceAll('"', "'") : text.replaceAll("'", '"');
  if (way === "cut") return text.length > 30 ? text.slice(0, Math.ceil(text.length * 0.7)) : text;
  const words = [...text.matchAll(/[A-Za-z_]{4,}/g)];
  if (words.length === 0) return text;
  const word = pick(words, random);
  const wrong = pick(
    [
      (w: string) => `${w}s`,
      (w: string) => w.slice(0, -1),
      (w: string) => `_${w}`,
      () => "value",
      () => "result",
    ],
    random,
  )(word[0]);
  return text.slice(0, word.index) + wrong + text.slice(word.index + word[0].length);
}
