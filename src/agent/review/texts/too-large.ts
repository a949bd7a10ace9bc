/**
 * Finds changed files that are too large or too sparse for the checks, which need more than linear time. A patch may
 * contain large files that are machine-written or come from elsewhere. The checks do not read these files;
 * `run-without-unread.ts` measures whether the tests need them. Pure.
 */
import { once } from "../../../base/once.ts";
import { isForeignFile, languageOf } from "../../../languages/source-files.ts";
import { addedLines, type ChangedFile, compareTexts, linesOf } from "../../code/change.ts";
import type { Finding } from "../contract.ts";
import { scriptOf } from "../guards/find-guards.ts";

/** Maximum size of a patch. */
const most = { lines: 5_000, characters: 300_000 } as const;
/** Limits for one place. Behind more blanks, readers overlook code. `text`: characters of a file from elsewhere. */
const longest = { line: 5_000, blankLines: 200, blanks: 1_000, text: 2 * 1024 * 1024 } as const;

/** Objects to a patch whose code the checks cannot read in reasonable time. Then no check may read the patch. */
export function judgeSize(files: readonly ChangedFile[]): Finding[] {
  const code = listRead(files).filter(isCode);
  const reasons = code.flatMap((file) => {
    const reason = tellSparse(file, lineLimitOf(file));
    return reason === undefined ? [] : [`${file.path}:${reason}`];
  });
  const [first] = reasons;
  // The fixtures of tests may be minified libraries.
  const reason = first ?? tellTotal(code.filter((file) => !isMachineWritten(file)));
  return reason === undefined
    ? []
    : [{ weight: "objection", text: `${reason}. The checks do not read such a patch.` }];
}

/**
 * Returns the limit for a line. Tests, which embed data, have no limit. The limit is higher if the base already has a
 * long line.
 */
function lineLimitOf({ isTest, before }: ChangedFile): number {
  if (isTest) return Number.POSITIVE_INFINITY;
  return linesOf(before).reduce<number>((limit, { length }) => Math.max(limit, 2 * length), longest.line);
}

/** Returns the file without blank lines and long runs of blanks. The checks can then read the text between them. */
export function withoutBlanks(file: ChangedFile): ChangedFile {
  const collapse = (text: string | undefined): string | undefined =>
    text === undefined
      ? undefined
      : linesOf(text)
          .filter((line) => line.trim() !== "")
          .map((line) => line.replaceAll(/\s{100,}/g, " "))
          .join("\n");
  return compareTexts(file.path, collapse(file.before), collapse(file.after), file.isTest);
}

/**
 * Returns the changed files that the checks do not read. Only code in folders of built, vendored or hidden files is
 * exempt: files that are too large or get very long lines. If the patch still exceeds the limit, also as many other
 * files as necessary, those with the most added code first.
 */
export function listUnread(files: readonly ChangedFile[]): readonly ChangedFile[] {
  const code = files.filter(isCode);
  const foreign = code.filter((file) => !file.isTest && isForeignFile(file.path) && isChanged(file));
  const rest = code.filter((file) => !isMachineWritten(file));
  const isEnough = (aside: readonly ChangedFile[]): boolean => tellTotal(without(rest, aside)) === undefined;
  if (isEnough([])) return foreign.filter(isMachineWritten);
  const counts = countAdded(rest);
  // Files that machines wrote come first.
  const sizeIn = (file: ChangedFile): number => {
    const added = counts.get(file);
    return added === undefined ? Number.MAX_VALUE : sizeOf(added);
  };
  const largest = foreign.toSorted((one, other) => sizeIn(other) - sizeIn(one));
  const left = sumOf(counts.values());
  let count = 0;
  for (const { lines, characters } of largest.map((file) => counts.get(file) ?? none)) {
    if (sizeOf(left) <= 1) break;
    left.lines -= lines;
    left.characters -= characters;
    count++;
  }
  // Lines that a set-aside file lost no longer explain the same lines in another file.
  while (count < largest.length && !isEnough(largest.slice(0, count))) count = 2 * count + 1;
  return largest.slice(0, count);
}

/** Returns the changed files that the checks read. */
export function listRead(files: readonly ChangedFile[]): readonly ChangedFile[] {
  return without(files, listUnread(files));
}

function without(files: readonly ChangedFile[], aside: readonly ChangedFile[]): readonly ChangedFile[] {
  const left = new Set(aside);
  return left.size === 0 ? files : files.filter((file) => !left.has(file));
}

