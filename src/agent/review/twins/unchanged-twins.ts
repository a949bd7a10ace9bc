import { dirname } from "node:path";
import { diffLines } from "../../../edit/line-diff.ts";
import { linesOfSpans, type TestRegions } from "../../../judging/test-regions.ts";
import { type CodeToken, readCodeTokens } from "../../../syntax/code-tokens.ts";
import { outlineOf } from "../../../syntax/symbols/choose-outline.ts";
import type { Workspace } from "../../../workspace/contract.ts";
import { addedLines, type ChangedFile, linesOf } from "../../code/change.ts";
import { formatSpan } from "../../code/diff-spans.ts";
import type { BaseFiles } from "../texts/base-files.ts";
import { findAsyncTwins } from "./async-twins.ts";
import { type Match, matchPiece, type Piece, type Range } from "./twin-match.ts";

export interface Twin {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  /** The changed place on the base, as `FILE:LINE`. */
  readonly of: string;
  readonly worth: number;
  /** True if the twin equals the changed function apart from `async` and `await`. */
  readonly isAsync?: true;
}

interface TwinInput {
  readonly files: readonly ChangedFile[];
  readonly base: BaseFiles;
  readonly regions: Pick<TestRegions, "isWhole" | "spansIn">;
  /** Minimum worth of a twin. Default: `leastWorth.whole`. */
  readonly least?: number;
}

/**
 * Minimum worth (see `worthOf`) of equal code that counts as a twin, because less may be a coincidence. `whole`: for
 * all equal tokens. `aside`: for an insertion, where the equal tokens before it and after it count separately; each
 * side needs this worth.
 */
export const leastWorth = { whole: 8, aside: 1 };
/** Maximum number of twins. Code in more places is an idiom. */
const mostTwins = 4;
const mostSearched = 3_000;
const longestFile = 500_000;
/** Folders of copies that nobody edits by hand, and of example code for readers. */
const aside =
  /(?:^|\/)(?:_?vendor(?:ed)?|third[_-]?party|external|node_modules|dist|build|examples?|samples?|demos?|docs?|bench(?:es|marks?)?|fixtures?|testdata|\.[^/]+)\/|\.min\.|\.d\.ts$/i;
const generated = /\bgenerated\b.*\bdo not (?:edit|modify|change)\b|@generated\b|\bauto-?generated\b/is;

export function placeOf({ path, startLine, endLine }: Twin): string {
  return formatSpan({ file: path, startLine, endLine });
}

export function tellTwin(twin: Twin): string {
  const apart = twin.isAsync === true ? ", apart from `async` and `await`," : "";
  return `${placeOf(twin)} equals${apart} the code that the patch changes at ${twin.of}, but stays unchanged`;
}

export async function findAllTwins(input: TwinInput): Promise<readonly Twin[]> {
  const found = await findTwins(input);
  const ofAsync = (await findAsyncTwins(input.files, input.regions)).filter(
    ({ path, startLine, endLine }) =>
      !found.some((each) => each.path === path && each.startLine <= endLine && startLine <= each.endLine),
  );
  return [...found, ...ofAsync.map((each) => ({ ...each, worth: leastWorth.whole, isAsync: true as const }))];
}

export async function findTwins({
  files,
  base,
  regions,
  least = leastWorth.whole,
}: TwinInput): Promise<Twin[]> {
  const read = openReader(files, base);
  const found: Twin[] = [];
  const isCode = codeOfPatch(files, regions);
  for (const file of files) {
    if (file.before === undefined || file.after === undefined || !isCode(file.path)) continue;
    const old = await readCodeTokens(file.path, file.before);
    const pieces = await listPieces(file, old, regions);
    if (pieces.length === 0) continue;
    for (const path of await listCandidates(file, files, base, isCode)) {
      const text = await read(path);
      const own = files.find((each) => each.path === path);
      // A patch could write such a notice itself.
      const known = own?.before ?? text;
      if (text === undefined || known === undefined) continue;
      if (known.length > longestFile || generated.test(known.slice(0, 1_000))) continue;
      const wanted = pieces.filter(({ words }) => words.every((word) => text.includes(word)));
      if (wanted.length === 0) continue;
      const there = await readCodeTokens(path, text);
      const closed = await closedLines(path, text, own, regions);
      for (const piece of wanted)
        for (const match of matchPiece(old, piece, there)) {
          const twin = toTwin(file, piece, { path, there, match });
          const isOpen = twin !== undefined && twin.worth >= least && !isClosed(twin, closed);
          if (isOpen && !hasInsertion(own, piece, twin, path === file.path)) found.push(twin);
        }
    }
  }
  return settle(found);
}

interface ChangedPiece extends Piece {
  readonly line: number;
  /** The words that a text must contain to have an equal piece. */
  readonly words: readonly string[];
  /** The added lines of an insertion, by their number and text; empty for other changes. */
  readonly inserted: ReadonlyMap<number, string>;
}

