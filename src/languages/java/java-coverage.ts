/** Reads the lines that each test of a Java build executed, from the files of our worker. */
import { z } from "zod";
import { type CoveredLines, formatTestKey } from "../../domain/test-outcome.ts";
import { type BuildRun, textOfFile } from "./java-run.ts";

const lineSchema = z.object({
  /** The module's folder, absolute. */
  folder: z.string(),
  target: z.string(),
  name: z.string(),
  lines: z.record(z.string(), z.string()),
});

/**
 * Reads the lines that each test executed, keyed by the test's `formatTestKey`. Leaves out tests that executed no
 * lines.
 */
export function readJavaCoverage(run: BuildRun): ReadonlyMap<string, CoveredLines> {
  const coverage = new Map<string, CoveredLines>();
  for (const name of run.files.keys()) {
    if (!/^lines-\d+\.txt$/.test(name)) continue;
    for (const line of textOfFile(run, name).split("\n")) {
      const read = readLine(line);
      if (read === undefined) continue;
      const module = read.folder.startsWith(`${run.root}/`) ? read.folder.slice(run.root.length + 1) : "";
      const files = Object.entries(read.lines).map(([file, ranges]): [string, number[]] => [
        file,
        expand(ranges),
      ]);
      const key = formatTestKey({ package: module, target: read.target, name: read.name });
      if (files.length > 0) coverage.set(key, Object.fromEntries(files));
    }
  }
  return coverage;
}

function readLine(line: string): z.infer<typeof lineSchema> | undefined {
  try {
    return lineSchema.safeParse(JSON.parse(line)).data;
  } catch {
    return undefined; // torn when its machine ended
  }
}

function expand(ranges: string): number[] {
  const lines = new Set<number>();
  for (const range of ranges.split(",")) {
    const [first = 0, last = first] = range.split("-").map(Number);
    for (let line = first; line <= last; line += 1) lines.add(line);
  }
  return [...lines].sort((a, b) => a - b);
}
