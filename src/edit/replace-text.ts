/** Replaces one text with another in one file. */
import type { EditProblem, LineRange, ReplaceEdit, Rung } from "./contract.ts";
import { fillReplacement, isElisionLine } from "./elisions.ts";
import { findPlaces, type Place, rangeOf, type Search } from "./find-place.ts";
import { mergeReplacement } from "./merge-replacement.ts";
import { isDoubtfullyEscaped, type Reading, readingsOf } from "./readings.ts";
import { findWithin, spliceWithin } from "./replace-within.ts";
import { isBlank, linesOf, type Splice } from "./text-lines.ts";

export interface Replaced {
  readonly ok: true;
  readonly splices: readonly Splice[];
  readonly place: LineRange;
  readonly rung: Rung;
}

/** A problem, before the caller adds the number of the edit and the file. */
export interface NotReplaced extends Pick<EditProblem, "kind" | "message"> {
  readonly ok: false;
  readonly ranges: readonly LineRange[];
}

export function replaceText(file: readonly string[], edit: ReplaceEdit): Replaced | NotReplaced {
  const readings = readingsOf(edit);
  if (readings.every(({ original }) => original.every(isBlank)))
    return problem(
      "no-match",
      "The original is empty: give the lines to replace, or the lines around the place.",
    );
  const within = edit.inline === true || edit.everywhere === true ? replaceWithin(file, edit) : undefined;
  if (within !== undefined) return within;
  const search = findPlaces(file, readings);
  const results = search.places.map((place) => mergeAt(file, place));
  const distinct = new Map(
    results.map((result) => [JSON.stringify(result.ok ? result.splices : result), result]),
  );
  const [only] = distinct.values();
  if (only === undefined) return replaceFragment(file, readings) ?? notFound(file, search);
  if (distinct.size === 1) return only;
  const atLine = search.places.findIndex(
    (place) => edit.line !== undefined && rangeOf(place.alignment).start === edit.line - 1,
  );
  return results[atLine] ?? severalPlaces(search.places.map(rangeFor));
}

/** Replaces the exact text, which may begin inside a line. Undefined if the file does not contain it. */
function replaceWithin(file: readonly string[], edit: ReplaceEdit): Replaced | NotReplaced | undefined {
  const original = linesOf(edit.original).join("\n");
  const isOpen = edit.original.endsWith("\n");
  const found = findWithin(file, isOpen ? `${original}\n` : original);
  if (found.length === 0) return undefined;
  const ranges = found.map(({ startLine, endLine }) => ({ startLine, endLine }));
  if (found.length > 1 && !edit.everywhere) return severalPlaces(ranges);
  const fresh = linesOf(edit.replacement).join("\n") + (edit.replacement.endsWith("\n") ? "\n" : "");
  const splices = spliceWithin(file, found, fresh);
  if (splices.length === 0)
    return problem("no-change", "The replacement equals the original, so it changes nothing.", ranges);
  const place = { startLine: ranges[0]?.startLine ?? 1, endLine: ranges.at(-1)?.endLine ?? 1 };
  return { ok: true, splices, place, rung: "exact" };
}

/** Minimum length of a single line that may match part of a line. */
const leastFragment = 12;

function replaceFragment(
  file: readonly string[],
  readings: readonly Reading[],
): Replaced | NotReplaced | undefined {
  for (const { original, replacement } of readings) {
    const [line, ...more] = original.map((each) => each.trim()).filter((each) => each !== "");
    const fresh = replacement.map((each) => each.trim()).filter((each) => each !== "");
    if (line === undefined || more.length > 0 || fresh.length > 1 || line.length < leastFragment) continue;
    const found = findWithin(file, line);
    const ranges = found.map(({ startLine, endLine }) => ({ startLine, endLine }));
    const [place] = ranges;
    if (place === undefined) continue;
    if (found.length > 1) return severalPlaces(ranges);
    const splices = spliceWithin(file, found, fresh[0] ?? "");
    if (splices.length > 0) return { ok: true, splices, place, rung: "fragment" };
  }
  return undefined;
}

function mergeAt(file: readonly string[], place: Place): Replaced | NotReplaced {
  const elided = new Set(
    place.original
      .filter((line, index) => place.isElided && place.alignment[index] === -1 && isElisionLine(line))
      .map((line) => line.trim()),
  );
  const isElision = (line: string): boolean => elided.has(line.trim());
  const range = rangeFor(place);
  const replacement = fillReplacement(file, place.original, place.replacement);
  if (replacement === undefined) {
    const message =
      "The replacement omits lines of the original: write these lines, or omit them in both texts.";
    return problem("unclear", `The original fits ${lines(range).toLowerCase()}. ${message}`, [range]);
  }
  if (isDoubtfullyEscaped(file, place)) {
    const record = '{"path": …, "old": …, "new": …}';
    const message = `It is unclear whether the file should contain \`&lt;\` and similar entities, or the characters that they stand for. Write a JSON record: ${record}.`;
    return problem("unclear", message, [range]);
  }
  const merged = mergeReplacement({ ...place, replacement, file, isElision });
  if (!merged.ok)
    return problem("unclear", `The original fits ${lines(range).toLowerCase()}. ${merged.message}`, [range]);
  if (merged.value.length === 0)
    return problem("no-change", `The file already has the replacement, at ${lines(range).toLowerCase()}.`, [
      range,
    ]);
  return { ok: true, splices: merged.value, place: range, rung: place.rung };
}

function severalPlaces(ranges: readonly LineRange[]): NotReplaced {
  const names = ranges.map(({ startLine, endLine }) => `${startLine}-${endLine}`).join(" and ");
  return problem(
    "ambiguous",
    `The original fits ${ranges.length} places equally well (lines ${names}): add a neighbouring line that only one of them has.`,
    ranges,
  );
}

/** Maximum number of lines of the nearest text that a message shows. The author can copy them. */
const mostShown = 40;

function notFound(file: readonly string[], { nearest }: Search): NotReplaced {
  if (nearest === undefined || nearest.likeness < 0.3)
    return problem(
      "no-match",
      "The file has no lines like the original. Read the file and copy the lines from it.",
    );
  const range = { startLine: nearest.start + 1, endLine: nearest.end };
  const text = file.slice(nearest.start, Math.min(nearest.end, nearest.start + mostShown)).join("\n");
  const reason = nearest.rival > 0.5 ? "Several places are similar" : "The file has no such lines";
  return problem("no-match", `${reason}. The most similar text, ${lines(range).toLowerCase()}:\n${text}`, [
    range,
  ]);
}

function lines({ startLine, endLine }: LineRange): string {
  return startLine === endLine ? `Line ${startLine}` : `Lines ${startLine}-${endLine}`;
}

function rangeFor({ alignment }: Place): LineRange {
  const { start, end } = rangeOf(alignment);
  return { startLine: start + 1, endLine: end };
}

function problem(kind: EditProblem["kind"], message: string, ranges: readonly LineRange[] = []): NotReplaced {
  return { ok: false, kind, message, ranges };
}
