/**
 * Checks whether the places that a run located contain the known fix, as in MarsCode Agent (Liu et al., 2024). *File*:
 * a file of the fix is among the files of the places; *snippet*: a place overlaps lines that the fix changes.
 * Millwright adds *function*: a place overlaps a function that the fix changes.
 */
import { z } from "zod";
import { overlap, readHunks, type Span, spansOf } from "../../agent/code/diff-spans.ts";
import { callableKinds, type DefinitionKind } from "../../domain/code-symbols.ts";
import type { RunEvent } from "../../domain/run-event.ts";
import { languageOf } from "../../languages/source-files.ts";
import { extractSymbols } from "../../syntax/symbols/extract-symbols.ts";

export const locatedSchema = z.object({
  /**
   * The source of the places. `event`: the strategy's own event. For a run without this event: the code that its patch
   * edits, or else the code that it read last. `none`: the run located no place. Absent in older documents: the event.
   */
  from: z.enum(["event", "edits", "reads", "none"]).optional(),
  /**
   * The number of located files. `lines`: the number of lines in them. Both numbers put the other figures into
   * perspective, because large places overlap more easily.
   */
  files: z.int(),
  lines: z.int(),
  file: z.boolean(),
  /** Absent if the fix changes no function of the base, or the base's text is unavailable. */
  function: z.boolean().optional(),
  snippet: z.boolean(),
});
export type Located = z.infer<typeof locatedSchema>;

/** Reads the text of a file of the task's base; undefined if the text is unavailable. */
export type ReadBase = (path: string) => Promise<string | undefined>;

/**
 * Judges the places that a run located. Undefined if the fix changes no file of the base. A run without a place located
 * nothing, and counts as an attempt.
 * Counts only code files of the fix, as in "correct file localization" of Liu et al.: missing a changelog or document
 * is no fault. If the fix changes no code file, counts all its files. `patch`: the run's patch.
 */
export async function judgeLocated(
  events: readonly RunEvent[],
  goldPatch: string,
  readBase: ReadBase,
  patch = "",
): Promise<Located | undefined> {
  const { places, from } = findPlaces(events, patch);
  const all = changedSpans(goldPatch);
  const code = all.filter(({ file }) => languageOf(file) !== undefined);
  const gold = code.length > 0 ? code : all;
  if (gold.length === 0) return undefined;
  const files = new Set(places.map(({ file }) => file));
  const functions = await functionsAround(gold, readBase);
  const hits = (spans: readonly Span[]): boolean =>
    spans.some((span) => places.some((place) => overlap(place, span)));
  return {
    from,
    files: files.size,
    lines: [...files].reduce((sum, file) => sum + countLines(places.filter((each) => each.file === file)), 0),
    file: gold.some(({ file }) => files.has(file)),
    ...(functions.length === 0 ? {} : { function: hits(functions) }),
    snippet: hits(gold),
  };
}

/** Returns the spans of the base that a patch changes. Omits new files. */
function changedSpans(patch: string): Span[] {
  return readHunks(patch).flatMap((hunk) => (hunk.names[0].startsWith("--- /dev/null") ? [] : spansOf(hunk)));
}

interface FoundPlaces {
  readonly places: readonly Span[];
  readonly from: NonNullable<Located["from"]>;
}

function findPlaces(events: readonly RunEvent[], patch: string): FoundPlaces {
  const placed = newestPlaces(events);
  if (placed.length > 0) return { places: placed, from: "event" };
  const edited = changedSpans(patch).filter(({ file }) => languageOf(file) !== undefined);
  if (edited.length > 0) return { places: edited, from: "edits" };
  const read = lastRead(events);
  return { places: read, from: read.length > 0 ? "reads" : "none" };
}

/**
 * Returns the lines that the newest successful `view` of a part of a file in the repository showed; empty if there is
 * none. The event gives them as `FILE, FIRST, LAST`.
 */
function lastRead(events: readonly RunEvent[]): Span[] {
  const viewed = events.flatMap((event) => {
    if (event.event !== "tool-ended" || event.tool !== "view" || event.failed) return [];
    const [, file, first, last] = /^(?:\.\/)?([^,]+), (\d+)(?:, (\d+))?$/.exec(event.about) ?? [];
    if (file === undefined || file.startsWith("/")) return [];
    return [{ file, startLine: Number(first), endLine: Number(last ?? first) }];
  });
  return viewed.slice(-1);
}

/** Returns the newest places of each arm. Each event names all places that are valid at its time. */
function newestPlaces(events: readonly RunEvent[]): readonly Span[] {
  const byArm = new Map<string | undefined, readonly Span[]>();
  for (const event of events) if (event.event === "places-located") byArm.set(event.arm, event.places);
  return [...byArm.values()].flat();
}

/** Counts the lines of the places, each line once. */
function countLines(places: readonly Span[]): number {
  let [count, end] = [0, 0];
  for (const { startLine, endLine } of [...places].sort((a, b) => a.startLine - b.startLine)) {
    count += Math.max(0, endLine - Math.max(startLine - 1, end));
    end = Math.max(end, endLine);
  }
  return count;
}

async function functionsAround(gold: readonly Span[], readBase: ReadBase): Promise<Span[]> {
  const found: Span[] = [];
  for (const [file, spans] of Map.groupBy(gold, (span) => span.file)) {
    const text = await readBase(file);
    const symbols = text === undefined ? undefined : await extractSymbols(file, text);
    const functions = (symbols?.definitions ?? [])
      .filter(({ kind }) => isCallable(kind))
      .map(({ startLine, endLine }) => ({ file, startLine, endLine }));
    for (const span of spans) {
      const around = functions.filter((each) => overlap(each, span));
      found.push(
        ...around.filter((each) => !around.some((inner) => inner !== each && isWithin(inner, each))),
      );
    }
  }
  return found;
}

function isCallable(kind: DefinitionKind): boolean {
  return callableKinds.some((each) => each === kind);
}

function isWithin(inner: Span, outer: Span): boolean {
  return outer.startLine <= inner.startLine && inner.endLine <= outer.endLine;
}
