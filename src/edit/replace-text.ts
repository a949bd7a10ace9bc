/** One text put in the place of another in one file. */
import type { EditProblem, LineRange, ReplaceEdit, Rung } from "./contract.ts";
import { isElisionLine } from "./elisions.ts";
import { findPlaces, type Place, rangeOf, type Search } from "./find-place.ts";
import { mergeReplacement } from "./merge-replacement.ts";
import { readingsOf } from "./readings.ts";
import { isBlank, type Splice } from "./text-lines.ts";

export interface Replaced {
  readonly ok: true;
  readonly splices: readonly Splice[];
  readonly place: LineRange;
  readonly rung: Rung;
}

/** What is wrong, before it is known which edit and file it is about. */
export interface NotReplaced extends Pick<EditProblem, "kind" | "message"> {
  readonly ok: false;
  readonly ranges: readonly LineRange[];
}

export function replaceText(file: readonly string[], edit: ReplaceEdit): Replaced | NotReplaced {
  const readings = readingsOf(edit);
  if (readings.every(({ original }) => original.every(isBlank)))
    return problem(
      "no-match",
      "The original is empty: give the lines that are to be replaced, or that stand around.",
    );
  const search = findPlaces(file, readings);
  const results = search.places.map((place) => mergeAt(file, place));
  const distinct = new Map(
    results.map((result) => [JSON.stringify(result.ok ? result.splices : result), result]),
  );
  const [only] = distinct.values();
  if (only === undefined) return notFound(file, search);
  if (distinct.size === 1) return only;
  const atLine = search.places.findIndex(
    (place) => edit.line !== undefined && rangeOf(place.alignment).start === edit.line - 1,
  );
  return results[atLine] ?? severalPlaces(search.places);
}

function mergeAt(file: readonly string[], place: Place): Replaced | NotReplaced {
  const isElision = place.isElided ? isElisionLine : () => false;
  const merged = mergeReplacement({ ...place, file, isElision });
  const range = rangeFor(place);
  if (!merged.ok) return problem("unclear", `${lines(range)} are meant. ${merged.message}`, [range]);
  if (merged.value.length === 0)
    return problem("no-change", `${lines(range)} are already as the replacement has them.`, [range]);
  return { ok: true, splices: merged.value, place: range, rung: place.rung };
}

function severalPlaces(places: readonly Place[]): NotReplaced {
  const ranges = places.map(rangeFor);
  const names = ranges.map(({ startLine, endLine }) => `${startLine}-${endLine}`).join(" and ");
  return problem(
    "ambiguous",
    `The original fits ${places.length} places equally well, lines ${names}: add lines around it that only one of them has.`,
    ranges,
  );
}

/** The nearest text is shown as the file has it, so that the author can copy it. */
const mostShown = 40;

function notFound(file: readonly string[], { nearest }: Search): NotReplaced {
  if (nearest === undefined || nearest.likeness < 0.3)
    return problem(
      "no-match",
      "The file has no lines like the original. Read the file and copy the lines from it.",
    );
  const range = { startLine: nearest.start + 1, endLine: nearest.end };
  const text = file.slice(nearest.start, Math.min(nearest.end, nearest.start + mostShown)).join("\n");
  const reason = nearest.rival > 0.5 ? "Several places are alike" : "The file has no such lines";
  return problem("no-match", `${reason}; nearest is this, ${lines(range).toLowerCase()}:\n${text}`, [range]);
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
