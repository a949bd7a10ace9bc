/**
 * Reads edits as blocks between conflict markers (`<<<<<<<`), in all the variations that models write. A marker's
 * length varies, and a known word, a path or nothing may follow it. Fences may be around or inside a block. The path
 * may be above the block, below the fence or on the marker. End markers may be missing.
 */
import type { Edit } from "./contract.ts";
import { isFence, readPathLine, readPathWord } from "./path-lines.ts";

interface Open {
  readonly line: number;
  readonly length: number;
  /** The text after the marker. */
  readonly words: string;
}

export interface BlockReading {
  readonly edits: readonly Edit[];
  /** Problems with blocks that could not be read, as sentences. */
  readonly problems: readonly string[];
}

const startWords = /^(?:search|original|old|before|head|current|find|existing|function|method|class)\b/i;
const endWords = /^(?:replace|updated?|new|after|incoming|end|replacement|modified)\b/i;

export function readConflictBlocks(lines: readonly string[]): BlockReading {
  const edits: Edit[] = [];
  const problems: string[] = [];
  let path: string | undefined;
  let from = 0;
  for (let index = 0; index < lines.length; index++) {
    const open = readOpening(lines, index);
    if (open === undefined) continue;
    edits.push(...readDeletions(lines.slice(from, index)));
    path = findPath(lines, open, from) ?? path;
    const close = findClose(lines, open);
    const edit = readBlock(lines, open, close, path);
    if (typeof edit === "string") problems.push(edit);
    else edits.push(edit);
    from = close.next;
    index = close.next - 1;
  }
  if (edits.length > 0) edits.push(...readDeletions(lines.slice(from)));
  return { edits, problems };
}

/** Deletions next to blocks, in the form of patches: `*** Delete File: a.py`. */
function readDeletions(lines: readonly string[]): Edit[] {
  return lines.flatMap((line): Edit[] => {
    const path = /^\*\*\* Delete File:\s*(\S.*?)\s*$/.exec(line)?.[1];
    return path === undefined ? [] : [{ kind: "delete", path }];
  });
}

function readOpening(lines: readonly string[], index: number): Open | undefined {
  const match = /^\s*(?:(<{3,})|(-{5,}))\s*(.*?)\s*$/.exec(lines[index] ?? "");
  if (match === null) return undefined;
  const [, angles, dashes, words = ""] = match;
  const length = (angles ?? dashes ?? "").length;
  const named = startWords.test(words);
  if (dashes !== undefined) return named ? { line: index, length, words } : undefined;
  const isMarker = named || (length >= 5 && (words === "" || readPathLine(words) !== undefined));
  return isMarker ? { line: index, length, words } : undefined;
}

function isEnd(line: string): boolean {
  const match = /^\s*([>+]{3,})\s*(.*?)\s*$/.exec(line);
  if (match === null) return false;
  const [, marks = "", words = ""] = match;
  if (endWords.test(words)) return true;
  return marks[0] === ">" && marks.length >= 5 && (words === "" || readPathLine(words) !== undefined);
}

interface Close {
  /** The line of the end marker, or the line where a block without an end marker stops. */
  readonly line: number;
  readonly next: number;
}

function findClose(lines: readonly string[], open: Open): Close {
  let fence: number | undefined;
  for (let index = open.line + 1; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (isEnd(line)) return { line: index, next: index + 1 };
    if (readOpening(lines, index) !== undefined)
      return { line: fence ?? beforePath(lines, open, index), next: index };
    if (isFence(line) && isDivided(lines, open, index)) fence ??= index;
  }
  const stop = fence ?? lines.length;
  return { line: stop, next: fence === undefined ? lines.length : fence + 1 };
}

/**
 * Returns the end of the block's text. Excludes blank lines, fences and the next block's path directly before `stop`.
 */
function beforePath(lines: readonly string[], open: Open, stop: number): number {
  let end = stop;
  while (end > open.line + 1 && isAround(lines[end - 1] ?? "")) end--;
  return end;
}

function isAround(line: string): boolean {
  return line.trim() === "" || isFence(line) || readPathLine(line) !== undefined;
}

function isDivided(lines: readonly string[], open: Open, stop: number): boolean {
  return lines.slice(open.line + 1, stop).some((line) => dividerLength(line) >= 5);
}

function dividerLength(line: string): number {
  return /^\s*(={3,})\s*$/.exec(line)?.[1]?.length ?? 0;
}

function findPath(lines: readonly string[], open: Open, from: number): string | undefined {
  const behind = open.words.replace(startWords, "").trim();
  const own = readPathLine(behind);
  if (own !== undefined && !/^(?:function|method|class)\b/i.test(open.words)) return own;
  // Up to three lines above, not counting blank lines and fences.
  let looked = 0;
  for (let index = open.line - 1; index >= from && looked < 3; index--) {
    const line = lines[index] ?? "";
    const path = readPathLine(line) ?? (looked === 0 && !isFence(line) ? readPathWord(line) : undefined);
    if (path !== undefined) return path;
    if (line.trim() !== "" && !isFence(line)) looked++;
  }
  return undefined;
}

function readBlock(
  lines: readonly string[],
  open: Open,
  close: Close,
  path: string | undefined,
): Edit | string {
  const name = /^(?:function|method|class)\s+(\S+)/i.exec(open.words)?.[1];
  const body = lines.slice(open.line + 1, close.line);
  if (name !== undefined) return { kind: "function", path, name, text: textOf(unfence(body)) };
  const dividers = body.flatMap((line, index) => (dividerLength(line) > 0 ? [index] : []));
  const [best, ...rest] = [...dividers].sort(
    (a, b) =>
      Math.abs(dividerLength(body[a] ?? "") - 7) - Math.abs(dividerLength(body[b] ?? "") - 7) || a - b,
  );
  if (best === undefined)
    return `The block at line ${open.line + 1} has no line of \`=======\` between the original and its replacement.`;
  const split = (at: number) => ({
    original: textOf(unfence(body.slice(0, at))),
    replacement: textOf(unfence(body.slice(at + 1))),
  });
  const others = rest.map(split);
  return { kind: "replace", path, ...split(best), ...(others.length > 0 ? { others } : {}) };
}

/** Removes the fence that some authors put around each text. */
function unfence(lines: readonly string[]): readonly string[] {
  const inner = lines.slice(1, -1);
  const isFenced =
    lines.length >= 2 &&
    isFence(lines[0] ?? "") &&
    /^\s*(?:`{3,}|~{3,})\s*$/.test(lines.at(-1) ?? "") &&
    !inner.some(isFence);
  return isFenced ? inner : lines;
}

function textOf(lines: readonly string[]): string {
  return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
}
