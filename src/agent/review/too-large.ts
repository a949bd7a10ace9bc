/**
 * Finds changed files that are too large or too sparse for the checks, which compare texts in ways that take more than
 * linear time. Pure.
 */
import { isOwnSource, languageOf } from "../../languages/source-files.ts";
import { addedLines, type ChangedFile, linesOf } from "../code/change.ts";
import type { Finding } from "./contract.ts";
import { scriptOf } from "./guards/find-guards.ts";

/** Limits per patch. */
const most = { lines: 5_000, characters: 300_000 } as const;
/** Limits per place: code behind more blanks is out of a reader's sight. */
const longest = { line: 5_000, blankLines: 200, blanks: 1_000 } as const;

/** Objects to a patch whose code the checks cannot read in reasonable time. Then no check may read it. */
export function judgeSize(files: readonly ChangedFile[]): Finding[] {
  const code = files.filter(isCode);
  const reasons = code.flatMap((file) => {
    const reason = tellSparse(file, isOwnSource(file.path) ? longest.line : Number.POSITIVE_INFINITY);
    return reason === undefined ? [] : [`${file.path}:${reason}`];
  });
  const [first] = reasons;
  const reason = first ?? tellTotal(code);
  return reason === undefined
    ? []
    : [{ weight: "objection", text: `${reason}. The checks do not read such a patch.` }];
}

/** True for a file that the patch adds lines to which only machines write, such as a minified program. */
export function isMinified(file: ChangedFile): boolean {
  return !isOwnSource(file.path) && addedTexts(file).some(({ length }) => length > longest.line);
}

/** True for a file of data that exceeds the limits. Its lines may have any length. */
export function isUnreadData(file: ChangedFile): boolean {
  if (isCode(file) || file.after?.includes("\0") === true) return false;
  return tellSparse(file, Number.POSITIVE_INFINITY) !== undefined || tellTotal([file]) !== undefined;
}

function isCode({ path }: ChangedFile): boolean {
  return languageOf(path) !== undefined || scriptOf(path) !== undefined;
}

function tellTotal(files: readonly ChangedFile[]): string | undefined {
  let lines = 0;
  let characters = 0;
  for (const file of files)
    for (const line of addedTexts(file)) {
      lines++;
      characters += line.length;
    }
  if (lines > most.lines) return `The patch adds ${lines} lines of code, more than ${most.lines}`;
  return characters > most.characters
    ? `The patch adds ${characters} characters of code, more than ${most.characters}`
    : undefined;
}

/** The line and the reason; undefined if nothing is out of sight. */
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

function addedTexts(file: ChangedFile): string[] {
  const lines = linesOf(file.after);
  return addedLines(file).map((number) => lines[number - 1] ?? "");
}
