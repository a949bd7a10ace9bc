/**
 * Reads the coverage of a fix from SWT-bench's own logs. Behaves like SWT-bench's repository at 330a649
 * (`src/grading.py`).
 */

import { parsePatch } from "diff";
import { isRecord } from "../../base/fields.ts";
import { parseJson } from "../../base/parse-json.ts";

/** The number of executions of each line, by file and line number. */
export type LineCounts = ReadonlyMap<string, ReadonlyMap<number, number>>;

interface Line {
  readonly file: string;
  readonly line: number;
}

/** Reads the counts that a log contains after its tests: one JSON object per file, each on its own line. */
export function readCounts(log: string): LineCounts {
  const lines = log.split("\n");
  const begin = lines.findIndex((line) => line.trim() === "+ cat coverage.cover");
  const found = new Map<string, Map<number, number>>();
  for (const line of begin < 0 ? [] : lines.slice(begin + 1)) {
    if (line.startsWith("+ git checkout")) break;
    const printed = line.startsWith('{"/testbed/') ? parseJson(line) : undefined;
    for (const [path, counts] of Object.entries(isRecord(printed) ? printed : {})) {
      const file = path.replaceAll("/testbed/", "");
      const known = found.get(file) ?? new Map<number, number>();
      for (const [number, count] of Object.entries(isRecord(counts) ? counts : {})) {
        known.set(Number(number), (known.get(Number(number)) ?? 0) + Number(count));
      }
      found.set(file, known);
    }
  }
  return found;
}

/**
 * The counts of each run. `pred`: with the model's tests; `gold`: with the row's tests; `base`: with neither. `Before`:
 * without the fix; `After`: with the fix.
 */
export type CountsOfRuns = Readonly<
  Record<"predBefore" | "predAfter" | "goldBefore" | "goldAfter" | "baseBefore" | "baseAfter", LineCounts>
>;

export interface FixCoverage {
  /** Number of the fix's lines that occur in a trace without the model's tests (`gold` or `base`). */
  readonly lines: number;
  /** Number of the fix's lines that the model's tests execute. */
  readonly executed: number;
  /** Number of the fix's lines that the model's tests execute more often than `baseAfter` does. */
  readonly gained: number;
}

/**
 * Measures the coverage of a fix. Counts removed lines in the runs without the fix, and added lines in the runs with
 * it.
 */
export function measureFix(fix: string, runs: CountsOfRuns): FixCoverage {
  const { removed, added } = changedLines(fix);
  const known = (lines: readonly Line[], ...counts: readonly LineCounts[]): Line[] =>
    lines.filter(({ file, line }) => counts.some((each) => each.get(file)?.has(line) === true));
  const sides = [
    { lines: known(removed, runs.goldBefore, runs.baseBefore), counts: runs.predBefore },
    { lines: known(added, runs.goldAfter, runs.baseAfter), counts: runs.predAfter },
  ];
  const sum = (more: (counts: LineCounts, line: Line) => boolean): number =>
    sides.reduce((total, { lines, counts }) => total + lines.filter((line) => more(counts, line)).length, 0);
  const countOf = (counts: LineCounts, { file, line }: Line): number => counts.get(file)?.get(line) ?? 0;
  return {
    lines: sides.reduce((total, { lines }) => total + lines.length, 0),
    executed: sum((counts, line) => countOf(counts, line) > 0),
    gained: sum((counts, line) => countOf(counts, line) > countOf(runs.baseAfter, line)),
  };
}

/** Returns the changed lines: removed lines with their old numbers, added lines with their new numbers. */
function changedLines(patch: string): { readonly removed: readonly Line[]; readonly added: readonly Line[] } {
  const [removed, added]: [Line[], Line[]] = [[], []];
  for (const { oldFileName = "", newFileName = "", hunks } of parsePatch(patch)) {
    for (const { oldStart, newStart, lines } of hunks) {
      const at = { old: oldStart, new: newStart };
      for (const line of lines) {
        const mark = line[0];
        if (mark === "-") removed.push({ file: oldFileName.slice(2), line: at.old });
        if (mark === "+") added.push({ file: newFileName.slice(2), line: at.new });
        if (mark === "-" || mark === " ") at.old += 1;
        if (mark === "+" || mark === " ") at.new += 1;
      }
    }
  }
  return { removed, added };
}
