/** Reads edits in any known form from an author's text; never throws. */
import { type BlockReading, readConflictBlocks } from "./conflict-blocks.ts";
import type { Edit, EditProblem } from "./contract.ts";
import { readDiffs } from "./diff-hunks.ts";
import { readRecords } from "./edit-records.ts";
import { linesOf } from "./text-lines.ts";

export interface ParsedEdits {
  readonly edits: readonly Edit[];
  readonly problems: readonly EditProblem[];
}

/** An example that explains an edit's form to authors. */
export const editForm = [
  "path/to/file",
  "<<<<<<< ORIGINAL",
  "lines of the file, copied exactly",
  "=======",
  "their replacement",
  ">>>>>>> UPDATED",
].join("\n");

export function parseEdits(text: string): ParsedEdits {
  const { edits, problems } = readText(text);
  if (edits.length + problems.length > 0) return { edits, problems: problems.map(unreadable) };
  return {
    edits: [],
    problems: [unreadable(`The text contains no edit. Write each edit as a block:\n${editForm}`)],
  };
}

function readText(text: string): BlockReading {
  const records = readRecords(text);
  if (records !== undefined) return { edits: records, problems: [] };
  const lines = linesOf(text);
  const blocks = readConflictBlocks(lines);
  return blocks.edits.length + blocks.problems.length > 0 ? blocks : readDiffs(lines);
}

function unreadable(message: string): EditProblem {
  return { edit: 0, kind: "unreadable", message, places: [] };
}
