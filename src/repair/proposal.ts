/** A small change of one file that may repair a fault. */
import type { TextChange } from "./syntax-check.ts";

export interface Proposal {
  readonly file: string;
  /** UTF-16 offsets into the file's text; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
  /** The first line of the change. */
  readonly line: number;
  /** First line of the changed statement. It links the proposal to the ranked statement. */
  readonly statementLine: number;
  readonly template: string;
  /** `` `a < b` becomes `a <= b` ``. */
  readonly description: string;
  /** The likelihood that a change of this kind is correct, independent of the fault: 0..1. */
  readonly prior: number;
  /** The likeness of the new text to the code around it, from 0 to 1. */
  readonly likeness: number;
  /** One of the equal changes, if the proposal changes several places equally. */
  readonly one?: TextChange;
}
