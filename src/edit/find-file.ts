/** Finds the file of an edit that names no file, or a file that does not exist. */
import type { Edit, EditProblem, ReplaceEdit } from "./contract.ts";
import { rungs } from "./contract.ts";
import { currentText, type Draft } from "./draft.ts";
import { findPlaces, findWhole, type Place, rangeOf } from "./find-place.ts";
import { type Reading, readingsOf } from "./readings.ts";
import { splitText } from "./text-lines.ts";

type Problem = Omit<EditProblem, "edit">;

/** Returns the path of the edit's file, or a problem for the edit's author. */
export async function findFile(draft: Draft, edit: Edit): Promise<string | Problem> {
  if (edit.path !== undefined) return correctPath(draft, edit, edit.path);
  const [only, ...more] = draft.open.keys();
  if (edit.kind === "replace") return searchFiles(draft, edit);
  if (only !== undefined && more.length === 0) return only;
  return noFile("The edit names no file: write the file's path on the line above the edit.");
}

/** Corrects a path at which no file exists. It may be relative to another root: `/repo/src/a.py`, `a.py`. */
async function correctPath(draft: Draft, edit: Edit, path: string): Promise<string | Problem> {
  const isNew = edit.kind === "create" || (edit.kind === "replace" && edit.original.trim() === "");
  if (isNew || draft.open.has(path) || draft.left.has(path)) return path;
  const read = await draft.files.read(path);
  if (read.ok && read.value !== undefined) return path;
  const all = await draft.files.list();
  // Without lines of the file, nothing shows that a similar path is meant: only `/repo/src/a.py` for `src/a.py`.
  const isBlind = edit.kind !== "replace" && edit.kind !== "function";
  const word = path.split(" ").at(-1) ?? path;
  if (!isBlind && word !== path && all.includes(word)) return word; // `Edit src/a.py`
  const alike = all.filter((each) =>
    isBlind
      ? path.startsWith("/") && path.endsWith(`/${each}`)
      : `/${each}`.endsWith(`/${path}`) || `/${path}`.endsWith(`/${each}`),
  );
  const [only, ...more] = alike;
  if (only !== undefined && more.length === 0) return only;
  if (!read.ok) return { kind: "refused", path, message: read.message, places: [] };
  const base = path.slice(path.lastIndexOf("/") + 1);
  const named = all.filter((each) => each === base || each.endsWith(`/${base}`)).slice(0, 5);
  const hint = named.length === 0 ? "" : ` Files with this name: ${named.join(", ")}.`;
  return noFile(`There is no file ${path}.${hint}`, path);
}

/** Finds the only file with the original's lines, or else with the best match. The last edit's file has priority. */
async function searchFiles(draft: Draft, edit: ReplaceEdit): Promise<string | Problem> {
  const last = [...draft.open.keys()].at(-1);
  const all = await draft.files.list();
  for (const find of [findWhole, findNear] as const) {
    for (const group of [last === undefined ? [] : [last], all]) {
      const found: Found[] = [];
      for (const path of group) found.push(...(await findIn(draft, path, edit, find)));
      const best = Math.min(...found.map(({ rank }) => rank));
      const places = found.filter(({ rank }) => rank === best);
      const paths = [...new Set(places.map(({ path }) => path))];
      const [only, second] = paths;
      if (only !== undefined && second === undefined) return only;
      if (only !== undefined) {
        const named = paths.slice(0, 10).join(", ");
        const message = `The edit names no file, and its lines fit ${named} equally well: write the path on the line above the edit.`;
        return noFile(message, undefined, places);
      }
    }
  }
  return noFile(
    "The edit names no file, and no file contains its lines: write the path on the line above the edit.",
  );
}

type Find = (file: readonly string[], readings: readonly Reading[]) => readonly Place[];
type Found = Problem["places"][number] & { readonly rank: number };

/** Maximum number of a file's lines for which Millwright searches the nearest text. */
const mostLines = 5000;

const findNear: Find = (file, readings) => (file.length > mostLines ? [] : findPlaces(file, readings).places);

async function findIn(draft: Draft, path: string, edit: ReplaceEdit, find: Find): Promise<Found[]> {
  const text = await textOf(draft, path);
  if (text === undefined) return [];
  return find(splitText(text).lines, readingsOf(edit)).map(({ alignment, rung }) => {
    const { start, end } = rangeOf(alignment);
    return { path, startLine: start + 1, endLine: end, rank: rungs.indexOf(rung) };
  });
}

async function textOf(draft: Draft, path: string): Promise<string | undefined> {
  const known = draft.open.get(path);
  if (known !== undefined) return known.isDeleted ? undefined : currentText(known);
  const read = await draft.files.read(path);
  return read.ok ? read.value : undefined;
}

function noFile(message: string, path?: string, places: Problem["places"] = []): Problem {
  return { kind: "no-file", message, places, ...(path === undefined ? {} : { path }) };
}
