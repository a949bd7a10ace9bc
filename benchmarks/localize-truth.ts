/** Finds the faulty statements according to a fix. */
import { isSourceFile, languageOf } from "../src/languages/source-files.ts";
import { mapProgram, type ProgramMap } from "../src/localize/program-map.ts";

/** Lines of a file before the fix. */
interface ChangedRun {
  readonly file: string;
  /** Removed or replaced lines; empty for a pure insertion. */
  readonly removed: readonly number[];
  /** The line before which lines were inserted, or after the removed ones. */
  readonly next: number;
}

export interface Truth {
  /** Each as `FILE:FIRST LINE:LAST LINE:ROLE`, see `statementId`. */
  readonly statements: ReadonlySet<string>;
  /** Files of the fix that are no tests. */
  readonly files: readonly string[];
}

/** How far from an insertion its neighbours are looked for, in lines: past blanks and comments. */
const reach = 6;

/**
 * The statements that own a removed line; where lines were only inserted, or those removed belong to no statement (comments),
 * the nearest before and after. `texts` are the files before the fix.
 */
export async function readTruth(fix: string, texts: ReadonlyMap<string, string>): Promise<Truth> {
  const runs = readRuns(fix).filter(({ file }) => isSourceFile(file));
  const files = [...new Set(runs.map(({ file }) => file))];
  const known = new Map([...texts].filter(([file]) => files.includes(file)));
  const program = await mapProgram(known, languageOf);
  const statements = new Set<string>();
  for (const run of runs) {
    const owned = run.removed.flatMap((line) => innermost(program, run.file, line));
    const found = owned.length > 0 ? owned : neighbours(program, run);
    for (const index of found) statements.add(statementId(program, index));
  }
  return { statements, files };
}

export function statementId(program: ProgramMap, index: number): string {
  const placed = program.statements[index];
  return `${placed?.file}:${placed?.statement.startLine}:${placed?.statement.endLine}:${placed?.statement.role}`;
}

/** Statements on one line (`if (a) return b;`) are all at fault when it is changed: the diff says no more. */
function innermost(program: ProgramMap, file: string, line: number): readonly number[] {
  return program.at(file, line);
}

function neighbours(program: ProgramMap, { file, removed, next }: ChangedRun): number[] {
  const first = removed[0] ?? next;
  const nearest = (start: number, step: number): readonly number[] => {
    for (let line = start; line !== start + step * reach; line += step) {
      const owners = program.at(file, line);
      if (owners.length > 0) return owners;
    }
    return [];
  };
  return [...nearest(first - 1, -1), ...nearest(next, 1)];
}

/** The runs of changed lines of a unified diff. */
export function readRuns(fix: string): ChangedRun[] {
  const runs: ChangedRun[] = [];
  let file = "";
  let line = 0;
  let left = 0;
  let removed: number[] = [];
  let changed = false;
  const close = (): void => {
    if (changed) runs.push({ file, removed, next: line });
    removed = [];
    changed = false;
  };
  for (const text of fix.split("\n")) {
    const hunk = /^@@ -(\d+)(?:,(\d+))? /.exec(text);
    if (hunk !== null) {
      close();
      // A hunk of no old lines names the line after which it inserts.
      left = Number(hunk[2] ?? 1);
      line = Number(hunk[1]) + (left === 0 ? 1 : 0);
    } else if (text.startsWith("--- ") && left === 0) {
      close();
      file = text.slice(4).split("\t")[0]?.replace(/^a\//, "") ?? "";
    } else if (text.startsWith("-") && left > 0) {
      removed.push(line);
      changed = true;
      line += 1;
      left -= 1;
    } else if (text.startsWith("+") && !text.startsWith("+++ ")) changed = true;
    else if (left > 0) {
      close();
      line += 1;
      left -= 1;
    }
  }
  close();
  return runs;
}
