/**
 * What of a repository is test code: whole files, and spans of others. Known from the tests that ran, from the framework's
 * configuration, and from the syntax; a name alone counts only where nothing contradicts it.
 */
import { findTestSpans, type Span } from "./test-spans.ts";
import { findWholeFiles, type RegionSources } from "./whole-files.ts";

export interface TestRegions {
  /** True where all of the file serves tests and nothing else. It may be a file that the base does not have. */
  isWhole(path: string): boolean;
  /** The test code in a text of the file, in order; all of it where the file is whole. */
  spansIn(path: string, text: string): Promise<readonly Span[]>;
}

export async function readTestRegions(sources: RegionSources): Promise<TestRegions> {
  const { isWhole, inside } = await findWholeFiles(sources);
  return {
    isWhole,
    async spansIn(path, text) {
      if (isWhole(path)) return [{ start: 0, end: text.length }];
      return findTestSpans(path, text, inside(path));
    },
  };
}

/** True where the span of the text touches test code. */
export async function isTestRegion(
  regions: TestRegions,
  { path, text, start, end }: Span & { readonly path: string; readonly text: string },
): Promise<boolean> {
  const spans = await regions.spansIn(path, text);
  return spans.some((span) => span.start < Math.max(end, start + 1) && start < span.end);
}

/** Lines from 1 of the text that hold test code. */
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
