/** Applies a set of edits to files: all of them, or none. */
import { checkSyntax, type FindErrors } from "./check-syntax.ts";
import type { Edit, EditableFiles, EditDone, EditOutcome, EditProblem, LineRange } from "./contract.ts";
import {
  createDraft,
  currentText,
  type Draft,
  type DraftFile,
  joinSplices,
  listChanges,
  moveFile,
  openFile,
  settle,
  writeFile,
} from "./draft.ts";
import { findFile } from "./find-file.ts";
import { renderDiff } from "./render-diff.ts";
import { replaceFunction } from "./replace-function.ts";
import { type NotReplaced, type Replaced, replaceText } from "./replace-text.ts";
import { linesOf, splitText, type TextLines } from "./text-lines.ts";

export interface ApplyOptions {
  /** Finds lines with syntax errors; false disables this check. Default: the available grammars. */
  readonly findErrors?: FindErrors | false;
}

/** The result of one edit. */
type Step = Omit<EditDone, "edit"> | Omit<EditProblem, "edit">;

/** Applies edits to the texts of `files`. Writes no file, but returns the changes to write. */
export async function applyEdits(
  files: EditableFiles,
  edits: readonly Edit[],
  options: ApplyOptions = {},
): Promise<EditOutcome> {
  const draft = createDraft(files);
  const done: EditDone[] = [];
  const problems: EditProblem[] = [];
  for (const [index, edit] of edits.entries()) {
    const step = await applyEdit(draft, edit);
    if ("message" in step) problems.push({ ...step, edit: index + 1 });
    else done.push({ ...step, edit: index + 1 });
  }
  if (problems.length > 0) return { ok: false, problems };
  const changes = listChanges(draft);
  if (changes.length === 0) return { ok: false, problems: [nothingChanged] };
  if (options.findErrors !== false) {
    const broken = await checkSyntax(changes, options.findErrors);
    if (broken.length > 0) return { ok: false, problems: broken.map((problem) => ({ ...problem, edit: 0 })) };
  }
  return { ok: true, changes, diff: renderDiff(changes), done };
}

const nothingChanged: EditProblem = {
  edit: 0,
  kind: "no-change",
  message: "Together, the edits change no file.",
  places: [],
};

async function applyEdit(draft: Draft, edit: Edit): Promise<Step> {
  const found = await findFile(draft, edit);
  if (typeof found !== "string") return found;
  const path = found;
  const opened = await openFile(draft, path);
  if (!opened.ok) return { kind: "refused", path, message: opened.message, places: [] };
  const file = opened.value;
  if (edit.kind === "create") return createFile(draft, edit, file);
  if (file === undefined) {
    if (edit.kind === "replace" && edit.original.trim() === "")
      return createFile(draft, { kind: "create", path, text: edit.replacement }, file);
    return { kind: "no-file", path, message: `There is no file ${path}.`, places: [] };
  }
  if (edit.kind === "rename") return renameFile(draft, path, edit.to);
  if (edit.kind === "delete") {
    file.isDeleted = true;
    return { kind: "delete", path };
  }
  return changeText(file, path, edit);
}

function createFile(
  draft: Draft,
  edit: Extract<Edit, { kind: "create" }>,
  file: DraftFile | undefined,
): Step {
  const { path, text } = edit;
  const isEmpty = file !== undefined && currentText(file).trim() === "";
  if (file !== undefined && !edit.overwrite && !isEmpty) {
    const message = `${path} already exists: give the lines to replace.`;
    return { kind: "exists", path, message, places: [] };
  }
  writeFile(draft, path, text);
  return { kind: "create", path };
}

async function renameFile(draft: Draft, path: string, to: string): Promise<Step> {
  const target = await openFile(draft, to);
  if (!target.ok) return { kind: "refused", path: to, message: target.message, places: [] };
  if (target.value !== undefined)
    return {
      kind: "exists",
      path: to,
      message: `${path} cannot be renamed to ${to}: ${to} already exists.`,
      places: [],
    };
  moveFile(draft, path, to);
  return { kind: "rename", path: to };
}

type TextEdit = Extract<Edit, { kind: "replace" | "function" | "insert" }>;

/**
 * Matches the edit with the file as the edit's author saw it. If the edit does not fit there, matches it with the
 * file's text after the earlier edits. Never does this for an insertion.
 */
async function changeText(file: DraftFile, path: string, edit: TextEdit): Promise<Step> {
  const asSeen = await editText(path, file.base, edit);
  const joined = asSeen.ok ? joinSplices(file.splices, asSeen.splices) : undefined;
  if (asSeen.ok && joined !== undefined) {
    file.splices = joined;
    return { kind: edit.kind, path, place: asSeen.place, rung: asSeen.rung };
  }
  if (file.splices.length === 0 || edit.kind === "insert") return describe(asSeen, path);
  const afterwards = await editText(path, splitText(currentText(file)), edit);
  if (!afterwards.ok) return asSeen.ok ? overlap(path, asSeen.place) : describe(asSeen, path);
  settle(file);
  file.splices = afterwards.splices;
  return { kind: edit.kind, path, place: afterwards.place, rung: afterwards.rung };
}

async function editText(path: string, text: TextLines, edit: TextEdit): Promise<Replaced | NotReplaced> {
  if (edit.kind === "replace") return replaceText(text.lines, edit);
  if (edit.kind === "function") return replaceFunction(path, text.lines, edit);
  const count = text.lines.length;
  if (edit.line < 0 || edit.line > count)
    return {
      ok: false,
      kind: "no-match",
      message: `There is no line ${edit.line}: the file ends at line ${count}.`,
      ranges: [],
    };
  const splices = [{ start: edit.line, count: 0, lines: linesOf(edit.text) }];
  const line = Math.max(1, edit.line);
  return { ok: true, splices, place: { startLine: line, endLine: line }, rung: "exact" };
}

function overlap(path: string, place: LineRange): Step {
  const message = `Another edit changes the same lines of ${path}, ${place.startLine}-${place.endLine}: combine both edits.`;
  return { kind: "overlap", path, message, places: [{ path, ...place }] };
}

function describe(result: Replaced | NotReplaced, path: string): Step {
  if (result.ok) return overlap(path, result.place);
  const places = result.ranges.map((range) => ({ path, ...range }));
  return { kind: result.kind, path, message: `${path}: ${result.message}`, places };
}
