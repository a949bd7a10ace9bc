/** What the forms of careless code read and find. */
import type { ChangedCode, FileCode, FunctionCode } from "./code-lines.ts";

/** A finding's line, and what the line does, as the continuation of the file's name. */
export interface Careless {
  readonly line: number;
  readonly text: string;
}

export interface Changed extends ChangedCode {
  /** The subjects of the statement. */
  readonly subjects: string;
}

/** A function's added lines. */
export const addedIn = (
  { added }: Changed,
  { startLine, lines }: FunctionCode,
): { code: string; line: number }[] =>
  lines.flatMap((code, index) => (added.has(startLine + index) ? [{ code, line: startLine + index }] : []));

/** The function on the base. */
export function formerOf(before: FileCode | undefined, own: FunctionCode): FunctionCode | undefined {
  return before?.functions.find(({ name, type }) => name === own.name && type === own.type);
}
