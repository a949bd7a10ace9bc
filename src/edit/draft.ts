/** The files of a set of edits while these are made: nothing leaves it before all of them are. */
import { fail, type Result, succeed } from "../base/result.ts";
import type { EditableFiles, FileChange } from "./contract.ts";
import { type Splice, spliceText, splitText, type TextLines } from "./text-lines.ts";

export interface DraftFile {
  /** As it was when the edits began; undefined: there was none. */
  readonly before: string | undefined;
  /** The name that it had. */
  readonly from: string;
  /** What the next edits are matched with first: authors describe the file as they saw it. */
  base: TextLines;
  /** Made to `base`; in order and apart. */
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

/** The file, undefined where there is none (any more). */
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

/** From here on edits are matched with the text as it is now. */
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

/** Nothing must have the new name. */
export function moveFile(draft: Draft, path: string, to: string): void {
  const file = draft.open.get(path);
  if (file === undefined) return;
  draft.open.delete(path);
  draft.left.add(path);
  draft.left.delete(to);
  draft.open.set(to, file);
}

/** Both lists as one, or undefined where they change the same lines. */
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

/** What became of the files; those that are as they were are left out. */
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
