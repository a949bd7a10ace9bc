/** Which places an editor is shown the code of: those that its intent names, where it names any. */

import type { Place } from "../state/task-state.ts";
import { overlap, type Span } from "./diff-spans.ts";

export interface EditPlaces {
  readonly places: readonly Place[];
  /** The intent says itself where the change belongs. */
  readonly areNamed: boolean;
}

/** `file:12` and `file:12-30`. */
const written = /((?:[\w.@+-]+\/)*[\w@+-][\w.@+-]*\.\w+):(\d+)(?:\s?[-–]\s?(\d+))?/g;

/** `files`: those that there are. Of a file that the intent names without lines all places are taken. */
export function choosePlaces(
  intent: string,
  known: readonly Place[],
  files: ReadonlySet<string>,
): EditPlaces {
  const spans = namedSpans(intent).filter(({ file }) => files.has(file));
  const plain = [...new Set(known.map(({ file }) => file))].filter(
    (file) => intent.includes(file) && !spans.some((span) => span.file === file),
  );
  const isNamed = (place: Place): boolean =>
    plain.includes(place.file) || spans.some((span) => overlap(span, place));
  const named = known.filter(isNamed);
  const fresh = spans.filter((span) => !named.some((place) => overlap(span, place)));
  const places = [...named, ...fresh.map((span) => ({ ...span, why: "" }))];
  return places.length === 0 ? { places: known, areNamed: false } : { places, areNamed: true };
}

function namedSpans(intent: string): Span[] {
  return [...intent.matchAll(written)].map(([, file = "", start = "", end]) => ({
    file,
    startLine: Number(start),
    endLine: Number(end ?? start),
  }));
}
