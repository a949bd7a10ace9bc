import { isCodeFile } from "../../../languages/source-files.ts";
import { addedLines, type ChangedFile, linesOf, removedLines } from "../../code/change.ts";
import { listRead } from "./too-large.ts";

export type PatchForm = "changes" | "deletes" | "switches-off";

/** A line that only switches code off: an early exit, an empty body, or a constant condition. */
const off =
  /^\s*(?:pass|continue|break|return(?:\s*\(?(?:None|null|nil|undefined|True|False|true|false|0|-1|""|''|\[\]|\{\})\)?)?|(?:el)?if\s*\(?\s*(?:True|False|true|false|0|1)\)?\s*[:{]?|else\s*[:{]?|[{}()\]]+)?\s*(?:;\s*)?$/;
const comment = /^\s*(?:#|\/\/|\/?\*|--)/;

/**
 * Classifies the patch by its lines of code outside tests and unread files. A patch without changed code lines counts
 * as "changes".
 */
export function formOfPatch(files: readonly ChangedFile[]): PatchForm {
  const code = listRead(files).filter(({ path, isTest }) => !isTest && isCodeFile(path));
  const added = code.flatMap((file) => pick(file.after, addedLines(file)));
  const removed = code.flatMap((file) => pick(file.before, removedLines(file)));
  if (added.length === 0) return removed.length === 0 ? "changes" : "deletes";
  return added.every((line) => off.test(line)) ? "switches-off" : "changes";
}

/** Returns the lines with these numbers, without blank lines and comments. */
function pick(text: string | undefined, numbers: readonly number[]): string[] {
  const lines = linesOf(text);
  return numbers
    .map((number) => lines[number - 1] ?? "")
    .filter((line) => line.trim() !== "" && !comment.test(line));
}
