/**
 * Finds repairs of generated files that leave the generator's input unchanged. The next generation brings the fault
 * back. Pure.
 */

import { basename } from "node:path";
import { literally } from "../../../base/literal-pattern.ts";
import { type ChangedFile, linesOf } from "../../code/change.ts";
import type { Finding } from "../contract.ts";

/** Number of lines at the start of a file in which the file may say that it is generated. */
const headLines = 12;
const generated = /\bgenerated\b/i;
const untouched =
  /\bdo not (?:edit|modify|change)\b|@generated\b|\b(?:edits|changes) (?:\w+ ){0,6}(?:lost|overwritten)\b/i;
const document = /\.(?:md|rst|txt|adoc|lock)$|(?:^|\/)(?:CHANGE\w*|NEWS|HISTORY)[^/]*$/i;

/**
 * Objects to a patch that changes only generated files and not their source. Returns an empty list if the statement
 * mentions such a file.
 */
export function judgeGenerated(files: readonly ChangedFile[], statement: string): Finding[] {
  const own = files.filter(({ path, isTest }) => !isTest && !document.test(path));
  const [first] = own;
  if (first === undefined || !own.every(isGenerated) || generated.test(statement)) return [];
  if (own.some(({ path }) => isNamed(statement, basename(path)))) return [];
  return [
    {
      weight: "objection",
      text: `${first.path} says that it is generated and must not be edited, but the patch does not change its source.`,
    },
  ];
}

function isGenerated({ before }: ChangedFile): boolean {
  const head = linesOf(before).slice(0, headLines).join("\n");
  return generated.test(head) && untouched.test(head);
}

/** True if the statement names the file. `test_fee.py` does not name `fee.py`. */
function isNamed(statement: string, name: string): boolean {
  const escaped = literally(name);
  return new RegExp(`(?<![\\w-])${escaped}(?!\\w)`).test(statement);
}
