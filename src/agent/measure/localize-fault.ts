/** Locates the fault: gathers measurements on the base for the ranking. */

import { dirname } from "node:path";
import { type Result, succeed } from "../../base/result.ts";
import { formatTestKey, isFailing, type TestOutcome } from "../../domain/test-outcome.ts";
import { linesOfSpans, type TestRegions } from "../../judging/test-regions.ts";
import { findFramework } from "../../languages/find-framework.ts";
import { isOwnSource, isSourceFile, languageOf } from "../../languages/source-files.ts";
import type { FaultSigns } from "../../localize/fault-signs.ts";
import { type RankedStatement, type Ranking, rankStatements } from "../../localize/rank-statements.ts";
import { readTestTexts } from "../../localize/test-text.ts";
import { type Baseline, measureBaseline } from "./baseline.ts";
import { type Coverage, collectCoverage } from "./coverage.ts";
import type { MeasurementContext } from "./measurement.ts";
import { regionsOf } from "./regions-of.ts";
import { openTestExecutor } from "./test-executor.ts";

export interface LocatedFault {
  readonly ranking: Ranking;
  readonly ranked: readonly RankedStatement[];
  readonly remarks: readonly string[];
  readonly regions: TestRegions;
  /** The texts of the failing tests. */
  readonly testTexts: readonly string[];
}

export interface MeasuredFault {
  readonly baseline: Baseline;
  readonly coverage: Coverage;
  readonly signs: FaultSigns;
}

/**
 * Finds and runs the tests, collects coverage, and gathers the ranking's inputs. For callers that locate the fault but
 * do not repair it.
 */
export async function measureFault(
  context: MeasurementContext,
  enter: (phase: "test" | "localize", title: string) => void,
): Promise<Result<MeasuredFault, "no-test-command" | "nothing-fails">> {
  enter("test", "find and run the tests");
  const executor = await openTestExecutor(context.workspace, context.frameworks, context.signal);
  try {
    const measured = await measureBaseline(context, executor);
    if (!measured.ok) return measured;
    const baseline = measured.value;
    enter("localize", "locate the fault");
    const framework = findFramework(context.frameworks, baseline.command);
    const coverage = await collectCoverage(context, executor, baseline, framework);
    const regions = await regionsOf(context, baseline);
    return succeed({ baseline, coverage, signs: await gatherSigns(context, baseline, coverage, regions) });
  } finally {
    await executor.close();
  }
}

/** Maximum bytes of a file. Larger files are generated files or data. */
const largestFile = 1024 * 1024;
/** Maximum number of files that tests only imported. More files would add no information. */
const mostLoaded = 60;

/**
 * Ranks the statements of files that the target tests executed or loaded, and of files in their stack traces. If the
 * targets executed no source file, and their stack traces name none, ranks the statements of all sources.
 */
export async function localizeFault(
  context: MeasurementContext,
  baseline: Baseline,
  coverage: Coverage,
): Promise<LocatedFault> {
  const regions = await regionsOf(context, baseline);
  const signs = await gatherSigns(context, baseline, coverage, regions);
  const ranking = await rankStatements({ ...signs, languageOf });
  const tests = await readTestTexts(baseline.targets, signs.testTexts, languageOf);
  const degraded = ranking.basis === "coverage" ? [] : [ranking.explanation];
  return {
    ranking,
    ranked: ranking.statements,
    remarks: [...coverage.remarks, ...degraded],
    regions,
    testTexts: [...tests.values()].map(({ body }) => body),
  };
}

/** Returns all inputs of the ranking, with the texts of the files involved. */
export async function gatherSigns(
  context: MeasurementContext,
  baseline: Baseline,
  coverage: Coverage,
  regions: TestRegions,
): Promise<FaultSigns> {
  const { trees, base } = context.workspace;
  const targets = new Set(baseline.targets.map((outcome) => formatTestKey(outcome.key)));
  const files = new Set<string>();
  for (const id of targets) for (const file of Object.keys(coverage.tests.get(id) ?? {})) files.add(file);
  for (const { failure } of baseline.targets)
    for (const frame of failure?.frames ?? []) files.add(frame.file);
  const present = (await trees.list(base)).filter(({ mode }) => mode !== "120000").map(({ path }) => path);
  const sources = present.filter((path) => isOwnSource(path) && !regions.isWhole(path));
  const touched = sources.filter((path) => files.has(path));
  const loaded = sources.filter((path) => !files.has(path) && path in coverage.loaded);
  const suspects = loaded.length <= mostLoaded ? [...touched, ...loaded] : touched;
  const texts = await readTexts(context, touched.length === 0 ? sources : suspects);
  const testLines = new Map<string, ReadonlySet<number>>();
  for (const [path, text] of texts)
    testLines.set(path, linesOfSpans(text, await regions.spansIn(path, text)));
  return {
    // Failing tests outside the task give no information about its fault.
    outcomes: baseline.outcomes.filter(
      (each) => !isFailing(each.status) || targets.has(formatTestKey(each.key)),
    ),
    coverage: coverage.tests,
    loaded: coverage.loaded,
    texts,
    testLines,
    testTexts: await readTexts(context, testFilesOf(baseline.targets, present)),
    statement: context.task.statement,
  };
}

/** Lists the files with the failing tests: the targets, and files of stack frames that are not sources. */
function testFilesOf(targets: readonly TestOutcome[], present: readonly string[]): string[] {
  const loaded = new Set(targets.map(({ key }) => key.target));
  const frames = new Set(targets.flatMap(({ failure }) => failure?.frames.map(({ file }) => file) ?? []));
  return present.filter((path) => {
    if (languageOf(path) === undefined) return false;
    const module = path.replace(/\.\w+$/, "").replaceAll("/", ".");
    if (loaded.has(path) || loaded.has(module)) return true;
    return !isSourceFile(path) && (frames.has(path) || loaded.has(dirname(path)));
  });
}

async function readTexts(
  { workspace: { trees, base } }: MeasurementContext,
  paths: readonly string[],
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const path of paths) {
    const content = await trees.read(base, path);
    if (content !== undefined && content.length <= largestFile) texts.set(path, content.toString("utf8"));
  }
  return texts;
}
