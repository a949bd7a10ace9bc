/**
 * Defines the edits that an author (usually a model) requests, and their results. Both are only data: no edit reads or
 * writes the disk itself.
 */
import type { Result } from "../base/result.ts";

/** A range of lines in a file. Lines count from 1; both ends are inclusive. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

/** Replaces the text `original` with `replacement`. */
export interface ReplaceEdit {
  readonly kind: "replace";
  /** The file's path, relative to the repository's root. Undefined if the author named none: Millwright then searches all files. */
  readonly path: string | undefined;
  readonly original: string;
  readonly replacement: string;
  /** Other interpretations of the same block, because a line of `=======` may belong to its text. */
  readonly others?: readonly { readonly original: string; readonly replacement: string }[];
  /** The line where the author expects the original. This is only a hint, because models count badly. */
  readonly line?: number;
  /** True if the original may begin and end inside lines, as in `str_replace`. */
  readonly inline?: boolean;
  /** True to change every place with exactly this text. */
  readonly everywhere?: boolean;
}

/**
 * Replaces a whole function, method or class by `text`. `name`: such as `Zone.find`, or only `find` if this is
 * unambiguous.
 */
export interface FunctionEdit {
  readonly kind: "function";
  readonly path: string | undefined;
  readonly name: string;
  readonly text: string;
}

/** Inserts lines after the line `line`. Lines count from 1; 0 means before the first line. */
export interface InsertEdit {
  readonly kind: "insert";
  readonly path: string | undefined;
  readonly line: number;
  readonly text: string;
}

/** Creates a file. With `overwrite`, it may also replace the whole content of an existing file. */
export interface CreateEdit {
  readonly kind: "create";
  readonly path: string;
  readonly text: string;
  readonly overwrite?: boolean;
}

export interface DeleteEdit {
  readonly kind: "delete";
  readonly path: string;
}

export interface RenameEdit {
  readonly kind: "rename";
  readonly path: string;
  readonly to: string;
}

export type Edit = ReplaceEdit | FunctionEdit | InsertEdit | CreateEdit | DeleteEdit | RenameEdit;

/** The rungs: the levels of strictness in finding an edit's place, the strictest first. */
export const rungs = [
  "exact",
  "whitespace", // blank lines and the ends of lines differ
  "indentation", // shifted, or with another unit of indentation
  "spacing", // spaces inside lines differ
  "fragment", // a part of a line
  "anchors", // the first and last lines are the same
  "similar", // the nearest text, by a wide margin
] as const;
export type Rung = (typeof rungs)[number];

export type ProblemKind =
  | "unreadable" // no edit could be read
  | "refused" // the file may not be edited: binary, huge, outside the repository
  | "no-file"
  | "exists"
  | "no-match"
  | "ambiguous" // several places fit equally well
  | "unclear" // the place is known, but not the fate of some of its lines
  | "overlap" // two edits change the same lines
  | "no-change"
  | "syntax" // the file would have more unparsable places
  | "diagnostics"; // a language server sees a new error

/** A refused edit: the reason, and the remedy for the edit's author. */
export interface EditProblem {
  /** The number of the edit, from 1; 0 if the problem concerns all edits. */
  readonly edit: number;
  readonly kind: ProblemKind;
  readonly path?: string;
  /** Whole sentences: the problem and its remedy. */
  readonly message: string;
  /** The places that fit equally well, or the place of the nearest text or of the error. */
  readonly places: readonly (LineRange & { readonly path: string })[];
}

/** The result of one applied edit. */
export interface EditDone {
  readonly edit: number;
  readonly kind: Edit["kind"];
  readonly path: string;
  /** The replaced lines, in the text with which Millwright matched the edit. For an insertion, the line above it. */
  readonly place?: LineRange;
  readonly rung?: Rung;
}

/** The change of one file: its creation, deletion, renaming or new text. */
export interface FileChange {
  readonly path: string;
  /** The file's former name; absent if the change keeps the name. */
  readonly from?: string;
  /** The file's text before the edits; undefined if the edits create the file. */
  readonly before: string | undefined;
  /** The file's text after the edits; undefined if the edits delete the file. */
  readonly after: string | undefined;
}

export type EditOutcome =
  | {
      readonly ok: true;
      readonly changes: readonly FileChange[];
      /** A unified diff of the changes. */
      readonly diff: string;
      readonly done: readonly EditDone[];
    }
  | { readonly ok: false; readonly problems: readonly EditProblem[] };

/** The files that may be edited. Paths are relative, with `/`. */
export interface EditableFiles {
  /**
   * Returns the text with its byte order mark; undefined if the file does not exist. Returns the reason if the file
   * cannot be edited.
   */
  read(path: string): Promise<Result<string | undefined, "refused">>;
  /** Lists all editable files. Called for an edit that names no file or a file that does not exist. */
  list(): Promise<readonly string[]>;
}
