/** One text put in the place of another in one file. */
import type { EditProblem, LineRange, ReplaceEdit, Rung } from "./contract.ts";
import { findPlaces, type Place, type Reading, rangeOf } from "./find-place.ts";
import { mergeReplacement } from "./merge-replacement.ts";
import { isBlank, linesOf, type Splice } from "./text-lines.ts";

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
    return problem("no-match", "The original is empty.");
  const places = findPlaces(file, readings);
  const [place] = places;
  if (place === undefined) return problem("no-match", "The file has no such lines.");
  if (places.length > 1) {
    const ranges = places.map(rangeFor);
    const names = ranges.map(({ startLine, endLine }) => `${startLine}-${endLine}`).join(", ");
    return problem(
      "ambiguous",
      `The original fits ${places.length} places as well: lines ${names}. Add lines around it that only one of them has.`,
      ranges,
    );
  }
  const merged = mergeReplacement({ ...place, file, isElision: () => false });
  if (!merged.ok) return problem("unclear", merged.message, [rangeFor(place)]);
  if (merged.value.length === 0)
    return problem("no-change", "The replacement is what the file has already.", [rangeFor(place)]);
  return { ok: true, splices: merged.value, place: rangeFor(place), rung: place.rung };
}

function readingsOf(edit: ReplaceEdit): Reading[] {
  return [edit, ...(edit.others ?? [])].map(({ original, replacement }) => ({
    original: linesOf(original),
    replacement: linesOf(replacement),
  }));
}

function rangeFor({ alignment }: Place): LineRange {
  const { start, end } = rangeOf(alignment);
  return { startLine: start + 1, endLine: end };
}

function problem(kind: EditProblem["kind"], message: string, ranges: readonly LineRange[] = []): NotReplaced {
  return { ok: false, kind, message, ranges };
}
