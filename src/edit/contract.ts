/** What an author (a model, mostly) asks to be changed, and what comes of it. All of it is data: texts go in, texts come out. */
import type { Result } from "../base/result.ts";

/** Lines of a file, from 1, both included. */
export interface LineRange {
  readonly startLine: number;
  readonly endLine: number;
}

/** One text in the place of another. */
export interface ReplaceEdit {
  readonly kind: "replace";
  /** Relative to the repository's root; undefined where the author named none: every file is looked through. */
  readonly path: string | undefined;
  readonly original: string;
  readonly replacement: string;
  /** Other readings of the same block: a line of `=======` can be its text too. */
  readonly others?: readonly { readonly original: string; readonly replacement: string }[];
  /** The line that the author believes it to begin at. Only a hint: models count badly. */
  readonly line?: number;
  /** The original may begin and end inside of lines, as in `str_replace`. */
  readonly inline?: boolean;
  /** Change every place that has exactly this text. */
  readonly everywhere?: boolean;
}

/** A whole function (or method, or class) under its name, `Zone.find`, or `find` where that is enough. */
export interface FunctionEdit {
  readonly kind: "function";
  readonly path: string | undefined;
  readonly name: string;
  readonly text: string;
}

/** New lines after a line; 0 is the top. */
export interface InsertEdit {
  readonly kind: "insert";
  readonly path: string | undefined;
  readonly line: number;
  readonly text: string;
}

/** A new file, or with `overwrite` the whole of one that may exist. */
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

/** How a place was found, the strictest first. */
export const rungs = [
  "exact",
  "whitespace", // blank lines and the ends of lines differ
  "indentation", // shifted, or in the other unit
  "spacing", // spaces inside lines differ
  "fragment", // a part of a line
  "anchors", // the first and last lines are the same
  "similar", // the nearest text, by far
] as const;
export type Rung = (typeof rungs)[number];

export type ProblemKind =
  | "unreadable" // no edit could be read
  | "refused" // the file may not be edited: binary, huge, outside the repository
  | "no-file"
  | "exists"
  | "no-match"
  | "ambiguous" // several places fit as well
  | "unclear" // the place is known, but not what is to become of some of its lines
  | "overlap" // two edits change the same lines
  | "no-change"
  | "syntax" // the file would have more places that do not parse
  | "diagnostics"; // a language server sees an error that was not there

/** Why an edit was not made, and what its author can do: data, for the author to read. */
export interface EditProblem {
  /** Which edit, from 1; 0 for all of them. */
  readonly edit: number;
  readonly kind: ProblemKind;
  readonly path?: string;
  /** Whole sentences: what is wrong and what to do. */
  readonly message: string;
  /** The places that fit as well, or the nearest text. */
  readonly places: readonly (LineRange & { readonly path: string })[];
}

/** What was done for one edit. */
export interface EditDone {
  readonly edit: number;
  readonly kind: Edit["kind"];
  readonly path: string;
  /** In the file as it was. */
  readonly place?: LineRange;
  readonly rung?: Rung;
}

/** A file's new text. */
export interface FileChange {
  readonly path: string;
  /** The name that it had; absent when it keeps it. */
  readonly from?: string;
  /** undefined: it is created. */
  readonly before: string | undefined;
  /** undefined: it is deleted. */
  readonly after: string | undefined;
}

export type EditOutcome =
  | {
      readonly ok: true;
      readonly changes: readonly FileChange[];
      /** Unified, made from the changes. */
      readonly diff: string;
      readonly done: readonly EditDone[];
    }
  | { readonly ok: false; readonly problems: readonly EditProblem[] };

/** The files that may be edited. Paths are relative, with `/`. */
export interface EditableFiles {
  /** The text (a byte order mark included), undefined where there is no file, or why it cannot be edited. */
  read(path: string): Promise<Result<string | undefined, "refused">>;
  /** For an edit that names no file, or one that does not exist. */
  list(): Promise<readonly string[]>;
}
