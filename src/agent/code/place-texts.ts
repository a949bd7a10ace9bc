/**
 * Renders the current text at places of the state, with line numbers. The author of a change then need not request it.
 */
import { diffLines } from "../../edit/line-diff.ts";
import type { Place } from "../state/task-state.ts";
import { type Definition, entryOf, type Lines, renderEntry, renderSkeleton } from "./skeleton.ts";
import { innermostAround, widen } from "./whole-definitions.ts";

/** Approximate characters per token. */
const charactersPerToken = 4;
/** Token budget for all texts together, if the caller gives none. */
const usualTokens = 3_500;
/** Maximum entries of the surrounding skeletons, in total and per file. */
const mostEntries = { all: 30, file: 14 };
/**
 * Shows a whole file if it is at most this many times as long as the text of its places. A later request for the rest
 * would cost more.
 */
const wholeFactor = 2;

/** A place. Its line numbers are those of the base, or with `isNow` those of the current text. */
export interface TextPlace extends Place {
  readonly isNow?: true;
}

export interface PlacedTexts {
  /** The text of a file on the laid tree, and on the base. */
  readonly now: (file: string) => Promise<string | undefined>;
  readonly base: (file: string) => Promise<string | undefined>;
  /** The definitions of a file on the laid tree. Without this function, the text omits the surroundings of places. */
  readonly definitions?: (file: string) => Promise<readonly Definition[]>;
  /** Maximum lines of a definition to show it whole. */
  readonly wholeLines?: number;
}

/**
 * Renders places file by file; "" without places. The first places are the most important. Within the budget, shows
 * whole definitions, and whole files that are little longer. Then lists other definitions and further places, one per
 * line.
 */
export async function renderPlaceTexts(
  places: readonly TextPlace[],
  texts: PlacedTexts,
  tokens = usualTokens,
): Promise<string> {
  const files = await readFiles(places, texts);
  const chosen = choosePlaces(places, files, tokens * charactersPerToken, texts.wholeLines);
  let { characters } = chosen;
  const parts: string[] = [];
  const left: string[] = [];
  let entries = mostEntries.all;
  for (const [file, text] of files) {
    const { lines, definitions } = text;
    const shown = chosen.shown.get(file) ?? [];
    const most = texts.definitions === undefined ? 0 : Math.min(entries, mostEntries.file);
    const skeleton =
      most <= 0 || shown.length === 0 ? "" : renderSkeleton(lines.join("\n"), definitions, shown, most);
    const last = lines.length - (lines.at(-1) === "" ? 1 : 0);
    const out = chosen.left.get(file) ?? [];
    const whole = mergeSpans([{ start: 1, end: last, whys: [] }, ...shown, ...out]);
    const cost = costOf(text, shown);
    const isWhole =
      costOf(text, whole) <= Math.min(characters + cost, wholeFactor * (cost + skeleton.length));
    if (isWhole) characters -= costOf(text, whole) - cost;
    parts.push(...(isWhole ? whole : shown).map((span) => renderSpan(text, span)));
    if (isWhole) continue;
    left.push(...mergeSpans(out).map((span) => nameSpan(text, span)));
    if (skeleton === "") continue;
    entries -= skeleton.split(", ").length;
    parts.push(`Also in ${file}: ${skeleton}`);
  }
  if (left.length > 0) parts.push(`Not shown: ${left.join("; ")}.`);
  return parts.join("\n\n");
}

/** The existing files, in the order of the places. */
async function readFiles(places: readonly TextPlace[], texts: PlacedTexts): Promise<Map<string, BasedText>> {
  const files = new Map<string, BasedText>();
  for (const file of new Set(places.map((place) => place.file))) {
    const [now, base] = [await texts.now(file), await texts.base(file)];
    if (now === undefined) continue;
    const definitions = (await texts.definitions?.(file)) ?? [];
    const lines = now.split("\n");
    files.set(file, { file, lines, definitions, fromBase: moverOf((base ?? now).split("\n"), lines) });
  }
  return files;
}

interface Chosen {
  /** The shown spans of each file, in line order. */
  readonly shown: ReadonlyMap<string, readonly Span[]>;
  readonly left: ReadonlyMap<string, readonly Span[]>;
  /** Characters left in the budget. */
  readonly characters: number;
}

/** Gives places their text in order, across files, until the budget is used. */
function choosePlaces(
  places: readonly TextPlace[],
  files: ReadonlyMap<string, BasedText>,
  budget: number,
  wholeLines: number | undefined,
): Chosen {
  const shown = new Map<string, readonly Span[]>();
  const left = new Map<string, readonly Span[]>();
  let characters = budget;
  for (const place of places) {
    const { file } = place;
    const text = files.get(file);
    if (text === undefined) continue;
    const span = wantedSpan(place, text, wholeLines);
    const before = shown.get(file) ?? [];
    const next = mergeSpans([...before, span]);
    const more = costOf(text, next) - costOf(text, before);
    if (more > characters) left.set(file, [...(left.get(file) ?? []), span]);
    else {
      shown.set(file, next);
      characters -= more;
    }
  }
  return { shown, left, characters };
}

interface FileText {
  readonly file: string;
  readonly lines: readonly string[];
  readonly definitions: readonly Definition[];
}

interface BasedText extends FileText {
  /** Maps a line of the base to its current line. */
  readonly fromBase: (line: number) => number;
}

interface Span extends Lines {
  /** The reasons why the places matter: what the code there decides. */
  readonly whys: readonly string[];
}

function wantedSpan(
  { startLine, endLine, why, isNow }: TextPlace,
  { fromBase, lines, definitions }: BasedText,
  wholeLines: number | undefined,
): Span {
  const move = isNow === true ? (line: number) => line : fromBase;
  const start = Math.max(1, Math.min(lines.length, move(startLine)));
  const end = Math.max(start, Math.min(lines.length, move(Math.max(startLine, endLine))));
  return { ...widen({ start, end }, definitions, lines, wholeLines), whys: why === "" ? [] : [why] };
}

/** Merges spans that touch, or that a single line separates. */
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

/** Names a span, with the definition that begins there or contains it. */
function nameSpan({ file, definitions }: FileText, { start, end }: Span): string {
  const own =
    definitions.find(({ startLine }) => startLine === start) ?? innermostAround(definitions, { start, end });
  return `${file}:${start}-${end}${own === undefined ? "" : ` ${entryOf(own).text}`}`;
}
