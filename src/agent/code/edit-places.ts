/** Chooses the places whose code an author sees: those named in the intent, or else all known places. */
import { isSourceFile, isTestFile } from "../../languages/source-files.ts";
import type { ActionContext } from "../action.ts";
import type { Place } from "../state/task-state.ts";
import { overlap, type Span } from "./diff-spans.ts";

export interface EditPlaces {
  readonly places: readonly Place[];
  /** True if the intent itself names places. */
  readonly areNamed: boolean;
  /** Files that the intent names with lines, but that do not exist. */
  readonly absent: readonly string[];
}

/** `file:12`, `file:12-30`, and further ranges or lines of the same file: `file:12-30, 40-50 and 61`. */
const written =
  /((?:[\w.@+-]+\/)*[\w@+-][\w.@+-]*\.\w+):(\d+)(?:\s?[-–]\s?(\d+))?((?:(?:,| and|, and| or) \d+(?:\s?[-–]\s?\d+\b|(?=\s*(?:[:;,.)]|$| and \d))))*)/g;
/** `(12-30)` behind a name, in an intent that names one file. */
const inBrackets = /\((?:lines? )?(\d+)\s?[-–]\s?(\d+)\)/g;

/**
 * Chooses the places that `intent` names in the existing `files`. A file without lines selects all its known places. If
 * `intent` names neither lines nor a file with known places, chooses all known places. If it names only lines of
 * missing files, chooses none.
 */
export function choosePlaces(
  intent: string,
  known: readonly Place[],
  files: ReadonlySet<string>,
): EditPlaces {
  const all = namedSpans(intent, files);
  const spans = [...all.filter(({ file }) => files.has(file)), ...spansInBrackets(intent, files)];
  const absent = [...new Set(all.map(({ file }) => file))].filter((file) => !files.has(file));
  const words = [...intent.matchAll(/[\w.@+/-]*\w/g)].map(([word]) => wholePath(word, files));
  const plain = [...new Set(known.map(({ file }) => file))].filter(
    (file) => (intent.includes(file) || words.includes(file)) && !spans.some((span) => span.file === file),
  );
  const isNamed = (place: Place): boolean =>
    plain.includes(place.file) || spans.some((span) => overlap(span, place));
  const named = known.filter(isNamed);
  const fresh = spans.filter((span) => !named.some((place) => overlap(span, place)));
  const places = [...named, ...fresh.map((span) => ({ ...span, why: "" }))];
  if (places.length > 0) return { places, areNamed: true, absent };
  // If the named file does not exist, places in other files are useless.
  return absent.length > 0
    ? { places: [], areNamed: true, absent }
    : { places: known, areNamed: false, absent };
}

/**
 * Completes a path: `lru.py` becomes `cachetools/lru.py`, if no other file ends so. Otherwise returns the path as
 * written.
 */
function wholePath(path: string, files: ReadonlySet<string>): string {
  if (files.has(path)) return path;
  const [only, ...more] = [...files].filter((each) => each.endsWith(`/${path}`));
  return only === undefined || more.length > 0 ? path : only;
}

/**
 * Parses places such as `src/cart.ts:12-30` in `names`. Omits tests, missing files, and files other than source code.
 */
export async function placesNamed(
  { workspace: { trees, base } }: Pick<ActionContext, "workspace">,
  names: readonly string[],
): Promise<readonly Place[]> {
  const files = new Set((await trees.list(base)).map(({ path }) => path));
  return namedSpans(names.join("\n"), files)
    .filter(({ file }) => files.has(file) && isSourceFile(file) && !isTestFile(file))
    .map((span) => ({ ...span, why: "named by the tests' author" }));
}

function namedSpans(intent: string, files: ReadonlySet<string>): Span[] {
  return [...intent.matchAll(written)].flatMap(([, path = "", start = "", end, further = ""]) => {
    const file = wholePath(path, files);
    const others = [...further.matchAll(/(\d+)(?:\s?[-–]\s?(\d+))?/g)].map(([, from, to]) => ({
      ...{ file, startLine: Number(from), endLine: Number(to ?? from) },
    }));
    return [{ file, startLine: Number(start), endLine: Number(end ?? start) }, ...others];
  });
}

function spansInBrackets(intent: string, files: ReadonlySet<string>): Span[] {
  const words = [...intent.matchAll(/[\w.@+/-]*\w/g)].map(([word]) => wholePath(word, files));
  const [file, ...more] = new Set(words.filter((word) => files.has(word) && !isTestFile(word)));
  if (file === undefined || more.length > 0) return [];
  return [...intent.matchAll(inBrackets)].map(([, from, to]) => ({
    ...{ file, startLine: Number(from), endLine: Number(to) },
  }));
}
