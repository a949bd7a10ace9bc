/** Places of the state as the text that stands there now, with line numbers: what an editor need not look up. */
import { diffLines } from "../../edit/line-diff.ts";
import type { Place } from "../state/task-state.ts";
import { type Definition, entryOf, type Lines, renderEntry, renderSkeleton } from "./skeleton.ts";
import { innermostAround, widen } from "./whole-definitions.ts";

/** Characters to a token, roughly. */
const charactersPerToken = 4;
/** Of all texts together, where nothing else is asked for. */
const usualTokens = 3_500;
/** Of the skeletons that stand around them, in all and of a file. */
const mostEntries = { all: 30, file: 14 };
/** A file is shown whole where that is at most so many times what is shown of it otherwise: to ask for the rest costs more. */
const wholeFactor = 2;

/** A place's lines are counted on the base, unless it says that they are of the text as it is now. */
export interface TextPlace extends Place {
  readonly isNow?: true;
}

export interface PlacedTexts {
  /** Of a file, on the tree that is laid, and on the base. */
  readonly now: (file: string) => Promise<string | undefined>;
  readonly base: (file: string) => Promise<string | undefined>;
  /** What the file defines on the tree that is laid; without it nothing is said of what stands around. */
  readonly definitions?: (file: string) => Promise<readonly Definition[]>;
}

/**
 * "" where there are no places. They come by rank, file by file: whole definitions, and whole files where that is little more, as long as
 * the budget lasts; then what else the files define, and what is not shown, in a line each.
 */
export async function renderPlaceTexts(
  places: readonly TextPlace[],
  texts: PlacedTexts,
  tokens = usualTokens,
): Promise<string> {
  const parts: string[] = [];
  const left: string[] = [];
  let characters = tokens * charactersPerToken;
  let entries = mostEntries.all;
  for (const file of new Set(places.map((place) => place.file))) {
    const [now, base] = [await texts.now(file), await texts.base(file)];
    if (now === undefined) continue;
    const definitions = (await texts.definitions?.(file)) ?? [];
    const text = { file, lines: now.split("\n"), definitions };
    const own = places.filter((place) => place.file === file);
    const wanted = wantedSpans(own, base ?? now, text);
    const chosen = chooseSpans(text, wanted, characters);
    const most = texts.definitions === undefined ? 0 : Math.min(entries, mostEntries.file);
    const skeleton =
      most <= 0 || chosen.shown.length === 0 ? "" : renderSkeleton(now, definitions, chosen.shown, most);
    const last = text.lines.length - (text.lines.at(-1) === "" ? 1 : 0);
    const whole = mergeSpans([{ start: 1, end: last, whys: [] }, ...wanted]);
    const nearly = wholeFactor * (costOf(text, chosen.shown) + skeleton.length);
    const isWhole = costOf(text, whole) <= Math.min(characters, nearly);
    const shown = isWhole ? whole : chosen.shown;
    characters -= costOf(text, shown);
    parts.push(...shown.map((span) => renderSpan(text, span)));
    if (isWhole) continue;
    left.push(...chosen.left.map((span) => nameSpan(text, span)));
    if (skeleton === "") continue;
    entries -= skeleton.split(", ").length;
    parts.push(`Also in ${file}: ${skeleton}`);
  }
  if (left.length > 0) parts.push(`Not shown: ${left.join("; ")}.`);
  return parts.join("\n\n");
}

interface FileText {
  readonly file: string;
  readonly lines: readonly string[];
  readonly definitions: readonly Definition[];
}

interface Span extends Lines {
  /** What is decided there. */
  readonly whys: readonly string[];
}

/** In the order of the places. */
function wantedSpans(places: readonly TextPlace[], base: string, { lines, definitions }: FileText): Span[] {
  const fromBase = moverOf(base.split("\n"), lines);
  return places.map(({ startLine, endLine, why, isNow }) => {
    const move = isNow === true ? (line: number) => line : fromBase;
    const start = Math.max(1, Math.min(lines.length, move(startLine)));
    const end = Math.max(start, Math.min(lines.length, move(Math.max(startLine, endLine))));
    return { ...widen({ start, end }, definitions, lines), whys: why === "" ? [] : [why] };
  });
}

/** The first take of the budget what they need; those that are shown are in the order of the file. */
function chooseSpans(
  text: FileText,
  wanted: readonly Span[],
  characters: number,
): { readonly shown: readonly Span[]; readonly left: readonly Span[] } {
  let shown: readonly Span[] = [];
  const left: Span[] = [];
  for (const span of wanted) {
    const next = mergeSpans([...shown, span]);
    if (costOf(text, next) <= characters) shown = next;
    else left.push(span);
  }
  return { shown, left: mergeSpans(left) };
}

/** Those that touch are one. */
function mergeSpans(spans: readonly Span[]): readonly Span[] {
  const merged: { start: number; end: number; whys: string[] }[] = [];
  for (const { start, end, whys } of spans.toSorted((a, b) => a.start - b.start)) {
    const before = merged.at(-1);
    if (before === undefined || start > before.end + 2) merged.push({ start, end, whys: [...whys] });
    else {
      before.end = Math.max(before.end, end);
      before.whys.push(...whys);
    }
  }
  return merged;
}

/** Where a line of the base stands now. */
function moverOf(base: readonly string[], now: readonly string[]): (line: number) => number {
  const changes = diffLines(base, now, (line) => line);
  return (line) => {
    const before = changes.filter(({ fromEnd }) => fromEnd < line);
    return before.reduce(
      (at, change) => at + (change.toEnd - change.toStart) - (change.fromEnd - change.fromStart),
      line,
    );
  };
}

function costOf(text: FileText, spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + renderSpan(text, span).length, 0);
}

function renderSpan({ file, lines, definitions }: FileText, { start, end, whys }: Span): string {
  const shown = lines.slice(start - 1, end).map((line, index) => `${start + index}\t${line}`);
  const why = whys.length === 0 ? "" : ` (${[...new Set(whys)].join("; ")})`;
  const around = innermostAround(definitions, { start, end });
  const within = around === undefined ? "" : `, in ${renderEntry(entryOf(around))}`;
  return [`${file}:${start}-${end}${why}${within}`, ...shown].join("\n");
}

/** With the definition that begins there, or that it is a part of. */
function nameSpan({ file, definitions }: FileText, { start, end }: Span): string {
  const own =
    definitions.find(({ startLine }) => startLine === start) ?? innermostAround(definitions, { start, end });
  return `${file}:${start}-${end}${own === undefined ? "" : ` ${entryOf(own).text}`}`;
}
