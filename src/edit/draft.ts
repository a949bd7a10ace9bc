/** Holds the files of a set of edits while Millwright applies it. Callers get the changes only after all edits. */
import { fail, type Result, succeed } from "../base/result.ts";
import type { EditableFiles, FileChange } from "./contract.ts";
import { type Splice, spliceText, splitText, type TextLines } from "./text-lines.ts";

export interface DraftFile {
  /** The text before the edits; undefined: the file did not exist. */
  readonly before: string | undefined;
  /** The file's path before the edits renamed it; otherwise its present path. */
  readonly from: string;
  /** The text that the authors saw. Millwright first matches the next edits with this text. */
  base: TextLines;
  /** Changes to `base`, in order and without overlap. */
  splices: readonly Splice[];
  isDeleted: boolean;
}

export interface Draft {
  readonly files: EditableFiles;
  readonly open: Map<string, DraftFile>;
  /** Old names of renamed files. */
  readonly left: Set<string>;
}

export function createDraft(files: EditableFiles): Draft {
  return { files, open: new Map(), left: new Set() };
}

/** Opens a file; undefined if it does not exist, or an earlier edit deleted or renamed it. */
export async function openFile(
  draft: Draft,
  path: string,
): Promise<Result<DraftFile | undefined, "refused">> {
  const known = draft.open.get(path);
  if (known !== undefined) return succeed(known.isDeleted ? undefined : known);
  if (draft.left.has(path)) return succeed(undefined);
  const read = await draft.files.read(path);
  if (!read.ok) return fail("refused", read.message);
  if (read.value === undefined) return succeed(undefined);
  const file = { before: read.value, from: path, base: splitText(read.value), splices: [], isDeleted: false };
  draft.open.set(path, file);
  return succeed(file);
}

export function currentText(file: DraftFile): string {
  return spliceText(file.base, file.splices);
}

/** Makes later edits refer to `text` as the file's text. Default: the file's text after the earlier edits. */
export function settle(file: DraftFile, text: string = currentText(file)): void {
  file.base = splitText(text);
  file.splices = [];
}

export function writeFile(draft: Draft, path: string, text: string): void {
  const known = draft.open.get(path);
  if (known !== undefined) {
    settle(known, text);
    known.isDeleted = false;
    return;
  }
  draft.open.set(path, {
    before: undefined,
    from: path,
    base: splitText(text),
    splices: [],
    isDeleted: false,
  });
}

/** Renames an open file. No file may have the name `to`. */
export function moveFile(draft: Draft, path: string, to: string): void {
  const file = draft.open.get(path);
  if (file === undefined) return;
  draft.open.delete(path);
  draft.left.add(path);
  draft.left.delete(to);
  draft.open.set(to, file);
}

/**
 * Joins two lists of splices. Undefined if a splice of one list changes lines that a splice of the other also changes.
 */
export function joinSplices(first: readonly Splice[], second: readonly Splice[]): Splice[] | undefined {
  const joined = [...first, ...second].sort(
    (a, b) => a.start - b.start || Math.sign(a.count) - Math.sign(b.count),
  );
  const isApart = joined.every((splice, index) => {
    const previous = joined[index - 1];
    return previous === undefined || previous.start + previous.count <= splice.start;
  });
  return isApart ? joined : undefined;
}

/** Lists the files that the edits changed, created, deleted or renamed. */
export function listChanges(draft: Draft): FileChange[] {
  const changes: FileChange[] = [];
  for (const [path, file] of draft.open) {
    const after = file.isDeleted ? undefined : currentText(file);
    const isMoved = file.from !== path && file.before !== undefined;
    if (after === file.before && !isMoved) continue;
    changes.push({ path, before: file.before, after, ...(isMoved ? { from: file.from } : {}) });
  }
  return changes;
}