function isMachineWritten(file: ChangedFile): boolean {
  if (!isForeignFile(file.path) || !isChanged(file)) return false;
  return (
    (file.after?.length ?? 0) > longest.text || addedTexts(file).some(({ length }) => length > longest.line)
  );
}

function isChanged({ before, after }: ChangedFile): boolean {
  return after !== undefined && after !== before;
}

/**
 * Returns true for binary data: NUL characters and undecodable bytes occur, and control characters are more than 5 % of
 * the text. A comment may contain a few of them.
 */
export function isBinary(text = ""): boolean {
  if (!text.includes("\0") || !text.includes("\ufffd")) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: data that is no text contains them
  const odd = text.match(/[\0-\x08\x0e-\x1f\ufffd]/g)?.length ?? 0;
  return odd > 0.05 * text.length;
}

/** Returns true for a data file that exceeds the limits. Its lines may have any length. */
export function isUnreadData(file: ChangedFile): boolean {
  if (isCode(file) || isBinary(file.after)) return false;
  return tellSparse(file, Number.POSITIVE_INFINITY) !== undefined || tellTotal([file]) !== undefined;
}

function isCode({ path }: ChangedFile): boolean {
  return languageOf(path) !== undefined || scriptOf(path) !== undefined;
}

interface Added {
  lines: number;
  characters: number;
}

const none: Readonly<Added> = { lines: 0, characters: 0 };

function sumOf(counts: Iterable<Readonly<Added>>): Added {
  const sum = { ...none };
  for (const { lines, characters } of counts) {
    sum.lines += lines;
    sum.characters += characters;
  }
  return sum;
}

function tellTotal(files: readonly ChangedFile[]): string | undefined {
  const { lines, characters } = sumOf(countAdded(files).values());
  if (lines > most.lines) return `The patch adds ${lines} lines of code, more than ${most.lines}`;
  return characters > most.characters
    ? `The patch adds ${characters} characters of code, more than ${most.characters}`
    : undefined;
}

/**
 * Counts the added lines and characters of each file. Omits lines that the patch only moves, indents or gives another
 * line end.
 */
function countAdded(files: readonly ChangedFile[]): Map<ChangedFile, Added> {
  const removed = countRemoved(files);
  const counts = new Map<ChangedFile, Added>();
  for (const file of files) {
    let [lines, characters] = [0, 0];
    for (const line of addedTexts(file)) {
      const text = line.trim();
      const left = removed.get(text) ?? 0;
      if (left > 0) {
        removed.set(text, left - 1);
        continue;
      }
      lines++;
      characters += line.length;
    }
    counts.set(file, { lines, characters });
  }
  return counts;
}

/** Returns the size relative to the limits. */
function sizeOf({ lines, characters }: Readonly<Added>): number {
  return Math.max(lines / most.lines, characters / most.characters);
}

/** Counts how often the patch removes each line, without blanks around it. */
function countRemoved(files: readonly ChangedFile[]): Map<string, number> {
  const found = new Map<string, number>();
  for (const { before, after } of files) {
    if (before === undefined || before === after) continue;
    const kept = after === undefined ? new Set<string>() : new Set(linesOf(after));
    for (const line of linesOf(before))
      if (!kept.has(line)) found.set(line.trim(), (found.get(line.trim()) ?? 0) + 1);
  }
  return found;
}

/** Names the line at which code is out of sight, with the reason; undefined if there is none. */
function tellSparse(file: ChangedFile, mostCharacters: number): string | undefined {
  if (file.after === undefined || file.after === file.before) return undefined;
  const lines = linesOf(file.after);
  let blank = 0;
  let last = 0;
  for (const number of addedLines(file)) {
    const line = lines[number - 1] ?? "";
    const isBlank = line.trim() === "";
    blank = isBlank ? (number === last + 1 ? blank + 1 : 1) : 0;
    last = number;
    if (blank > longest.blankLines)
      return `${number} adds more than ${longest.blankLines} blank lines in a row`;
    if (line.length > mostCharacters) return `${number} adds a line of ${line.length} characters`;
    if (longestBlank(line) > longest.blanks)
      return `${number} adds more than ${longest.blanks} blanks in a row`;
  }
  return undefined;
}

function longestBlank(line: string): number {
  let found = 0;
  for (const [run] of line.matchAll(/\s+/g)) found = Math.max(found, run.length);
  return found;
}

const addedTexts = once((file: ChangedFile): readonly string[] => {
  const lines = linesOf(file.after);
  return addedLines(file).map((number) => lines[number - 1] ?? "");
});
