/**
 * Separates the lines that run when a module is loaded from those that tests execute. Tracers report the former with
 * the first test, or with no test.
 */
import type { CoveredLines } from "../../domain/test-outcome.ts";

type CoverageByTest = ReadonlyMap<string, CoveredLines>;

/** Returns the lines that ran outside any test, that is, while modules were loaded. */
export function loadedLines(coverage: CoverageByTest, tests: ReadonlySet<string>): CoveredLines {
  const loaded = new Map<string, Set<number>>();
  for (const [id, covered] of coverage) {
    if (tests.has(id)) continue;
    for (const [file, lines] of Object.entries(covered)) {
      const known = loaded.get(file) ?? new Set();
      for (const line of lines) known.add(line);
      loaded.set(file, known);
    }
  }
  return Object.fromEntries([...loaded].map(([file, lines]) => [file, ascending(lines)]));
}

/** Adds the lines that ran on loading a module to each test that executed another line of this module. */
export function spreadLoadLines(
  coverage: CoverageByTest,
  tests: ReadonlySet<string>,
): ReadonlyMap<string, CoveredLines> {
  const loaded = loadedLines(coverage, tests);
  const spread = [...coverage]
    .filter(([id]) => tests.has(id))
    .map(([id, covered]): [string, CoveredLines] => {
      const files = Object.entries(covered).map(([file, lines]): [string, number[]] => {
        return [file, ascending(new Set([...lines, ...(loaded[file] ?? [])]))];
      });
      return [id, Object.fromEntries(files)];
    });
  return new Map(spread);
}

/**
 * Keeps only the given files in the coverage of these tests; keeps all files if none are given. Does not change the
 * coverage of other tests.
 */
export function restrictTo(
  coverage: CoverageByTest,
  tests: ReadonlySet<string>,
  files: ReadonlySet<string>,
): ReadonlyMap<string, CoveredLines> {
  if (files.size === 0) return coverage;
  const restrict = (covered: CoveredLines): CoveredLines =>
    Object.fromEntries(Object.entries(covered).filter(([file]) => files.has(file)));
  return new Map([...coverage].map(([id, covered]) => [id, tests.has(id) ? restrict(covered) : covered]));
}

function ascending(lines: ReadonlySet<number>): number[] {
  return [...lines].sort((a, b) => a - b);
}
