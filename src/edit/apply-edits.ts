/** Edits made to files together or not at all. */
import type {
  Edit,
  EditableFiles,
  EditDone,
  EditOutcome,
  EditProblem,
  LineRange,
  ReplaceEdit,
} from "./contract.ts";
import {
  createDraft,
  currentText,
  type Draft,
  type DraftFile,
  joinSplices,
  listChanges,
  openFile,
  settle,
  writeFile,
} from "./draft.ts";
import { findFile } from "./find-file.ts";
import { renderDiff } from "./render-diff.ts";
import { type NotReplaced, type Replaced, replaceText } from "./replace-text.ts";
import { splitText } from "./text-lines.ts";

/** What became of one edit. */
type Step = Omit<EditDone, "edit"> | Omit<EditProblem, "edit">;

export async function applyEdits(files: EditableFiles, edits: readonly Edit[]): Promise<EditOutcome> {
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
  return { ok: true, changes, diff: renderDiff(changes), done };
}

async function applyEdit(draft: Draft, edit: Edit): Promise<Step> {
  const { kind } = edit;
  const found = await findFile(draft, edit);
  if (typeof found !== "string") return found;
  const path = found;
  const opened = await openFile(draft, path);
  if (!opened.ok) return { kind: "refused", path, message: opened.message, places: [] };
  const file = opened.value;
  if (edit.kind === "create") return createFile(draft, edit, file);
  if (file === undefined) {
    if (edit.kind === "replace" && edit.original.trim() === "") {
      return createFile(draft, { kind: "create", path, text: edit.replacement }, file);
    }
    return { kind: "no-file", path, message: `There is no file ${path}.`, places: [] };
  }
  if (edit.kind === "replace") return replaceIn(file, path, edit);
  if (edit.kind === "delete") file.isDeleted = true;
  return { kind, path };
}

function createFile(
  draft: Draft,
  edit: Extract<Edit, { kind: "create" }>,
  file: DraftFile | undefined,
): Step {
  const { path, text } = edit;
  if (file !== undefined && !edit.overwrite)
    return {
      kind: "exists",
      path,
      message: `${path} exists already: give the lines to be replaced.`,
      places: [],
    };
  writeFile(draft, path, text);
  return { kind: "create", path };
}

function replaceIn(file: DraftFile, path: string, edit: ReplaceEdit): Step {
  const asSeen = replaceText(file.base.lines, edit);
  const joined = asSeen.ok ? joinSplices(file.splices, asSeen.splices) : undefined;
  if (asSeen.ok && joined !== undefined) {
    file.splices = joined;
    return { kind: "replace", path, place: asSeen.place, rung: asSeen.rung };
  }
  if (file.splices.length === 0) return describe(asSeen, path);
  // It may speak of what an earlier edit wrote.
  const now = splitText(currentText(file));
  const afterwards = replaceText(now.lines, edit);
  if (!afterwards.ok) return asSeen.ok ? overlap(path, asSeen.place) : describe(asSeen, path);
  settle(file);
  file.splices = afterwards.splices;
  return { kind: "replace", path, place: afterwards.place, rung: afterwards.rung };
}

function overlap(path: string, place: LineRange): Step {
  return {
    kind: "overlap",
    path,
    message: `Another edit changes the same lines of ${path}, ${place.startLine}-${place.endLine}: make one of both.`,
    places: [{ path, ...place }],
  };
}

function describe(result: Replaced | NotReplaced, path: string): Step {
  if (result.ok) return overlap(path, result.place);
  return {
    kind: result.kind,
    path,
    message: `${path}: ${result.message}`,
    places: result.ranges.map((range) => ({ path, ...range })),
  };
}
