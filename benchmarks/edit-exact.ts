/** Applies edits like most tools: one form of block, the original as a text, the first place that contains it. */
import type { Answer, EditTrial } from "./edit-table.ts";

const block = /^(\S+)\n```\n<<<<<<< SEARCH\n(.*?)=======\n(.*?)>>>>>>> REPLACE\n```$/ms;

export function applyPlainly(trial: EditTrial): Answer {
  const [, path = "", original = "", replacement = ""] = block.exec(trial.reply) ?? [];
  const text = trial.files[path];
  if (text === undefined) return { why: "the block cannot be read" };
  const at = text.indexOf(original);
  if (at === -1) return { why: "the original is not in the file" };
  return { files: { [path]: text.slice(0, at) + replacement + text.slice(at + original.length) } };
}
