/** Defines the input and the findings of the forms of careless code. */
import type { ChangedCode, FileCode, FunctionCode } from "./code-lines.ts";

/** A finding's line, and what the line does, as the continuation of the file's name. */
export interface Careless {
  readonly line: number;
  readonly text: string;
}

/** A function that the base has too. */
export interface Compared {
  readonly own: FunctionCode;
  /** The function's text now, and on the base. */
  readonly is: string;
  readonly was: string;
  readonly added: readonly AddedLine[];
}

interface AddedLine {
  readonly code: string;
  readonly line: number;
}

export interface Changed extends ChangedCode {
  /** The subjects of the statement. */
  readonly subjects: string;
  readonly compared: readonly Compared[];
}

export function toChanged(change: ChangedCode, subjects: string): Changed {
  const compared = change.code.functions.flatMap((own): Compared[] => {
    const former = formerOf(change.before, own);
    return former === undefined
      ? []
      : [{ own, is: own.lines.join("\n"), was: former.lines.join("\n"), added: addedIn(change, own) }];
  });
  return { ...change, subjects, compared };
}

/** A function's added lines. */
export const addedIn = (
  { added }: Pick<ChangedCode, "added">,
  { startLine, lines }: FunctionCode,
): AddedLine[] =>
  lines.flatMap((code, index) => (added.has(startLine + index) ? [{ code, line: startLine + index }] : []));

/** The function on the base. */
export function formerOf(before: FileCode | undefined, own: FunctionCode): FunctionCode | undefined {
  return before?.functions.find(({ name, type }) => name === own.name && type === own.type);
}
