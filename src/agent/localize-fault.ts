import { type CoveredLines, formatTestKey, isFailing } from "../domain/test-outcome.ts";
import { isSourceFile, languageOf } from "../languages/source-files.ts";
import { type RankedStatement, rankStatements } from "../localize/rank-statements.ts";
import type { Baseline } from "./baseline.ts";
import type { MeasurementContext } from "./measurement.ts";

export interface LocatedFault {
  readonly ranked: readonly RankedStatement[];
  readonly remarks: readonly string[];
}

/** Files above this size are generated or data, in bytes. */
const largestFile = 1024 * 1024;

/** Ranks the statements of the files that the target tests executed, or that stand in their stack traces. */
export async function localizeFault(
  context: MeasurementContext,
  baseline: Baseline,
  coverage: ReadonlyMap<string, CoveredLines>,
): Promise<LocatedFault> {
  const targets = new Set(baseline.targets.map((outcome) => formatTestKey(outcome.key)));
  const files = new Set<string>();
  for (const id of targets) for (const file of Object.keys(coverage.get(id) ?? {})) files.add(file);
  for (const { failure } of baseline.targets)
    for (const frame of failure?.frames ?? []) files.add(frame.file);
  const { trees, base } = context.workspace;
  const present = (await trees.list(base)).map((entry) => entry.path).filter(isSourceFile);
  const touched = present.filter((path) => files.has(path));
  const suspects = touched.length === 0 ? present : touched;
  const texts = new Map<string, string>();
  for (const path of suspects) {
    const content = await trees.read(base, path);
    if (content !== undefined && content.length <= largestFile) texts.set(path, content.toString("utf8"));
  }
  const ranking = await rankStatements({
    // Failing tests that are not the task say nothing about its fault.
    outcomes: baseline.outcomes.filter(
      (each) => !isFailing(each.status) || targets.has(formatTestKey(each.key)),
    ),
    coverage,
    texts,
    languageOf,
    isTestFile: (path) => !isSourceFile(path),
  });
  const remarks = ranking.basis === "coverage" ? [] : [ranking.explanation];
  return { ranked: ranking.statements, remarks };
}