function languageOf(path: string): string | undefined {
  return outlineOf(path, "")?.language;
}

/**
 * Returns true for files to search. In folders of copies or examples, these are only neighbours of a change that
 * concerns no other code.
 */
function codeOfPatch(
  files: readonly ChangedFile[],
  regions: Pick<TestRegions, "isWhole">,
): (path: string) => boolean {
  const isAny = (path: string): boolean => languageOf(path) !== undefined && !regions.isWhole(path);
  const changed = files.map(({ path }) => path).filter(isAny);
  const folders = new Set(
    changed.every((path) => aside.test(path)) ? changed.map((path) => dirname(path)) : [],
  );
  return (path) => isAny(path) && (!aside.test(path) || folders.has(dirname(path)));
}

function openReader(files: readonly ChangedFile[], base: BaseFiles) {
  const changed = new Map(files.map((file) => [file.path, file.after]));
  return (path: string): Promise<string | undefined> | string | undefined =>
    changed.has(path) ? changed.get(path) : base.read(path);
}

/** Lists the files to search, the changed file first. */
async function listCandidates(
  { path }: ChangedFile,
  files: readonly ChangedFile[],
  base: BaseFiles,
  isCode: (path: string) => boolean,
): Promise<string[]> {
  const language = languageOf(path);
  const all = new Set([path, ...files.map((file) => file.path), ...(await base.list())]);
  const own = [...all].filter((each) => languageOf(each) === language && isCode(each));
  return own.slice(0, mostSearched);
}

/** Lists the changed tokens of the old text, widened to whole lines. For added code, lists the lines around it. */
async function listPieces(
  file: ChangedFile,
  old: readonly CodeToken[],
  regions: TwinInput["regions"],
): Promise<ChangedPiece[]> {
  const { path, before = "", after = "" } = file;
  const now = await readCodeTokens(path, after);
  const tests = linesOfSpans(before, await regions.spansIn(path, before));
  return file.hunks.flatMap((hunk) => {
    const own = within(old, hunk.beforeStart, hunk.beforeEnd);
    const fresh = within(now, hunk.afterStart, hunk.afterEnd);
    return differences(old, own, now, fresh).flatMap(({ from: change, to }): ChangedPiece[] => {
      if (isDeclaration(old, change, now, to) || isRenaming(old, change, now, to)) return [];
      const piece = widen(old, change);
      const line = old[change.start]?.line ?? hunk.beforeStart;
      if (piece === undefined || tests.has(line)) return [];
      const tokens = old.slice(piece.start, piece.end);
      const words = tokens.flatMap(({ text, isVariable }) =>
        isVariable || text.includes("\n") ? [] : [text],
      );
      return [
        {
          ...piece,
          line,
          words: [...new Set(words)],
          cut: change.start === change.end ? change.start : undefined,
          inserted: change.start === change.end ? linesIn(file, now.slice(to.start, to.end)) : new Map(),
        },
      ];
    });
  });
}

function within(tokens: readonly CodeToken[], startLine: number, endLine: number): Range {
  const start = tokens.findIndex(({ line }) => line >= startLine);
  const from = start < 0 ? tokens.length : start;
  const end = tokens.findIndex(({ line }, index) => index >= from && line >= endLine);
  return { start: from, end: end < 0 ? tokens.length : end };
}

/** Minimum number of equal tokens that separate two changes. Fewer equal tokens belong to the change. */
const leastBetween = 6;

function differences(
  old: readonly CodeToken[],
  own: Range,
  now: readonly CodeToken[],
  fresh: Range,
): { from: Range; to: Range }[] {
  const texts = (tokens: readonly CodeToken[], { start, end }: Range): string[] =>
    tokens.slice(start, end).map(({ text }) => text);
  const changes = diffLines(texts(old, own), texts(now, fresh), (text) => text);
  const joined: { from: Range; to: Range }[] = [];
  for (const { fromStart, fromEnd, toStart, toEnd } of changes) {
    const last = joined.at(-1);
    const from = { start: own.start + fromStart, end: own.start + fromEnd };
    const to = { start: fresh.start + toStart, end: fresh.start + toEnd };
    if (last === undefined || from.start - last.from.end >= leastBetween) joined.push({ from, to });
    else
      joined[joined.length - 1] = {
        from: { start: last.from.start, end: from.end },
        to: { start: last.to.start, end: to.end },
      };
  }
  return joined;
}

function isDeclaration(
  old: readonly CodeToken[],
  from: Range,
  now: readonly CodeToken[],
  to: Range,
): boolean {
  const changed = [...old.slice(from.start, from.end), ...now.slice(to.start, to.end)];
  return changed.every(({ isHead }) => isHead);
}

