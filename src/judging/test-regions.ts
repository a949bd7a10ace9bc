/**
 * Determines the test code of a repository: whole files, and spans of other files. The evidence is the tests that ran,
 * the framework's configuration, and the syntax. A name counts only if nothing contradicts it.
 */
import { findTestSpans, type RanInside, type Span } from "./test-spans.ts";
import { findWholeFiles, type RegionSources, type WholeFiles } from "./whole-files.ts";

export interface TestRegions {
  /** True if the whole file only serves tests. The base may lack the file. */
  isWhole(path: string): boolean;
  /** Returns the kinds of tests that ran inside the file. */
  inside(path: string): RanInside;
  /** Returns the test code in the file's text, in order; the whole text if the whole file is test code. */
  spansIn(path: string, text: string): Promise<readonly Span[]>;
}

export async function readTestRegions(sources: RegionSources): Promise<TestRegions> {
  return regionsFrom(await findWholeFiles(sources));
}

/** Derives the regions from the facts about each file. */
export function regionsFrom({ isWhole, inside }: WholeFiles): TestRegions {
  return {
    isWhole,
    inside,
    async spansIn(path, text) {
      if (isWhole(path)) return [{ start: 0, end: text.length }];
      return findTestSpans(path, text, inside(path));
    },
  };
}

/** True if the span of the text overlaps test code. */
export async function isTestRegion(
  regions: TestRegions,
  { path, text, start, end }: Span & { readonly path: string; readonly text: string },
): Promise<boolean> {
  const spans = await regions.spansIn(path, text);
  return spans.some((span) => span.start < Math.max(end, start + 1) && start < span.end);
}

/** Returns the numbers of the lines, from 1, that contain a part of one of the spans. */
export function linesOfSpans(text: string, spans: readonly Span[]): ReadonlySet<number> {
  const lines = new Set<number>();
  let at = 0;
  for (const [index, line] of text.split("\n").entries()) {
    const end = at + line.length;
    if (spans.some((span) => span.start <= end && at < span.end)) lines.add(index + 1);
    at = end + 1;
  }
  return lines;
}
