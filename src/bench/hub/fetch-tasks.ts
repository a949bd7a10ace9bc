/** Downloads a dataset's rows from a hub into the cache, as one local file. */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { writeFileAtomically } from "../../base/atomic-file.ts";
import { asDiskError, MillwrightError } from "../../base/errors.ts";
import { hashData } from "../../base/hash.ts";
import { largestText } from "../../base/regular-file.ts";
import { readTaskRows } from "../load-tasks.ts";
import { type RowProblem, wrongRows } from "../rows.ts";
import { downloadFile } from "./download-file.ts";
import type { HubAccess } from "./hub-client.ts";
import { chooseFiles, type HubFile, listFiles } from "./hub-files.ts";
import type { HubSource } from "./hub-source.ts";

export interface FetchedTasks {
  /** A local file whose content the hub's hashes confirmed just now. */
  readonly path: string;
  /** `hub:OWNER/NAME@COMMIT:FILES`, which always means the same rows. */
  readonly source: string;
}

/**
 * Downloads a dataset's tasks, unless the cache has them. `cache`: the folder for the files of all hubs. Throws
 * MillwrightError if the hub or the disk fails, or if the source names no file of rows.
 */
export async function fetchTasks(source: HubSource, cache: string, access: HubAccess): Promise<FetchedTasks> {
  const { dataset } = source;
  const host = new URL(access.endpoint).host.replaceAll(/[^\w.-]/g, "_");
  const folder = join(cache, host, dataset.replace("/", "__"));
  const listing = await listFiles(source, folder, access);
  const { files, glob } = chooseFiles(source, listing);
  const root = join(folder, listing.commit);
  const places: string[] = [];
  for (const file of files) {
    const place = join(root, "files", file.path);
    const named = file.path.split("/").map(encodeURIComponent).join("/");
    const url = `${access.endpoint}/datasets/${dataset}/resolve/${listing.commit}/${named}`;
    await downloadFile(place, { ...file, url }, access);
    places.push(place);
  }
  const pinned = `hub:${dataset}@${listing.commit}`;
  const [only] = places;
  if (only !== undefined && places.length === 1) return { path: only, source: `${pinned}:${files[0]?.path}` };
  return { path: await joinRows(root, files, places), source: `${pinned}:${glob}` };
}

/** Joins the confirmed files into one file of JSON Lines. Makes this file anew each time. */
async function joinRows(root: string, files: readonly HubFile[], places: readonly string[]): Promise<string> {
  const lines: string[] = [];
  let size = 0;
  for (const place of places) {
    const problems: RowProblem[] = [];
    for (const { data } of await readTaskRows(place, problems)) {
      const line = `${JSON.stringify(data)}\n`;
      size += Buffer.byteLength(line);
      if (size > largestText) throw tooLarge(places.length);
      lines.push(line);
    }
    if (problems.length > 0) throw wrongRows(place, problems);
  }
  const path = join(root, "rows", `${hashData(files.map((file) => file.path)).slice(0, 16)}.jsonl`);
  try {
    await mkdir(join(root, "rows"), { recursive: true });
    await writeFileAtomically(path, lines.join(""));
  } catch (error) {
    throw asDiskError(error);
  }
  return path;
}

function tooLarge(count: number): MillwrightError {
  return new MillwrightError(
    "usage",
    `The rows are too large to be read at once (number of files: ${count})`,
    {
      hint: "Add :FILES (a path or a glob) to the dataset's name to choose fewer files.",
    },
  );
}
