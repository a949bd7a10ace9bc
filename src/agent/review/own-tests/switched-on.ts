/**
 * Finds features that only their own tests enable. The patch sets a constant to false, and a test sets it to true.
 * Pure.
 */
import { addedLines, type ChangedFile, linesOf } from "../../code/change.ts";
import type { OwnTest } from "../texts/own-tests.ts";

const off =
  /\b([A-Za-z_$][\w$]{2,})\s*(?::\s*[\w[\] |?]+)?\s*:?=\s*(?:False|false|0|None|null|undefined|nil|"")\s*;?\s*(?:#.*|\/\/.*)?$/;
const constant =
  /^(?:(?:export\s+|pub\s+|public\s+|private\s+|protected\s+)*(?:const|let|var|static)\b|[A-Za-z_])/;
const truthy = String.raw`(?:True|true|1\b|"(?:1|on|yes|true)"|'(?:1|on|yes|true)')`;
/** Words with which the statement may mention a switch without its name. */
const asked =
  /\bflags?\b|\boption|\bopt[- ]?(?:in|out)\b|\bsetting|\bswitch|\bconfig|\btoggl|\bexperimental|\benabl|\bdisabl|\bdefault|\bdebug|\bverbose/i;

/**
 * Finds the first test that enables a constant which the patch sets to false. Returns undefined if the statement
 * mentions such a switch.
 */
export function findSwitchedOn(
  files: readonly ChangedFile[],
  tests: readonly OwnTest[],
  statement: string,
): { readonly test: OwnTest; readonly name: string } | undefined {
  if (asked.test(statement)) return undefined;
  const names = files.filter(({ isTest }) => !isTest).flatMap(listOff);
  for (const test of tests)
    for (const name of names) {
      const own = name.replaceAll("$", String.raw`\$`);
      const sets = new RegExp(`["'.]${own}["']?\\s*(?:,|=(?!=))\\s*${truthy}`);
      if (!statement.includes(name) && sets.test(test.body)) return { test, name };
    }
  return undefined;
}

/** Lists the constants that the patch sets to false outside functions. These are lines without indentation. */
function listOff(file: ChangedFile): string[] {
  const lines = linesOf(file.after);
  const known = linesOf(file.before).join("\n");
  return addedLines(file).flatMap((number) => {
    const line = lines[number - 1] ?? "";
    const name = constant.test(line) ? off.exec(line)?.[1] : undefined;
    return name === undefined || known.includes(name) ? [] : [name];
  });
}
