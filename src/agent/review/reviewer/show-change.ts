/** Shows a change in one text: the new lines around each place, with marks on added and removed lines. Pure. */
import { addedLines, type ChangedFile, linesOf } from "../../code/change.ts";

/** Context lines around a changed place: in code, and in tests, which need fewer. */
const around = { code: 10, tests: 3 };

export function showChange(file: ChangedFile): string {
  const { path, before, after, isTest, hunks } = file;
  if ([before, after].some((text) => text?.includes("\0"))) return `${path} (no text)`;
  const added = new Set(addedLines(file));
  const old = linesOf(before);
  const lines = linesOf(after);
  const near = isTest ? around.tests : around.code;
  const isShown = (number: number): boolean =>
    hunks.some(({ afterStart, afterEnd }) => afterStart - near <= number && number < afterEnd + near);
  const shown: string[] = [];
  let last = 0;
  for (let number = 1; number <= lines.length + 1; number += 1) {
    const hunk = hunks.find(({ afterStart }) => afterStart === number);
    const removed = hunk === undefined ? [] : old.slice(hunk.beforeStart - 1, hunk.beforeEnd - 1);
    const isHere = number <= lines.length && isShown(number);
    if ((isHere || removed.length > 0) && last > 0 && number > last + 1) shown.push("…");
    shown.push(...removed.map((line) => `-\t${line}`));
    if (isHere) shown.push(`${number}${added.has(number) ? "+" : ""}\t${lines[number - 1]}`);
    if (isHere) last = number;
  }
  const state = before === undefined ? " (new)" : after === undefined ? " (deleted)" : "";
  return [`${path}${state}`, ...shown].join("\n");
}
