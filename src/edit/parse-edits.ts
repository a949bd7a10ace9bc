/** Reads edits out of what an author wrote; never throws. */
import { readConflictBlocks } from "./conflict-blocks.ts";
import type { Edit, EditProblem } from "./contract.ts";
import { linesOf } from "./text-lines.ts";

export interface ParsedEdits {
  readonly edits: readonly Edit[];
  readonly problems: readonly EditProblem[];
}

const form = [
  "Write each edit as a block:",
  "path/to/file",
  "<<<<<<< ORIGINAL",
  "lines of the file as they are",
  "=======",
  "the lines in their place",
  ">>>>>>> UPDATED",
].join("\n");

export function parseEdits(text: string): ParsedEdits {
  const blocks = readConflictBlocks(linesOf(text));
  const problems = blocks.problems.map((message) => unreadable(message));
  if (blocks.edits.length + problems.length > 0) return { edits: blocks.edits, problems };
  return { edits: [], problems: [unreadable(`No edit was found in the text. ${form}`)] };
}

function unreadable(message: string): EditProblem {
  return { edit: 0, kind: "unreadable", message, places: [] };
}
