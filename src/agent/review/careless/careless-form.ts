/** Defines the input and the output of the checks for careless code. */
import { once } from "../../../base/once.ts";
import { type ChangedCode, type FileCode, type FunctionCode, joinCode } from "../texts/code-lines.ts";

/** A finding: its line, and a text about the effect, which continues the file's name. */
export interface Careless {
  readonly line: number;
  readonly text: string;
  /** True if the finding is only a doubt. */
  readonly isDoubt?: boolean;
}

/** A function that the new code and the base have, with its two texts. */
export interface Compared {
  readonly own: FunctionCode;
  /** The function's new text, and its text on the base. */
  readonly is: string;
  readonly was: string;
  readonly added: readonly AddedLine[];
}

export interface AddedLine {
  readonly code: string;
  readonly line: number;
}

export interface Changed extends ChangedCode {
  /** The statement without sections about the reporter's machine (`statedSubjects`). */
  readonly subjects: string;
  readonly compared: readonly Compared[];
}

export function toChanged(change: ChangedCode, subjects: string): Changed {
  const compared = change.code.functions.flatMap((own): Compared[] => {
    const former = formerOf(change.before, own);
    return former === undefined
      ? []
      : [{ own, is: joinCode(own.lines), was: joinCode(former.lines), added: addedIn(change, own) }];
  });
  return { ...change, subjects, compared };
}

export const isScript = ({ language }: Pick<FileCode, "language">): boolean =>
  /^(?:javascript|typescript|tsx|jsx)$/.test(language);

/**
 * Returns the entry for the code's language; undefined if there is none. JavaScript and its dialects share the entry
 * `script`.
 */
export function ofLanguage<T>(
  forms: Readonly<Record<string, T>>,
  code: Pick<FileCode, "language">,
): T | undefined {
  return forms[isScript(code) ? "script" : code.language];
}

/** Lists the file's lines that the patch added. */
export function addedLinesOf({ code, added }: Pick<ChangedCode, "code" | "added">): AddedLine[] {
  return code.lines.flatMap((each, index) =>
    added.has(index + 1) ? [{ code: each.code, line: index + 1 }] : [],
  );
}

/** Returns the innermost function around a line; undefined outside of functions. */
export function ownerOf({ functions }: FileCode, line: number): FunctionCode | undefined {
  return functions.findLast(({ startLine, endLine }) => startLine <= line && line <= endLine);
}

/** The number of blanks before the line's code. */
export const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Returns a function's lines that the patch added. */
export const addedIn = (
  { added }: Pick<ChangedCode, "added">,
  { startLine, lines }: FunctionCode,
): AddedLine[] =>
  lines.flatMap((code, index) => (added.has(startLine + index) ? [{ code, line: startLine + index }] : []));

/** Finds the function of the same name and type on the base; undefined if there is none. */
export function formerOf(before: FileCode | undefined, own: FunctionCode): FunctionCode | undefined {
  return before && indexFunctions(before).get(keyOf(own));
}

/** The first function of each name and type. */
const indexFunctions = once(
  ({ functions }: FileCode): ReadonlyMap<string, FunctionCode> =>
    new Map(functions.toReversed().map((each) => [keyOf(each), each])),
);

const keyOf = ({ name, type }: FunctionCode): string => `${type}\0${name}`;
