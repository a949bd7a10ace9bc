/**
 * Measures the tests' coverage of a fix in SWT-bench's sense. Runs the tests without the fix for its removed lines, and
 * with the fix for its added lines. Counts the tests that execute a line, whereas SWT-bench counts the executions.
 */

import { addedLines, readChange, removedLines } from "../../agent/code/change.ts";
import type { Covered } from "../../agent/measure/covered-lines.ts";
import { linesRun } from "../../agent/measure/covered-lines.ts";
import { executableUnits, isExecuted, type Unit } from "../../agent/measure/executable-lines.ts";
import type { TestRegions } from "../../judging/test-regions.ts";
import { isSourceFile } from "../../languages/source-files.ts";
import type { Coverage } from "../measurement.ts";
import type { OpenTask } from "../open-task.ts";
import type { TestPlan } from "../task-tests.ts";
import { coverFiles, withTestExecutor } from "./measuring-executor.ts";

interface Sides {
  readonly before: string;
  readonly after: string;
  /** The test files of the patch and of the base. */
  readonly files: readonly string[];
  readonly known: readonly string[];
}

/** An executable line that the fix removes or adds. */
interface Line {
  readonly file: string;
  readonly line: number;
  readonly unit: Unit;
}

export async function measurePatchCoverage(
  open: OpenTask,
  plan: TestPlan,
  regions: TestRegions,
  { before, after, files, known }: Sides,
): Promise<Coverage> {
  const { trees, workspace } = open;
  const change = await readChange(workspace.trees, regions, trees.base, trees.gold);
  const sources = change.files.filter(({ path, isTest }) => isSourceFile(path) && !isTest);
  const removed: Line[] = [];
  const added: Line[] = [];
  for (const file of sources) {
    removed.push(...(await linesOf(file.path, file.before, removedLines(file))));
    added.push(...(await linesOf(file.path, file.after, addedLines(file))));
  }
  if (removed.length + added.length === 0) return { lines: 0, executed: 0, left: [] };
  const paths = sources.map(({ path }) => path);
  const covers = await withTestExecutor(open, async (executor) => {
    const cover = (tree: string, chosen: readonly string[], wanted: readonly Line[]): Promise<Covered> =>
      chosen.length === 0 || wanted.length === 0
        ? Promise.resolve({ tests: {} })
        : coverFiles(executor, open, plan, {
            ...{ tree, selection: { kind: "files", files: chosen } },
            files: paths,
          });
    return {
      before: await cover(before, files, removed),
      after: await cover(after, files, added),
      base: await cover(trees.gold, known, [...removed, ...added]),
    };
  });
  return weighCovers({ removed, added }, covers);
}

/** `base`: what the base's own tests execute with the fix. If this is unknown, so is the gain. */
export function weighCovers(
  { removed, added }: Readonly<Record<"removed" | "added", readonly Line[]>>,
  covers: Readonly<Record<"before" | "after" | "base", Covered>>,
): Coverage {
  const lines = removed.length + added.length;
  const because = covers.before.because ?? covers.after.because;
  if (because !== undefined) return { lines, executed: 0, left: [], because };
  const isHit = (covered: Covered, { file, unit }: Line): boolean =>
    isExecuted(unit, linesRun(covered, file));
  // SWT-bench also looks up removed lines in the run with the fix.
  const isMore = (covered: Covered, { file, line }: Line): boolean =>
    countTests(covered, file, line) > countTests(covers.base, file, line);
  const count = (wanted: (covered: Covered, line: Line) => boolean): number =>
    removed.filter((line) => wanted(covers.before, line)).length +
    added.filter((line) => wanted(covers.after, line)).length;
  const left = [
    ...removed.filter((line) => !isHit(covers.before, line)).map((line) => `${tell(line)} (removed)`),
    ...added.filter((line) => !isHit(covers.after, line)).map(tell),
  ];
  const gained = covers.base.because === undefined ? { gained: count(isMore) } : {};
  return { lines, executed: count(isHit), ...gained, left };
}

async function linesOf(file: string, text: string | undefined, changed: readonly number[]): Promise<Line[]> {
  if (text === undefined || changed.length === 0) return [];
  const wanted = new Set(changed);
  const spans = [{ startLine: 0, endLine: text.split("\n").length + 1 }];
  const units = (await executableUnits({ file, text, spans, pragmas: false })) ?? [];
  const lines = units.flatMap((unit) =>
    unit.own.flatMap((line) => (wanted.has(line) ? [[line, { file, line, unit }] as const] : [])),
  );
  return [...new Map(lines).values()];
}

/** Counts the tests that execute the line. Code that runs while a module is loaded counts as one more test. */
function countTests({ tests }: Covered, file: string, line: number): number {
  return Object.values(tests).filter((covered) => covered[file]?.includes(line) === true).length;
}

function tell({ file, line }: Line): string {
  return `${file}:${line}`;
}