/** True if the change only renames variables, to names that the surrounding code did not have. */
function isRenaming(old: readonly CodeToken[], from: Range, now: readonly CodeToken[], to: Range): boolean {
  const [was, is] = [old.slice(from.start, from.end), now.slice(to.start, to.end)];
  if (was.length === 0 || was.length !== is.length) return false;
  const near = old.slice(Math.max(0, from.start - nearTokens), from.end + nearTokens);
  const known = new Set(near.map(({ text }) => text));
  return was.every((token, index) => {
    const other = is[index];
    if (token.text === other?.text) return true;
    return token.isVariable && other?.isVariable === true && !known.has(other.text);
  });
}

const nearTokens = 200;

function widen(old: readonly CodeToken[], { start, end }: Range): Range | undefined {
  const first = old[start === end ? start - 1 : start];
  const last = old[start === end ? start : end - 1];
  if (first === undefined || last === undefined) return undefined;
  return within(old, first.line, last.line + 1);
}

interface Place {
  readonly path: string;
  readonly there: readonly CodeToken[];
  readonly match: Match;
}

function toTwin(file: ChangedFile, piece: ChangedPiece, { path, there, match }: Place): Twin | undefined {
  if (piece.cut !== undefined && match.aside < leastWorth.aside) return undefined;
  const startLine = there[match.place.start]?.line ?? 0;
  const endLine = there[match.place.end - 1]?.line ?? startLine;
  return { path, startLine, endLine, of: `${file.path}:${piece.line}`, worth: match.worth };
}

/** Returns the lines that the patch wrote, and the lines of tests. */
async function closedLines(
  path: string,
  text: string,
  own: ChangedFile | undefined,
  regions: TwinInput["regions"],
): Promise<ReadonlySet<number>> {
  const tests = linesOfSpans(text, await regions.spansIn(path, text));
  return new Set([...tests, ...(own === undefined ? [] : touched(own))]);
}

function touched(file: ChangedFile): number[] {
  const edges = file.hunks.flatMap(({ afterStart, afterEnd }) => [afterStart - 1, afterEnd]);
  return [...addedLines(file), ...edges];
}

/** Returns the added lines of these tokens, by number. */
function linesIn(file: ChangedFile, tokens: readonly CodeToken[]): ReadonlyMap<number, string> {
  const [first = 0, last = 0] = [tokens[0]?.line, tokens.at(-1)?.line];
  const lines = linesOf(file.after);
  const own = addedLines(file).filter((line) => first <= line && line <= last);
  return new Map(own.map((line) => [line, (lines[line - 1] ?? "").trim()]));
}

/** True if the patch also inserts the same lines near the twin, perhaps in another order of a switch's cases. */
function hasInsertion(
  own: ChangedFile | undefined,
  { inserted }: ChangedPiece,
  { startLine, endLine }: Twin,
  isSameFile: boolean,
): boolean {
  if (own === undefined || inserted.size === 0) return false;
  const lines = linesOf(own.after);
  const near = addedLines(own).filter(
    (line) =>
      startLine - nearLines <= line && line <= endLine + nearLines && !(isSameFile && inserted.has(line)),
  );
  const there = new Set(near.map((line) => (lines[line - 1] ?? "").trim()));
  return [...inserted.values()].every((text) => there.has(text));
}

function isClosed({ startLine, endLine }: Twin, closed: ReadonlySet<number>): boolean {
  for (let line = startLine; line <= endLine; line += 1) if (closed.has(line)) return true;
  return false;
}

/** Two changes in one file belong together if at most this many lines separate them. */
const nearLines = 25;

/** Joins twins that are close together. Omits idioms, which have more than `mostTwins` places. */
function settle(found: readonly Twin[]): Twin[] {
  const counts = new Map<string, Set<string>>();
  for (const { of, path, startLine } of found)
    counts.set(of, (counts.get(of) ?? new Set()).add(`${path}:${startLine}`));
  const own = found.filter(({ of }) => (counts.get(of)?.size ?? 0) <= mostTwins);
  const sorted = own.toSorted((a, b) => a.path.localeCompare(b.path) || a.startLine - b.startLine);
  const joined: Twin[] = [];
  for (const twin of sorted) {
    const last = joined.at(-1);
    if (last?.path === twin.path && twin.startLine - last.endLine <= nearLines)
      joined[joined.length - 1] = {
        ...last,
        endLine: Math.max(last.endLine, twin.endLine),
        worth: Math.max(last.worth, twin.worth),
      };
    else joined.push(twin);
  }
  return joined;
}

/** Shows the twin with the lines around it to a reviewer. */
export async function showTwin(
  { trees }: Pick<Workspace, "trees">,
  tree: string,
  twin: Twin,
): Promise<string> {
  const lines = linesOf((await trees.read(tree, twin.path))?.toString("utf8"));
  const from = Math.max(1, twin.startLine - around);
  const shown = lines.slice(from - 1, twin.endLine + around).map((line, index) => `${from + index}\t${line}`);
  return [`${tellTwin(twin)}:`, ...shown].join("\n");
}

const around = 6;
