/** Which file an edit means, where it names none or one that is not there. */
import type { Edit, EditProblem } from "./contract.ts";
import { currentText, type Draft } from "./draft.ts";
import { findPlaces, rangeOf } from "./find-place.ts";
import { readingsOf } from "./readings.ts";
import { splitText } from "./text-lines.ts";

type Problem = Omit<EditProblem, "edit">;

/** The path, or what the author has to say. */
export async function findFile(draft: Draft, edit: Edit): Promise<string | Problem> {
  if (edit.path !== undefined) return correctPath(draft, edit, edit.path);
  const [only, ...more] = draft.open.keys();
  if (edit.kind === "replace") return searchFiles(draft, edit);
  if (only !== undefined && more.length === 0) return only;
  return noFile("The edit names no file: write its path on the line above.");
}

/** A path that no file has may be one from another root: `/repo/src/a.py`, `a.py`. */
async function correctPath(draft: Draft, edit: Edit, path: string): Promise<string | Problem> {
  const isNew = edit.kind === "create" || (edit.kind === "replace" && edit.original.trim() === "");
  if (isNew || draft.open.has(path) || draft.left.has(path)) return path;
  const read = await draft.files.read(path);
  if (read.ok && read.value !== undefined) return path;
  const all = await draft.files.list();
  const word = path.split(" ").at(-1) ?? path;
  if (word !== path && all.includes(word)) return word; // `Edit src/a.py`
  const alike = all.filter((each) => `/${each}`.endsWith(`/${path}`) || `/${path}`.endsWith(`/${each}`));
  const [only, ...more] = alike;
  if (only !== undefined && more.length === 0) return only;
  if (!read.ok) return { kind: "refused", path, message: read.message, places: [] };
  const base = path.slice(path.lastIndexOf("/") + 1);
  const named = all.filter((each) => each === base || each.endsWith(`/${base}`)).slice(0, 5);
  const hint = named.length === 0 ? "" : ` There is ${named.join(", ")}.`;
  return noFile(`There is no file ${path}.${hint}`, path);
}

/** The one file with the original's lines: those of the other edits first, then any. */
async function searchFiles(
  draft: Draft,
  edit: Extract<Edit, { kind: "replace" }>,
): Promise<string | Problem> {
  const opened = [...draft.open.keys()];
  const last = opened.at(-1);
  const all = await draft.files.list();
  for (const group of [last === undefined ? [] : [last], all]) {
    const places: Problem["places"][number][] = [];
    for (const path of group) places.push(...(await placesIn(draft, path, edit)));
    const paths = [...new Set(places.map((place) => place.path))];
    const [only, second] = paths;
    if (only !== undefined && second === undefined) return only;
    if (only !== undefined)
      return noFile(
        `The edit names no file, and ${paths.join(", ")} have its lines: write the path above.`,
        undefined,
        places,
      );
  }
  return noFile("The edit names no file, and none has its lines: write the path on the line above.");
}

async function placesIn(draft: Draft, path: string, edit: Extract<Edit, { kind: "replace" }>) {
  const known = draft.open.get(path);
  if (known === undefined) {
    const read = await draft.files.read(path);
    if (!read.ok || read.value === undefined) return [];
    return placesInText(path, read.value, edit);
  }
  return known.isDeleted ? [] : placesInText(path, currentText(known), edit);
}

function placesInText(path: string, text: string, edit: Extract<Edit, { kind: "replace" }>) {
  const { places } = findPlaces(splitText(text).lines, readingsOf(edit));
  return places.map(({ alignment }) => {
    const { start, end } = rangeOf(alignment);
    return { path, startLine: start + 1, endLine: end };
  });
}

function noFile(message: string, path?: string, places: Problem["places"] = []): Problem {
  return { kind: "no-file", message, places, ...(path === undefined ? {} : { path }) };
}
