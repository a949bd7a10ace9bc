/**
 * Stores the facts about the user's repository that a resumed run needs. The run then does not read the repository
 * again.
 */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { writeFileAtomically } from "../base/atomic-file.ts";
import { MillwrightError } from "../base/errors.ts";
import type { LinkedGit } from "./git-folder.ts";

/** The record's schema. Its paths have one character per byte. */
const recordSchema = z.object({
  repository: z.string(),
  base: z.string(),
  commit: z.string().optional(),
  /** Paths that checkouts get although they are not part of the repository's tree, including `.git`. */
  ignored: z.array(z.string()),
  /** The repository's `.git`, if it is a file that names a folder. */
  linkedGit: z.object({ gitDirectory: z.string(), commonDirectory: z.string() }).optional(),
  emptyFolders: z.array(z.string()),
  /** Modification times, as pairs of path and milliseconds. */
  times: z.array(z.tuple([z.string(), z.number()])),
  notices: z.array(z.string()),
});

export interface WorkspaceRecord {
  readonly repository: string;
  readonly base: string;
  readonly commit: string | undefined;
  readonly ignored: readonly string[];
  readonly linkedGit: LinkedGit | undefined;
  readonly emptyFolders: readonly string[];
  readonly times: ReadonlyMap<string, number>;
  readonly notices: readonly string[];
}

const fileName = "workspace.json";

export async function writeRecord(directory: string, record: WorkspaceRecord): Promise<void> {
  const data = { ...record, times: [...record.times] };
  await writeFileAtomically(join(directory, fileName), JSON.stringify(data));
}

/**
 * Reads a workspace's record. Throws MillwrightError("disk") if the folder does not hold a workspace with this base.
 */
export async function readRecord(directory: string, base: string): Promise<WorkspaceRecord> {
  try {
    const data = recordSchema.parse(JSON.parse(await readFile(join(directory, fileName), "utf8")));
    if (data.base !== base) throw new Error(`the record names the tree ${data.base}, not ${base}`);
    return { ...data, commit: data.commit, linkedGit: data.linkedGit, times: new Map(data.times) };
  } catch (cause) {
    throw new MillwrightError("disk", `The run's copy of the repository in ${directory} is damaged.`, {
      hint: "Start a new run.",
      cause,
    });
  }
}
